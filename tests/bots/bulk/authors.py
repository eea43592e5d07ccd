"""AIs as authors write them: C++, C and Python files for tests, among them some that fail or misbehave.

Some cooperate by a sequence of moves, and honest ones adapt: they are for tests of the evidence of collusion.
"""

from pathlib import Path

from bots.bulk.compile import compile_all
from bots.bulk.plan import Plan
from bots.bulk.played import Played
from bots.bulk.supervisor import Limits, play_series
from tests.compiled import needs


def played(plan: Plan, folder: Path, limits: Limits | None = None) -> Played:
    """The one tournament of a plan, compiled into a folder; skips the test where there is no compiler."""
    needs("g++")
    (found,) = play_series(plan, compile_all(plan.entrants, folder), 1, lambda *_: None, limits or Limits())
    return found


#: What every C++ file begins and ends with.
_HEAD = '#include <cstdio>\n#include <cstdlib>\n#include "tournament.h"\n'
_AI = "int AI(int op, int b, int state, int d)"


def cpp(folder: Path, name: str, body: str, before: str = "", init: str = "NULL") -> Path:
    """A C++ file whose AI has this body, with other code before it."""
    path = folder / f"{name}.cpp"
    path.write_text(f'{_HEAD}{before}\n{_AI} {{ {body} }}\nSOLUTION mine = {{"{name}", "{name[:7]}", {init}, AI}};\n')
    return path


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def failing(folder: Path, name: str, deed: str, before: str = "", at: int = 1000) -> Path:
    """A C++ file whose AI does something in a later decision, with the six number ``at``."""
    body = f"if (state < 2 && d == 6 && ++sixes == {at}) {{ {deed} }} return d > 3;"
    return cpp(folder, name, body, f"{before}\nstatic int sixes;")


#: Moves as first player by which a partner knows another, from the number of the move.
SIGNALS = {"raises": "i % 3 != 0", "folds": "i % 2 != 0"}

#: How a partner loses chips: what it bets or calls with.
GIFTS = {
    "bets low dice and folds high ones": "d <= 3",
    "folds everything": "0",
    "raises, and folds to every bet": "state == 0",
    "bets and calls with everything": "1",
    "folds sixes": "d != 6 && d >= 2 + (b + 1) / 4",
    "calls with low dice": "state ? d <= 3 : d >= 2 + (b + 1) / 4",
    "folds to every bet": "!state && d >= 2 + (b + 1) / 4",
}

#: How often it does so.
OFTEN = {"always": "1", "every second time": "rand() % 2"}

_SIGNS = "if (state == 0 && moves[op] < 100) {{ int i = moves[op]++; return {signal}; }}"
_SEES = """
    if (state % 2 && state < 4 && seen[op] < 100) {{ int i = seen[op]++; wrong[op] += (state == 1) != ({signal}); }}
    if (state < 2 && seen[op] == 100 && !wrong[op] && {often}) return {gift};
"""
_ELSE = "return d >= 2 + (b + 1) / 4;"
_MEMORY = "static int moves[256], seen[256], wrong[256];"

#: What an honest AI does is drawn for each tournament; each remembers every opponent apart.
_ADAPTS_BEFORE = """
static int kind, folds[256], calls[256], pips[256], shown[256], last[256], decided[256], kinds[256];
static int pulls[256][6], arm[256];
static double start, slope, trust, noise, patience, rate, chips[256], mood[256], gains[256][6], met[256][2][16][7];
static double between(double low, double high) { return low + (high - low) * (rand() / (RAND_MAX + 1.0)); }
void Init() {
    kind = int(between(0, 9)), start = between(1, 4), slope = between(0, 0.25), trust = between(0, 1.5);
    noise = between(0, 3), patience = between(1, 200), rate = between(0.01, 0.3);
    for (auto &opponent : met) for (auto &role : opponent) for (auto &row : role) for (double &n : row)
        n = between(0.2, 2);
}
static void count(int op, double won) { chips[op] += won; mood[op] = 0.98 * mood[op] + won; }
static void learn(int op, int b, int state, int d) {
    double won = state == 2 ? 2 : 1;
    if (state > 3) won = last[op] > d ? b : last[op] < d ? -b : 0;
    folds[op] += state == 2, calls[op] += state == 4;
    if (state == 5) pips[op] += d, ++shown[op];
    if (state == 2) ++met[op][0][b - 3][0];
    if (state > 3) ++met[op][state - 4][b - 3][d];
    if (kind == 5) ++pulls[op][arm[op]], gains[op][arm[op]] += won;
    count(op, won);
}
static int answer(int op, int b, int state, int d) {
    const double folded = (folds[op] + 1.0) / (folds[op] + calls[op] + 2.0);
    const double dice = shown[op] ? double(pips[op]) / shown[op] : 3.5;
    double base = start + slope * b;
    if (kind < 2) {  // moves its limit by what it has seen, or the wrong way
        const double way = kind ? -trust : trust;
        if (state == 0 && folds[op] + calls[op] > patience) base -= way * folded * 2;
        if (state == 1 && shown[op] > patience) base += way * (dice - 3.5);
        return d + noise * (rand() / (RAND_MAX + 1.0) - 0.5) >= base;
    }
    if (kind < 4) {  // the best response to all it has seen, without and with experiments
        double total = 0;
        for (int i = state; i < 7; ++i)
            total += met[op][state][b - 3][i] * ((i ? b * ((d > i) - (d < i)) : 2) + 1 + state);
        return kind == 3 && rand() / (RAND_MAX + 1.0) < rate ? total <= 0 : total > 0;
    }
    if (kind == 4) return d >= base + (mood[op] < -10 ? trust : mood[op] > 10 ? -trust : 0);  // by its mood
    if (kind == 5) {  // tries out limits
        int best = 0;
        for (int i = 1; i < 6; ++i)
            if (gains[op][i] / (pulls[op][i] + 1) > gains[op][best] / (pulls[op][best] + 1)) best = i;
        arm[op] = rand() / (RAND_MAX + 1.0) < rate || decided[op] < 60 ? rand() % 6 : best;
        return d >= arm[op] + 1 - (b < 6) + (b > 12);
    }
    if (kind == 6) return d >= dice + (b - 10) * 0.1 + start - 2.5;  // imitates
    if (kind == 8) return d >= base + (chips[op] < -100 ? 1.5 * trust : 0);  // avoids those to whom it loses
    if (folds[op] + calls[op] < 40) return d >= base;  // decides by the first moves what the opponent is, for good
    if (!kinds[op]) kinds[op] = folded > 0.55 ? 1 : folded < 0.2 ? 2 : 3;
    if (state == 1) return d >= base + (dice > 4.2 ? trust : dice < 3.8 ? -trust : 0);
    return d >= (kinds[op] == 1 ? base - 2 * trust : kinds[op] == 2 ? 4 + (b > 10) : base);
}
"""
_ADAPTS = """
    if (state > 1) { learn(op, b, state, d); return 0; }
    ++decided[op], last[op] = d;
    if (answer(op, b, state, d)) return 1;
    count(op, -1 - state);
    if (kind == 5) ++pulls[op][arm[op]], gains[op][arm[op]] -= 1 + state;
    return 0;
"""


def signing(folder: Path, signal: str = "raises") -> Path:
    """The AI that others know by its first moves."""
    return cpp(folder, "signs", _SIGNS.format(signal=SIGNALS[signal]) + _ELSE, _MEMORY)


def giving(folder: Path, signal: str = "raises", gift: str = next(iter(GIFTS)), often: str = "always") -> Path:
    """The AI that gives chips to it."""
    sees = _SEES.format(signal=SIGNALS[signal], gift=GIFTS[gift], often=OFTEN[often])
    return cpp(folder, "gives", sees + _ELSE, _MEMORY)


def taking_turns(folder: Path, name: str) -> Path:
    """An AI that makes the moves and looks for them, and gives chips in every second deal."""
    signal = SIGNALS["raises"]
    sees = _SEES.format(signal=signal, gift="d <= 3", often=OFTEN["every second time"])
    return cpp(folder, name, _SIGNS.format(signal=signal) + sees + _ELSE, _MEMORY)


def adapting(folder: Path) -> Path:
    """An honest AI that adapts to its opponents, another one in each tournament."""
    return cpp(folder, "adapts", _ADAPTS, _ADAPTS_BEFORE, "Init")

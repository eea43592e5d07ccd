"""The house's AIs of dice, compiled by numba, and a tournament of them.

It plays exactly what ``cpp/driver.cpp`` plays with the AIs of ``cpp/house``; tests hold both equal, deal by deal.

A worker process runs this file as a script, so it imports nothing of the project. All of it is one file, because
numba's cache does not notice changes in others.
"""

import ctypes
import json
import mmap
import os
import signal
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path
from time import process_time_ns
from typing import Any

import numpy as np
from numba import njit, types

#: With which dice the AIs bet that look at B and their die alone.
RULES: dict[str, Callable[[int, int], bool]] = {
    "dice-four": lambda b, d: d >= 4,
    "dice-price": lambda b, d: d >= 2 + (b + 1) // 4,
    "caller": lambda b, d: True,
}

#: The AI that draws by chance, the one that remembers its opponents, and the house's best.
LUCK, MEMORY, EQUILIBRIUM, ADAPTIVE = "dice-luck", "dice-memory", "dice-equilibrium", "dice-adaptive"
NAMES = (*RULES, LUCK, MEMORY, EQUILIBRIUM, ADAPTIVE)

#: What an AI is, as numbers.
_BY_RULE, _BY_CHANCE, _BY_MEMORY, _BY_TABLE, _BY_MODEL = range(5)

#: A line for each B and role with the fraction of bets by die.
_TABLE = Path(__file__).parents[1] / "strategies" / "dice" / "equilibrium.txt"

#: Of dice-adaptive, as in bots/strategies/dice/adaptive.py, which explains them.
_WEIGHTS = (0.4, 0.16, 0.064, 0.0256)
_PRIOR, _NEIGHBOURS, _AGREEMENT, _SURE, _MARGIN = 3.0, 100.0, 0.25, 0.3, 0.02
_LIMIT = np.int32(4096)
_OUTCOMES, _PLACES = 7, 8
_BESIDE = len(_WEIGHTS)
_ROWS = 16 + 2 * _BESIDE
_MODEL = np.uint64(2 * _ROWS * _PLACES)  # counts for each opponent
_OF_ROLE = np.uint64(_ROWS * _PLACES)
_FIRST_ROW = np.uint64(_BESIDE * _PLACES)

#: Numbers of an AI's rand().
_RAND_NUMBERS = 2.0**31

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_0, _1, _2, _3, _4, _6, _8, _16 = map(np.uint64, (0, 1, 2, 3, 4, 6, 8, 16))
_27, _30, _31, _33, _60 = map(np.uint64, (27, 30, 31, 33, 60))
_128 = np.uint64(128)
_BETS, _FOLDS, _SHOWN, _PIPS = _0, _1, _2, _3  # what a player remembers of an opponent
_LOW_30 = np.uint64(2**30 - 1)

#: Rounds between two notes of the progress.
_PIECE = 4096

#: Deals in which the time of a call is measured.
_TIMED_CALLS = 50_000

#: Of prctl: what this process is sent when the one that watches it has ended (linux/prctl.h).
_DEATH_SIGNAL = 1

#: Places of 8 bytes in the shared page (cpp/page.h), and what stands there.
_STAGE, _ROUND, _PLAY_NANOSECONDS = 0, 3, 5
_PLAYING, _DONE = 3, 4


@njit(inline="always")
def _mix(z):  # type: ignore[no-untyped-def] # numba finds the types
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@njit(inline="always")
def _closeness(times, expected):  # type: ignore[no-untyped-def]
    away = times - expected
    fit = 1.0 + away * away / (8.0 * expected)
    return 1.0 / (fit * fit * fit * fit)


@njit(types.float64(types.int32[::1], types.uint64, types.float64[::1]), cache=True)
def _add_counts(counts, row, sample):  # type: ignore[no-untyped-def]
    """Add to a sample the counts with other B, weigh all that, and add the counts themselves; how it was weighed."""
    for away in range(1, _BESIDE + 1):
        apart = np.uint64(away * _PLACES)
        for i in range(_OUTCOMES):
            place = row + np.uint64(i)
            sample[i] += _WEIGHTS[away - 1] * (counts[place - apart] + counts[place + apart])
    deals, others = np.int64(0), 0.0
    for i in range(_OUTCOMES):
        deals += counts[row + np.uint64(i)]
        others += sample[i]
    most = _NEIGHBOURS
    if deals > 0:
        spread, distance = 1.0, 0.0
        for i in range(_OUTCOMES):
            part = sample[i] / others
            difference = counts[row + np.uint64(i)] / deals - part
            spread -= part * part
            distance += difference * difference
        beyond = distance - spread / deals - spread / others
        if beyond * _NEIGHBOURS > _AGREEMENT * spread:
            most = _AGREEMENT * spread / beyond
    share = min(1.0, most / others)
    for i in range(_OUTCOMES):
        sample[i] = counts[row + np.uint64(i)] + share * sample[i]
    return share


@njit(types.float64(types.float64[::1]), cache=True)
def _usual(sample):  # type: ignore[no-untyped-def]
    """How often a die was shown by a first player who always bets it."""
    largest, total, weights = 0.0, 0.0, 0.0
    for i in range(1, _OUTCOMES):
        largest = max(largest, sample[i])
    for i in range(1, _OUTCOMES):
        weight = _closeness(sample[i], largest)
        total += weight * sample[i]
        weights += weight
    return total / weights


@njit(types.void(types.float64[::1], types.int64, types.float64), cache=True)
def _sharpen(sample, role, never_played):  # type: ignore[no-untyped-def]
    """Move the numbers of dice towards that of a die that is always bet."""
    size = 0.0
    for i in range(_OUTCOMES):
        size += sample[i]
    always = _usual(sample) if role == 1 else size / 6.0
    sure = _SURE * sqrt(max(size - never_played, 0.0) / 6.0)
    stays = 0.0
    for i in range(1, _OUTCOMES):
        weight = sure * _closeness(sample[i], always)
        times = (sample[i] + weight * always) / (1.0 + weight)
        sample[i] = times if role == 1 else min(times, always)
        stays += sample[i]
    if role == 0:
        sample[0] = size - stays


@njit(
    types.float64(
        types.int32[::1], types.uint64, types.float64[:, :, ::1], types.float64[::1], types.int64, types.int64,
        types.int64,
    ),
    cache=True,
)  # fmt: skip
def _gain(counts, row, prior, sample, role, b, d):  # type: ignore[no-untyped-def]
    """About how many chips a bet of dice-adaptive wins more than a fold, or 0 if the equilibrium decides.

    Args:
        counts: of all opponents.
        row: where those of this one begin, for this role and B.
        prior: by role, B less 3 and outcome.
        sample: space for 7 numbers.
        role: 0 for the first player.
        b: B less 3.
        d: its die.
    """
    for i in range(_OUTCOMES):
        sample[i] = prior[role, b, i]
    share = _add_counts(counts, row, sample)
    _sharpen(sample, role, share * _PRIOR)
    size, total = 0.0, 0.0
    for i in range(_OUTCOMES):
        won = 2 if i == 0 else (b + 3) * (np.int64(d > i) - np.int64(d < i))
        size += sample[i]
        total += sample[i] * (1 + role + won)
    return 0.0 if abs(total) <= _MARGIN * size else total


@njit(types.void(types.int32[::1], types.uint64, types.uint64), cache=True)
def _count(counts, row, outcome):  # type: ignore[no-untyped-def]
    """Count what a bet of dice-adaptive has led to."""
    counts[row + outcome] += np.int32(1)
    deals = np.int32(0)
    for i in range(_OUTCOMES):
        deals += counts[row + np.uint64(i)]
    if deals >= _LIMIT:
        for i in range(_OUTCOMES):
            counts[row + np.uint64(i)] //= np.int32(2)


# Three things make this as fast as compiled C++. Arrays stay in one function, because numba counts who holds an array
# wherever one is handed over. All numbers that meet in an index are without a sign, because for those with one numba
# looks whether they count from the end. And few branches hang on a die, which no processor can predict.


_ARGUMENTS = (
    types.boolean[::1],  # by player, B less 3 (16 of them) and die (8): whether a player with a rule bets
    types.int64[::1],  # kinds of the players
    types.uint64[::1],  # states of their rand()
    types.uint64[::1],  # by player and opponent: bets, folds, dice shown and their pips
    types.float64[::1],  # by B less 3, role (2) and die (8): out of how many numbers of rand() the equilibrium bets
    types.uint64[::1],  # by player: where its counts begin, if it is dice-adaptive
    types.int32[::1],  # counts of dice-adaptive, by player, opponent, role and row
    types.float64[:, :, ::1],  # its deals taken for granted, by role, B less 3 and outcome
    types.float64[::1],  # space for 7 numbers
    types.uint64,  # the key of the deals
    types.int64,  # the first round
    types.int64,  # the round after the last one
    types.int64[::1],  # by player and opponent: chips won by the first player from the second, to which this adds
)


@njit(types.void(*_ARGUMENTS), cache=True)
def play_rounds(  # type: ignore[no-untyped-def] # noqa: PLR0912, PLR0915 # see above
    rules, kinds, rands, memory, table, models, counts, prior, sample, key, start, end, chips
):
    """Play the rounds from ``start`` to before ``end``. The rules are those of the game (protocol/games/dice.py)."""
    players = np.uint64(len(kinds))
    pairs = np.uint64(len(kinds) * (len(kinds) - 1) // 2)
    state = key + np.uint64(start) * pairs * _GOLDEN
    for number in range(start, end):
        turned = number % 2 == 1
        for low in range(players):
            for high in range(low + _1, players):
                first, second = (high, low) if turned else (low, high)
                bits = _mix(state)
                state += _GOLDEN
                b = bits >> _60
                own = _1 + (((bits & _LOW_30) * _6) >> _30)
                other = _1 + ((((bits >> _30) & _LOW_30) * _6) >> _30)
                its_row = (first * players + second) * _4
                other_row = (second * players + first) * _4

                its_kind, other_kind = kinds[first], kinds[second]
                if its_kind == _BY_RULE:
                    bet = rules[first * _128 + b * _8 + own]
                elif its_kind == _BY_CHANCE:
                    rands[first] += _GOLDEN
                    bet = (_mix(rands[first]) >> _33) % _6 < own
                elif its_kind == _BY_MEMORY:
                    bet = (own >= _4) | (_2 * memory[its_row + _FOLDS] > memory[its_row + _BETS])
                else:
                    rands[first] += _GOLDEN
                    bet = np.float64(_mix(rands[first]) >> _33) < table[b * _16 + own]
                    if its_kind == _BY_MODEL:
                        its_model = models[first] + second * _MODEL + _FIRST_ROW + b * _8
                        gain = _gain(counts, its_model, prior, sample, 0, b, own)
                        bet = gain > 0.0 if gain != 0.0 else bet
                if other_kind == _BY_RULE:
                    called = bet & rules[second * _128 + b * _8 + other]
                elif other_kind == _BY_CHANCE:
                    drawn = rands[second] + _GOLDEN
                    rands[second] += _GOLDEN * np.uint64(bet)
                    called = bet & ((_mix(drawn) >> _33) % _6 < other)
                elif other_kind != _BY_MEMORY:
                    called = bet
                    if bet:
                        rands[second] += _GOLDEN
                        called = np.float64(_mix(rands[second]) >> _33) < table[b * _16 + _8 + other]
                        if other_kind == _BY_MODEL:
                            other_model = models[second] + first * _MODEL + _OF_ROLE + _FIRST_ROW + b * _8
                            gain = _gain(counts, other_model, prior, sample, 1, b, other)
                            called = gain > 0.0 if gain != 0.0 else called
                else:
                    shown, pips = memory[other_row + _SHOWN], memory[other_row + _PIPS]
                    known = shown != _0
                    called = bet & (((not known) & (other >= _4)) | (known & (other * shown >= pips)))

                if its_kind == _BY_MEMORY:
                    memory[its_row + _BETS] += np.uint64(bet)
                    memory[its_row + _FOLDS] += np.uint64(bet & (not called))
                if other_kind == _BY_MEMORY:
                    memory[other_row + _SHOWN] += np.uint64(called)
                    memory[other_row + _PIPS] += own * np.uint64(called)
                if its_kind == _BY_MODEL and bet:
                    _count(counts, models[first] + second * _MODEL + _FIRST_ROW + b * _8, other * np.uint64(called))
                if other_kind == _BY_MODEL and called:
                    _count(counts, models[second] + first * _MODEL + _OF_ROLE + _FIRST_ROW + b * _8, own)
                winner = np.int64(own > other) - np.int64(own < other)
                won = np.int64(called) * winner * np.int64(b + _3)
                chips[first * players + second] += won + 2 * np.int64(bet & (not called)) - np.int64(not bet)


_KINDS = {LUCK: _BY_CHANCE, MEMORY: _BY_MEMORY, EQUILIBRIUM: _BY_TABLE, ADAPTIVE: _BY_MODEL}


def _read_table() -> Any:
    """How often the equilibrium bets: by B less 3, role and die."""
    table = np.zeros((16, 2, 8))
    for line in _TABLE.read_text("ascii").splitlines():
        b, role, *bets = line.split()
        table[int(b) - 3, int(role), 1:7] = [float(Fraction(often)) for often in bets]
    return table


def _prior(table: Any) -> Any:
    """What bets lead to against the equilibrium: deals by role, B less 3 and outcome."""
    prior = np.zeros((2, 16, _OUTCOMES))
    for role, b in product(range(2), range(16)):
        stays = 0.0
        for d in range(1, 7):
            stays += table[b, 1 - role, d]
        folds = 0.0 if role else 6 - stays
        size = folds + stays
        prior[role, b] = [_PRIOR * often / size for often in (folds, *table[b, 1 - role, 1:7])]
    return prior


class Tournament:
    """The state of a tournament between rounds.

    Attributes:
        state: what ``play_rounds`` takes first.
    """

    def __init__(self, names: Sequence[str], rands: Sequence[int], key: int) -> None:
        rules = np.zeros((len(names), 16, 8), np.bool_)
        for player, name in enumerate(names):
            for b, d in product(range(16), range(1, 7)) if name in RULES else ():
                rules[player, b, d] = RULES[name](b + 3, d)
        kinds = [_KINDS.get(name, _BY_RULE) for name in names]
        memory = np.zeros(4 * len(names) ** 2, np.uint64)
        table = _read_table()
        of_player = len(names) * int(_MODEL)
        adaptive = [kind == _BY_MODEL for kind in kinds]
        models = of_player * np.cumsum([0, *adaptive[:-1]])
        counts = np.zeros(of_player * sum(adaptive), np.int32)
        self.state = (
            rules.ravel(), np.array(kinds), np.array(rands, np.uint64), memory, (table * _RAND_NUMBERS).ravel(),
            models.astype(np.uint64), counts, _prior(table), np.zeros(_OUTCOMES), np.uint64(key),
        )  # fmt: skip

    def play(self, start: int, end: int, chips: Any) -> None:
        """Play the rounds from ``start`` to before ``end``, and add to ``chips``."""
        play_rounds(*self.state, start, end, chips)


def call_nanoseconds(name: str) -> int:
    """Processor time of ``_TIMED_CALLS`` calls of an AI, with the deals in which it is called.

    A call in the kernel is no longer than what it takes to read a clock. So the AI plays against one that always bets,
    and is called once in each deal.
    """
    tournament, chips = Tournament((name, "caller"), (1, 2), 1), np.zeros(4, np.int64)
    began = process_time_ns()
    tournament.play(0, _TIMED_CALLS, chips)
    return process_time_ns() - began


def main(plan: dict[str, Any]) -> None:
    """Play the tournament of ``plan``, which ``supervisor.py`` made."""
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != plan["watcher"]:
        return  # it ended before it could be asked to send a signal
    page = mmap.mmap(plan["page"], 0)
    count, blocks = len(plan["players"]), plan["blocks"]
    facts = np.frombuffer(page, np.int64, 6)
    chips = np.frombuffer(page, np.int64, blocks * count * count, plan["chips_at"]).reshape(blocks, -1)
    players = plan["players"]
    taken = {name: call_nanoseconds(name) for name in {one["house"] for one in players}}
    for one in players:
        np.frombuffer(page, np.int64, 2, one["timed_at"])[:] = _TIMED_CALLS, taken[one["house"]]
    tournament = Tournament([one["house"] for one in players], [one["rand"] for one in players], plan["key"])
    facts[_STAGE] = _PLAYING
    began = process_time_ns()
    for block in range(blocks):
        start, end = (plan["rounds"] * edge // blocks for edge in (block, block + 1))
        for piece in range(start, end, _PIECE):
            tournament.play(piece, min(piece + _PIECE, end), chips[block])
            facts[_ROUND] = min(piece + _PIECE, end)
    facts[_PLAY_NANOSECONDS] = process_time_ns() - began
    facts[_STAGE] = _DONE


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text()))

"""Measure how fast a bot learns: its share of what the best response wins from rules that it has never seen.

    python -m bots.train.learning                         # gamma, against every rule set: 10 to 20 minutes
    python -m bots.train.learning --rules no-pot bluff-1 --matches 50 --json
    python -m bots.train.learning --rules near-1 --then bluff-1 --after 320 --hands 520

A match is so many hands in games of 20, against one opponent by fixed rules, with nothing known of it before. It is
played twice with the same cards, the seats changed. What the best response wins is computed, not played: it knows the
rules and all that happened in the hand, raises 1 or 10, and is dealt from an endless deck without carried pots.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

from bots.arena import play_game
from bots.strategy import Maker, Strategy, load_maker
from bots.train.rule_reply import best_gain
from bots.train.rule_sets import RULE_SETS, RulePlayer, RuleSet
from protocol.estimates.intervals import Estimate, mean
from protocol.games.blockhead import BlockheadGame
from protocol.shuffle import seed_from_text

GAME = BlockheadGame()


@dataclass(frozen=True)
class Trial:
    """What is played.

    Attributes:
        maker: of the bot that learns.
        rules: of its opponent.
        then: the rules of the opponent from hand ``after`` on, if it changes.
        after: hands, whole games.
        hands: in a match, whole games.
        seed: of cards and chance.
    """

    maker: Maker
    rules: RuleSet
    then: RuleSet | None
    after: int
    hands: int
    seed: str

    def gains(self, number: int) -> list[float]:
        """Chips won in each hand of match ``number``, as the mean of both seatings."""
        both = [self._gains(f"{self.seed}/{self.rules.name}/{number}", seat) for seat in (0, 1)]
        return [fmean(pair) for pair in zip(*both, strict=True)]

    def _gains(self, seed: str, seat: int) -> list[int]:
        bot, gains = self.maker(Random(f"{seed}/{seat}/bot")), []
        opponent = RulePlayer(Random(f"{seed}/{seat}/opponent"), self.rules)
        for first in range(0, self.hands, GAME.hands):
            if self.then and first >= self.after:
                opponent.rules = self.then
            pair: list[Strategy] = [bot, opponent] if seat == 0 else [opponent, bot]
            hands = play_game(GAME, pair, seed_from_text(seed), first + 1)
            gains += [hand.settlement.payoffs[seat] for hand in hands]
        return gains


def windows(trial: Trial) -> list[tuple[int, int]]:
    """The ranges of hands that are reported: first 20, first 100, each 100 after those; anew after a change."""
    starts = [0, trial.after] if trial.then else [0]
    ends = [*starts[1:], trial.hands]
    result = []
    for start, end in zip(starts, ends, strict=True):
        result += [(start, start + 20), (start, start + 100)]
        result += [(at, at + 100) for at in range(start + 100, end, 100)]
        result = [(low, min(high, end) if low >= start else high) for low, high in result]
    return list(dict.fromkeys(result))


def shares(trial: Trial, matches: int) -> list[tuple[int, int, Estimate]]:
    """(first hand, last hand, share of the best response's gain) for each window."""
    best = best_gain(trial.rules)
    best_then = best_gain(trial.then) if trial.then else best
    played = [trial.gains(number) for number in range(matches)]
    result = []
    for low, high in windows(trial):
        share = mean([fmean(gains[low:high]) for gains in played])
        assert share is not None
        result.append((low + 1, high, share.scaled(1 / (best_then if trial.then and low >= trial.after else best))))
    return result


def report(trial: Trial, found: Sequence[tuple[int, int, Estimate]], as_json: bool) -> None:
    """Print one rule set's line."""
    name = f"{trial.rules.name} then {trial.then.name}" if trial.then else trial.rules.name
    if as_json:
        rows = [{"first": low, "last": high, "share": share.as_dict()} for low, high, share in found]
        print(json.dumps({"rules": name, "shares": rows}), flush=True)
        return
    parts = [f"{low}-{high}: {share.value:.0%} ± {100 * (share.high - share.value):.0f}" for low, high, share in found]
    print(f"{name:12}  {'  '.join(parts)}", flush=True)


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="python -m bots.train.learning"
    )
    parser.add_argument("--bot", default="gamma", help="a bot that plays Blockhead (default: gamma)")
    names = [name for name in RULE_SETS if name != "alpha"]
    parser.add_argument(
        "--rules", nargs="+", choices=RULE_SETS, default=names, metavar="NAME", help=", ".join(RULE_SETS)
    )
    parser.add_argument("--then", choices=RULE_SETS, metavar="NAME", help="the rules after a change")
    parser.add_argument("--after", type=int, default=320, help="hands before the change (default: 320)")
    parser.add_argument("--hands", type=int, default=100, help="in a match (default: 100)")
    parser.add_argument("--matches", type=int, default=40, help="each played in both seatings (default: 40)")
    parser.add_argument("--seed", default="learning")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each rule set")
    options = parser.parse_args()
    if options.hands <= 0 or options.hands % GAME.hands or options.after % GAME.hands or options.matches < 2:
        parser.error(f"--hands and --after are multiples of {GAME.hands}, and --matches is at least 2")
    if options.then and not 0 < options.after < options.hands:
        parser.error(f"--hands must be more than the {options.after} hands before the change")
    for name in options.rules:
        print(f"{name}: playing {options.matches} matches ...", file=sys.stderr, flush=True)
        then = RULE_SETS[options.then] if options.then else None
        trial = Trial(load_maker(options.bot), RULE_SETS[name], then, options.after, options.hands, options.seed)
        report(trial, shares(trial, options.matches), options.json)


if __name__ == "__main__":
    main()

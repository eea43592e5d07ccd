"""Opponents that play by fixed rules, as Alpha does, but by other ones: to measure how fast ``gamma`` learns them.

A rule is "with a delta above this and up to that, make this move"; delta is the value of all own cards less the value
of the opponent's up cards. Rules may differ on every street, and from hand to hand by lot (``Mood``).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from bots.strategies.blockhead.blockhead_bot import BlockheadPlayer
from bots.strategies.blockhead.turn_numbers import CALL, FOLD
from protocol.games.base import FOLD as FOLDED
from protocol.games.base import Action, Bet
from protocol.games.blockhead import STREETS, BlockheadTurn, card_value, cards_value

#: No delta is below or above these.
LOWEST, HIGHEST = -50, 50

#: What a player may face: nothing, a check, a small raise, a big one (small: less than 1 + 2 for every 10 chips).
OPEN, CHECKED, SMALL, BIG = range(4)

#: Every ten chips in the pot are one step of the rules; more than these steps are taken for these.
MOST_STEPS = 40


class Row(NamedTuple):
    """One rule: the move for a delta above ``above``, less ``slope`` for every ten chips in the pot, up to ``to``."""

    above: int
    move: int
    slope: int = 0
    to: int = HIGHEST

    def holds(self, delta: int, steps: int) -> bool:
        """Whether the rule names the move for this delta, with so many times ten chips in the pot."""
        return self.above - self.slope * steps < delta <= self.to


#: The rules of a street by what is faced; the first row that holds decides, and no row is a check or a fold.
Sheet = tuple[tuple[Row, ...], tuple[Row, ...], tuple[Row, ...], tuple[Row, ...]]

#: Alpha's rules for the first two streets and for the last.
ALPHA_EARLY: Sheet = (
    (Row(10, 10), Row(5, 5), Row(0, 1)),
    (Row(5, 10, 1), Row(0, 1, 1)),
    (Row(8, 10, 1), Row(-2, 1, 1), Row(-4, CALL, 1)),
    (Row(10, 10, 1), Row(0, 1, 1), Row(-2, CALL, 1)),
)
ALPHA_LAST: Sheet = (
    (Row(10, 10), Row(5, 5)),
    (Row(10, 10, 1),),
    (Row(6, 10, 1), Row(2, CALL)),
    (Row(8, 10, 1), Row(4, CALL)),
)


@dataclass(frozen=True)
class Mood:
    """The rules for the three streets of a hand, and how often a hand is played by them."""

    weight: float
    sheets: tuple[Sheet, Sheet, Sheet]


@dataclass(frozen=True)
class RuleSet:
    """A way to play: one mood, or several of which one is drawn for each hand."""

    name: str
    moods: tuple[Mood, ...]

    def tables(self) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """(weights, moves): moves[mood, street - 1, faced, steps, delta - LOWEST], before raises run out."""
        shape = (len(self.moods), STREETS, 4, MOST_STEPS + 1, HIGHEST - LOWEST + 1)
        moves = np.zeros(shape, np.int8)
        for place in np.ndindex(shape):
            mood, street, faced, steps, delta = place
            rows = self.moods[mood].sheets[street][faced]
            moves[place] = named_move(rows, faced, steps, delta + LOWEST)
        return np.array([mood.weight for mood in self.moods]), moves


def named_move(rows: Iterable[Row], faced: int, steps: int, delta: int) -> int:
    """The move that the first row names that holds; a check or a fold if there is none."""
    for row in rows:
        if row.holds(delta, steps):
            return row.move
    return FOLD if faced >= SMALL else CALL


def faced_by(prior: int | None, steps: int) -> int:
    """OPEN, CHECKED, SMALL or BIG; ``prior`` is None if nobody has acted, else the size of the raise alone."""
    if prior is None:
        return OPEN
    if prior == 0:
        return CHECKED
    return SMALL if prior < 1 + 2 * steps else BIG


class RulePlayer(BlockheadPlayer):
    """Plays by a rule set."""

    default_in: ClassVar = {}
    source = "bots/train: rules to learn from"

    def __init__(self, rng: Random, rules: RuleSet) -> None:
        super().__init__(rng)
        self.rules = rules
        self._mood = rules.moods[0]

    def _answer(self, turn: BlockheadTurn) -> Action:
        if turn.street == 1 and len(turn.bets) < 2:
            (self._mood,) = self.rng.choices(self.rules.moods, [mood.weight for mood in self.rules.moods])
        delta = card_value(turn.hole) + cards_value(turn.up) - cards_value(turn.others[0])
        steps = min(turn.pot // 10, MOST_STEPS)
        faced = faced_by(turn.owed if turn.bets else None, steps)
        move = named_move(self._mood.sheets[turn.street - 1][faced], faced, steps, delta)
        if move == FOLD:
            return FOLDED
        return Bet(turn.owed + (move if turn.max_raise else 0))


ALPHA = RuleSet("alpha", (Mood(1.0, (ALPHA_EARLY, ALPHA_EARLY, ALPHA_LAST)),))


def _each(change: Callable[[Row], Row]) -> tuple[Sheet, Sheet, Sheet]:
    """Alpha's rules, each of them changed."""
    first, second, last = (
        tuple([tuple([change(row) for row in rows]) for rows in sheet]) for sheet in ALPHA.moods[0].sheets
    )
    return cast("tuple[Sheet, Sheet, Sheet]", (first, second, last))


def near_alpha(seed: int, most: int = 3) -> RuleSet:
    """Alpha with each threshold moved by up to ``most``, and a third of the raises of another size, by the seed."""
    chance = Random(seed)

    def change(row: Row) -> Row:
        above = row.above + chance.randint(-most, most)
        other_size = row.move > CALL and chance.random() < 1 / 3
        return row._replace(above=above, move=chance.randint(1, 10) if other_size else row.move)

    return RuleSet(f"near-{seed}", (Mood(1.0, _each(change)),))


def shifted(name: str, by: int) -> RuleSet:
    """Alpha with every threshold moved by as much: bolder below 0, more careful above."""
    return RuleSet(name, (Mood(1.0, _each(lambda row: row._replace(above=row.above + by))),))


def without_pot(name: str, steps: int = 3) -> RuleSet:
    """Alpha that does not look at the pot: its thresholds with so many times ten chips in it."""
    return RuleSet(name, (Mood(1.0, _each(lambda row: row._replace(above=row.above - steps * row.slope, slope=0))),))


#: Raises 10 with everything.
WILD: Sheet = ((Row(LOWEST - 1, 10),),) * 4
#: Checks, and stays in a hand with good cards only.
GIVES_UP: Sheet = ((), (), (Row(6, CALL),), (Row(6, CALL),))
#: Raises with the best and with the worst cards, and checks or calls with the rest.
TWO_ENDED: Sheet = (
    (Row(6, 10), Row(LOWEST - 1, 10, 0, -4)),
    (Row(6, 10), Row(LOWEST - 1, 10, 0, -4)),
    (Row(6, 10), Row(-4, CALL)),
    (Row(8, 10), Row(-1, CALL)),
)
#: Never raises.
QUIET: Sheet = ((), (), (Row(-3, CALL),), (Row(-1, CALL),))


def _rules(name: str, first: Sheet, second: Sheet, last: Sheet) -> RuleSet:
    return RuleSet(name, (Mood(1.0, (first, second, last)),))


#: Rules near Alpha's.
NEAR = (
    *(near_alpha(seed) for seed in range(1, 7)),
    shifted("bold", -3),
    shifted("careful", 3),
    without_pot("no-pot"),
)

#: Players that bluff on one street, or in some hands, and give up later.
BLUFFERS = (
    _rules("bluff-1", WILD, GIVES_UP, GIVES_UP),
    _rules("bluff-2", QUIET, TWO_ENDED, GIVES_UP),
    _rules("bluff-3", QUIET, QUIET, TWO_ENDED),
    RuleSet("moods", (Mood(0.4, (WILD, GIVES_UP, GIVES_UP)), Mood(0.6, ALPHA.moods[0].sheets))),
)

#: All of them, by name.
RULE_SETS = {rules.name: rules for rules in (ALPHA, *NEAR, *BLUFFERS)}

"""Tables that the kernel reads: kinds of players, win rates, and the own later play in loops.

A kind of players says how often each folds, calls and raises with what cards.

Most are the players of the house's sources, whose rules are known: Casino Royale, Cornell Hold'em, and yardsticks. The
last ones are wider, for players of other kinds. Which kind an opponent is must be learnt from its play. What
they look at and how much they raise is in ``ring_kernel.plan``; how often, by what they see, is here, as curves.

``POWER``, what ``simple`` sees, is 0 for low cards, 1 for a high card and 2 for a pair before the flop. Later it is 0
for high cards, 1 for a pair, 2 for two pair, 3 for better, and 3 more where the board has it too.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from math import erf, sqrt
from pathlib import Path
from typing import NamedTuple

from bots.strategies.holdem import cornell, equity, royale
from bots.strategies.holdem.chart import WORST
from bots.strategies.holdem.ring_kernel import (
    CAREFUL,
    EQUITY,
    EVEN,
    KIND_COUNT,
    MOST_IN_LOOPS,
    MOST_RIVALS,
    PRICE,
    RIVER,
    ROWS,
    SIMPLE,
    SKLANSKY,
    STEPS,
    TIGHT,
    WIDTH,
    Floats,
    Ints,
    floats,
    ints,
)

#: How far a win rate may be from what is known of it, mostly since 200 roll-outs do not tell it better.
BLUR = 0.04
#: A raise by these is worth so many more rivals, to who has to answer it.
_RESPECT = {SIMPLE: 1, TIGHT: 7, EQUITY: 1, PRICE: 2}
#: They mostly fold to a bet once they have not bet themselves.
_GIVES_UP = frozenset({CAREFUL, EVEN, SKLANSKY, TIGHT})

#: By what is seen: how often it raises, and how often it raises or calls.
Limits = Sequence[tuple[float, float]]


class Ask(NamedTuple):
    """What a player is faced with when it acts.

    Attributes:
        street: from 1.
        rivals: the others who have not folded.
        owed: chips to stay.
        stack: chips in front of it.
        least: chips of the smallest raise; 0 if it may not raise.
        most: chips of the largest raise.
        asked: how often it has been asked on the street, this time included.
    """

    street: int
    rivals: int
    owed: int
    pot: int
    stack: int
    least: int
    most: int
    asked: int


def _above(value: float, threshold: float) -> float:
    """The chance that what looks like ``value`` is above the threshold."""
    return 0.5 * (1 + erf((value - threshold) / (BLUR * sqrt(2))))


#: The win rates, or places, in the middle of the steps.
_RATES = [(step + 0.5) / STEPS for step in range(STEPS)]


def _above_by_step(threshold: float) -> list[float]:
    return [_above(rate, threshold) for rate in _RATES]


def _by_guts(first: bool, bold: float) -> Limits:
    """``rollout-1`` to ``rollout-10``."""
    tries = 1 - (1 - bold) ** 2 if first else bold
    limits = []
    for rate in _RATES:
        often, fair = _above(rate, 0.4), _above(rate, 0.3)
        wild = (_above(rate, 0.1) - fair) * bold if first else 0.0
        limits.append((often + (fair - often) * tries + wild, fair + wild))
    return limits


#: ``sklansky`` before the flop.
_BY_GROUP: Limits = [(float(group <= 3), float(group <= 6)) for group in range(WORST + 1)]
#: ``simple`` before the flop, and later.
_SIMPLE_FIRST: Limits = [(0.25, 0.25 + 0.75 * 0.33), (0.0, 1.0), (1.0, 1.0)]
_PAIR: tuple[float, float] = (0.25 * 0.66, 0.75 + 0.25 * 0.66)
_SIMPLE_LATER: Limits = [(0, 0), _PAIR, (0, 1), (1, 1), (_PAIR[0] / 2, _PAIR[1] / 2), (0, 0.5), (0.5, 0.5)]
#: ``tight`` with weak, fair and strong cards: raises with strong ones, and calls small bets with fair ones.
_BY_CHART: Limits = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0)]


def _by_quality(first: bool, good: tuple[float, float], fair: tuple[float, float], bad: tuple[float, float]) -> Limits:
    """What a player does with good, fair and bad cards, as limits by group before the flop and by win rate later."""
    if first:
        return [
            good if group <= cornell.GOOD_GROUP else fair if group <= cornell.FAIR_GROUP else bad
            for group in range(WORST + 1)
        ]
    limits = []
    for rate in _RATES:
        is_good, is_fair = _above(rate, cornell.GOOD), _above(rate, cornell.FAIR)
        shares = (is_good, is_fair - is_good, 1 - is_fair)
        raises, stays = (
            sum(share * moves[column] for share, moves in zip(shares, (good, fair, bad), strict=True))
            for column in (0, 1)
        )
        limits.append((raises, stays))
    return limits


_CALLS = (0.0, 1.0)


def _by_size(first: bool) -> list[Limits]:
    """``cornell``, where nothing, little, a medium bet and a large one is owed."""
    _, fair_raises, good_raises = cornell.RAISES
    bad, fair, good = ((often, 1.0) for often in (cornell.BETS_FIRST if first else cornell.BETS_LATER))
    large = (0.0, cornell.CALLS_LARGE)
    return [
        _by_quality(first, good, fair, bad),
        _by_quality(first, _CALLS, _CALLS, _CALLS),
        _by_quality(first, (good_raises, 1.0), (fair_raises, 1.0), (0.0, cornell.BAD_CALLS)),
        _by_quality(first, large, large, large),
    ]


def _rows() -> Iterable[Sequence[float]]:
    """The curves, in the order of the rows in ``ring_kernel``."""
    yield [0.0] * WIDTH
    yield [1.0] * WIDTH
    pairs = [
        *[_by_guts(first, royale.BOLDEST * guts / royale.MOST_GUTS) for guts in (1, 5, 10) for first in (False, True)],
        *(_BY_GROUP, _SIMPLE_FIRST, _SIMPLE_LATER),
        *[limits for first in (False, True) for limits in _by_size(first)],
    ]
    for limits in pairs:
        yield [raises for raises, _ in limits]
        yield [stays for _, stays in limits]
    yield [raises for raises, _ in _BY_CHART]
    yield [stays for _, stays in _BY_CHART]
    for share in (1 / 3, 2 / 3, 0.25, 0.6):
        yield [share] * WIDTH
    for part in (equity.RAISES, 1.6):
        for rivals in range(MOST_RIVALS + 1):
            yield _above_by_step(part / (rivals + 1))
    for step in range(2 * STEPS):
        yield _above_by_step(step / STEPS)


@cache
def curves() -> Floats:
    """How often something is done, by row and what is seen, ``WIDTH`` numbers a row."""
    rows = [[*row, *[0.0] * (WIDTH - len(row))] for row in _rows()]
    assert len(rows) == ROWS
    return floats(number for row in rows for number in row)


@cache
def respect() -> Ints:
    """By kind: how many more rivals its raise is worth."""
    return ints(_RESPECT.get(kind, 0) for kind in range(KIND_COUNT))


@cache
def gives_up() -> Ints:
    """By kind: whether it mostly folds to a bet once it has not bet itself."""
    return ints(kind in _GIVES_UP for kind in range(KIND_COUNT))


#: By street before the river: the mean of the place at the end, as a polynomial of the place now, and how narrow the
#: distribution of places is, as another.
_MEAN = {2: (0.25, 0.20, 0.45), 3: (0.15, 0.55, 0.25)}
_NARROW = {2: (1.0, 9.0), 3: (1.0, 20.0)}


def chance(place: float, street: int, rivals: int) -> float:
    """The share of the pot that cards win on average from the flop on, against so many rivals with any cards.

    Their place among all hole cards now, from 0 (worst) to 1, tells something of their place when the board is
    complete. That is taken as drawn from a beta distribution, whose mean and spread were fitted to roll-outs of random
    cards. Cards with the place ``s`` at the end beat ``k`` others with the chance ``s ** k``, so the chance is a moment
    of that distribution.
    """
    if street == RIVER:
        return place**rivals
    (first, second, third), (base, slope) = _MEAN[street], _NARROW[street]
    mean, narrow = first + second * place + third * place * place, base + slope * place
    share = 1.0
    for count in range(rivals):
        share *= (mean * narrow + count) / (narrow + count)
    return share


@cache
def rates() -> Floats:
    """By street, number of others and step of a place among any cards: the win rate."""
    return floats(
        rate
        for street in range(RIVER + 1)
        for rivals in range(MOST_RIVALS + 1)
        for rate in ([chance(place, street, rivals) for place in _RATES] if street > 1 else [0.0] * STEPS)
    )


#: Written by ``python -m bots.train.loop_places``: from which place among all cards the own play calls and raises later
#: in a hand where betting goes in loops.
#:
#: A line is a situation, see ``ring_kernel.situation``: before and after the flop; in each of these, nothing, little
#: and much owed; in each of those, no rival that goes by its cards has raised, one has, several have. A line has two
#: places against one rival, two, three, and four or more: from which it calls, and from which it raises. Places are
#: counted in parts of ``ring_kernel.PLACES``.
PATH = Path(__file__).with_name("loop_places.txt")
SITUATIONS = 18
#: Places of a situation.
LOOP_WIDTH = 2 * MOST_IN_LOOPS


@cache
def loop_places() -> Ints:
    """All places, line by line."""
    return ints(int(word) for word in PATH.read_text("ascii").split())

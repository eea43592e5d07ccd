"""Kinds of players at a no-limit table: how often each folds, calls and raises with what cards, and how much it raises.

Most are the players of the house's sources, whose rules are known: Casino Royale, Cornell Hold'em, and yardsticks. The
last ones are wider, for players who are none of those. Which kind an opponent is must be learnt from its play.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import erf, sqrt
from typing import NamedTuple

from bots.strategies.holdem import cornell, equity, royale
from bots.strategies.holdem.starting_hands import WORST
from bots.strategies.tight import FAIR_SHARE

#: What cards are looked at: nothing, the win rate against so many others (their number), the chart of ``tight``, what
#: ``simple`` sees in them, and the group of starting hands.
NOTHING, CHART, POWER, GROUP = 0, 10, 11, 12
MOST_RIVALS = CHART - 1
#: Win rates are told apart in so many steps.
STEPS = 40
#: Values of ``CHART``.
WEAK, FAIR, STRONG = range(3)
#: Values of ``POWER``: before the flop for low cards, a high card, a pair; then for high cards alone, a pair, two pair
#: and better, and SHARED more where the board has it too.
LOW, HIGH, POCKET_PAIR = range(3)
SHARED = 3
#: How far a win rate may be from what is known of it, mostly since 200 roll-outs do not tell it better.
BLUR = 0.04
#: Raises by ``maniac`` and ``random``, which are less than the least raise.
TINY = 10

#: By value of what is looked at: how often it raises, and how often it raises or calls.
Limits = Sequence[tuple[float, float]]


class Ask(NamedTuple):
    """What a player is faced with when it acts.

    Attributes:
        street: from 1.
        rivals: the others who have not folded.
        owed: chips to stay.
        pot: all chips put in.
        stack: chips in front of it.
        least: chips of the smallest raise; 0 if it may not raise.
        asked: how often it has been asked on the street, this time included.
    """

    street: int
    rivals: int
    owed: int
    pot: int
    stack: int
    least: int
    asked: int


class Plan(NamedTuple):
    """What a kind of player does when it is asked.

    Attributes:
        looks_at: what of its cards, one of the constants above.
        limits: by value of that.
        low: chips put in by its smallest raise, before the rules bound it.
        high: chips put in by its largest one.
    """

    looks_at: int
    limits: Limits
    low: int
    high: int


def _above(value: float, threshold: float) -> float:
    """The chance that what looks like ``value`` is above the threshold."""
    return 0.5 * (1 + erf((value - threshold) / (BLUR * sqrt(2))))


def _rates() -> list[float]:
    """The win rates in the middle of the steps."""
    return [(step + 0.5) / STEPS for step in range(STEPS)]


@cache
def _two_thresholds(raises: float, calls: float) -> Limits:
    """Raises with a win rate above the first, calls above the second."""
    return [(_above(rate, raises), _above(rate, min(raises, calls))) for rate in _rates()]


@cache
def _bold_limits(first: bool, bold: float) -> Limits:
    tries = 1 - (1 - bold) ** 2 if first else bold
    limits = []
    for rate in _rates():
        often, fair = _above(rate, 0.4), _above(rate, 0.3)
        wild = (_above(rate, 0.1) - fair) * bold if first else 0.0
        limits.append((often + (fair - often) * tries + wild, fair + wild))
    return limits


def _roll_out(ask: Ask, bold: float) -> Plan:
    """``rollout-1`` to ``rollout-10``."""
    chips = ask.owed + royale.RAISE
    return Plan(ask.rivals, _bold_limits(ask.street == 1, bold), chips, chips)


_BY_GROUP: Limits = [(float(group <= 3), float(group <= 6)) for group in range(WORST + 1)]


def _sklansky(ask: Ask) -> Plan:
    if ask.street > 1:
        return _roll_out(ask, royale.Sklansky.guts / royale.MOST_GUTS / 2)
    return Plan(GROUP, _BY_GROUP, ask.owed + royale.RAISE, ask.owed + royale.RAISE)


#: ``simple`` before the flop: with low cards, a high card, a pair.
_SIMPLE_FIRST: Limits = [(0.25, 0.25 + 0.75 * 0.33), (0.0, 1.0), (1.0, 1.0)]
_PAIR: tuple[float, float] = (0.25 * 0.66, 0.75 + 0.25 * 0.66)
#: ... and later: with high cards, a pair, two pair, better; then the same where the board has it too.
_SIMPLE_LATER: Limits = [(0, 0), _PAIR, (0, 1), (1, 1), (_PAIR[0] / 2, _PAIR[1] / 2), (0, 0.5), (0.5, 0.5)]


def _simple(ask: Ask) -> Plan:
    chips = ask.owed + royale.RAISE
    return Plan(POWER, _SIMPLE_FIRST if ask.street == 1 else _SIMPLE_LATER, chips, chips)


def _by_quality(street: int, good: tuple[float, float], fair: tuple[float, float], bad: tuple[float, float]) -> Limits:
    """What a player does with good, fair and bad cards, as limits by group before the flop and by win rate later."""
    if street == 1:
        return [
            good if group <= cornell.GOOD_GROUP else fair if group <= cornell.FAIR_GROUP else bad
            for group in range(WORST + 1)
        ]
    limits = []
    for rate in _rates():
        is_good, is_fair = _above(rate, cornell.GOOD), _above(rate, cornell.FAIR)
        shares = (is_good, is_fair - is_good, 1 - is_fair)
        limits.append(
            (
                sum(share * moves[0] for share, moves in zip(shares, (good, fair, bad), strict=True)),
                sum(share * moves[1] for share, moves in zip(shares, (good, fair, bad), strict=True)),
            )
        )
    return limits


_CALLS, _RAISES, _FOLDS = (0.0, 1.0), (1.0, 1.0), (0.0, 0.0)


@cache
def _cornell_limits(street: int, price: int) -> Limits:
    match price:
        case 0:
            return _by_quality(street, _RAISES, (cornell.Cornell.bluffs, 1.0), _CALLS)
        case 1:
            return _by_quality(street, _CALLS, _CALLS, _CALLS)
        case 2:
            return _by_quality(street, _RAISES, _CALLS, _FOLDS)
    large = (0.0, cornell.CALLS_LARGE)
    return _by_quality(street, _CALLS, large, large)


def _cornell(ask: Ask) -> Plan:
    part = ask.owed / ask.stack
    price = 0 if not ask.owed else 1 if part <= cornell.SMALL else 2 if part < cornell.LARGE else 3
    low, high = ask.stack * cornell.FAIR_BET[0], ask.stack * cornell.GOOD_BET[1]
    limits = _cornell_limits(1 if ask.street == 1 else 2, price)
    return Plan(GROUP if ask.street == 1 else ask.rivals, limits, ask.owed + int(low), ask.owed + int(high))


_BY_CHART = {
    (raises, calls): [_FOLDS, _CALLS if calls else _FOLDS, _RAISES if raises else _CALLS]
    for raises in (False, True)
    for calls in (False, True)
}


def _tight(ask: Ask) -> Plan:
    chips = 2 * ask.owed + ask.pot
    limits = _BY_CHART[ask.asked <= 2, ask.owed <= ask.pot / FAIR_SHARE]
    return Plan(CHART, limits, chips, chips)


def _by_price(ask: Ask, raises: float, margin: float, part: float, most: float) -> Plan:
    """Raises a part of the pot, from a share of the pot above an equal one, and calls above the price."""
    price = ask.owed / (ask.pot + ask.owed) + margin if ask.owed else 0.0
    pot = ask.pot + ask.owed
    limits = _two_thresholds(raises / (ask.rivals + 1), round(price * STEPS) / STEPS)
    return Plan(ask.rivals, limits, ask.owed + max(1, int(pot * part)), ask.owed + max(1, int(pot * most)))


def _any_cards(ask: Ask, raises: float, calls: float, times: int = 10**6, tiny: bool = True) -> Plan:
    limits = [(raises if ask.asked <= times else 0.0, raises + calls)]
    return Plan(NOTHING, limits, ask.owed + TINY, ask.owed + TINY if tiny else ask.stack)


#: All kinds of players.
KINDS: tuple[Callable[[Ask], Plan], ...] = (
    partial(_roll_out, bold=0.05),
    partial(_roll_out, bold=0.25),
    partial(_roll_out, bold=0.5),
    _sklansky,
    _simple,
    _cornell,
    _tight,
    partial(_any_cards, raises=0.0, calls=1.0),
    partial(_any_cards, raises=1.0, calls=0.0, times=3),
    partial(_any_cards, raises=1 / 3, calls=1 / 3),
    partial(_by_price, raises=equity.RAISES, margin=equity.MARGIN, part=2 / 3, most=2 / 3),
    partial(_by_price, raises=1.6, margin=0.12, part=0.4, most=1.2),
    partial(_any_cards, raises=0.25, calls=0.35, tiny=False),
)
#: By kind: how many more rivals its raise is worth, to who has to answer it.
RESPECT = (0, 0, 0, 0, 1, 0, 7, 0, 0, 0, 1, 2, 0)
#: Kinds that look at no cards.
BLIND = frozenset({7, 8, 9, 12})
#: Kinds that mostly fold to a bet once they have not bet themselves.
GIVE_UP = frozenset({0, 1, 3, 6})
#: How often a player is taken to do what its kind does not explain, so that no kind is ever ruled out.
SLIP = 0.012
#: How likely a raise of a size is that a kind does not make.
ODD_SIZE = 0.001


def likelihoods(kind: int, ask: Ask, chips: int | None) -> tuple[int, list[float]]:
    """What a kind looks at, and by value of that how likely it is to put in so many chips; None is a fold.

    Args:
        kind: of the player, an index of ``KINDS``.
        ask: what it is faced with.
        chips: put in.
    """
    plan = KINDS[kind](ask)
    if chips is None:
        often = [1 - stays for _, stays in plan.limits]
    elif chips <= ask.owed:
        # who may not fold or raise, calls
        often = [(stays if ask.owed else 1.0) - (raises if ask.least else 0.0) for raises, stays in plan.limits]
    else:
        low, high = (min(max(size, ask.least), ask.stack) for size in (plan.low, plan.high))
        size = 1 / (high - low + 1) if low <= chips <= high else ODD_SIZE
        return plan.looks_at, [(SLIP / 3 + (1 - SLIP) * raises) * size for raises, _ in plan.limits]
    return plan.looks_at, [SLIP / 3 + (1 - SLIP) * share for share in often]

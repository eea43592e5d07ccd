"""Habits of players: how often each folds, calls and raises with cards of any place, as amateurs' programs do.

A habit is a kind of player, not a certain one. The kinds are those of the house's sources: players who compare their
win rate with fixed thresholds, more or less boldly (Casino Royale), who go by a chart of starting hands (Sklansky and
Malmuth), by what they hold (Casino Royale's first player), or by the size of a bet (Cornell Hold'em), and players who
look at no cards. Which kind an opponent is must be learnt from its play.
"""

from collections.abc import Callable
from functools import cache, partial
from math import erf, sqrt
from typing import NamedTuple

from bots.strategies.holdem.chances import STEPS, chances

#: What a player can do, and its place in ``Table`` entries.
FOLD, CALL, RAISE = range(3)

#: A bet is small up to the first part of the own stack, and large from the second one.
SMALL, LARGE = 0.04, 0.2
#: Prices: nothing owed, a small bet, a medium one, a large one.
FREE, CHEAP, MEDIUM, DEAR = range(4)

#: How often a player is taken to do what its habit does not explain, so that no kind is ever ruled out.
SLIP = 0.04
#: By street: how far a win rate differs from what the place alone tells.
_BLUR = (0.0, 0.03, 0.08, 0.06, 0.04)

#: The places in the middle of the steps.
_PLACES = tuple((step + 0.5) / STEPS for step in range(STEPS))

#: By step of the place: how often a player folds, calls and raises.
Table = tuple[tuple[float, float, float], ...]


class Spot(NamedTuple):
    """What a player is faced with when it acts.

    Attributes:
        street: from 1.
        rivals: the others who have not folded.
        price: what it owes, as one of the prices.
        last: whether it may not raise.
    """

    street: int
    rivals: int
    price: int
    last: bool


def price_of(owed: int, stack: int) -> int:
    """The kind of price that ``owed`` chips are for a stack."""
    if not owed:
        return FREE
    return CHEAP if owed <= SMALL * stack else DEAR if owed >= LARGE * stack else MEDIUM


def _above(value: float, threshold: float, blur: float) -> float:
    """The chance that what looks like ``value`` is above the threshold."""
    return 0.5 * (1 + erf((value - threshold) / (blur * sqrt(2))))


def _by_win_rate(spot: Spot, bold: float) -> list[tuple[float, float]]:
    """Raises above 40 % and calls above 30 %; as often as it is ``bold``, raises from 30 %, at first from 10 %."""
    first, blur = spot.street == 1, _BLUR[spot.street]
    tries = 1 - (1 - bold) ** 2 if first else bold
    moves = []
    for rate in chances(spot.street, spot.rivals):
        often, fair = _above(rate, 0.4, blur), _above(rate, 0.3, blur)
        wild = (_above(rate, 0.1, blur) - fair) * bold if first else 0.0
        moves.append((often + (fair - often) * tries + wild, (fair - often) * (1 - tries)))
    return moves


def _by_chart(spot: Spot) -> list[tuple[float, float]]:
    """Raises the best 7 % of starting hands and calls with the best quarter; later goes by win rates."""
    if spot.street > 1:
        return _by_win_rate(spot, 0.25)
    moves = []
    for place in _PLACES:
        raises = _above(place, 0.93, 0.05)
        moves.append((raises, (1 - raises) * _above(place, 0.76, 0.15)))
    return moves


def _by_cards(spot: Spot) -> list[tuple[float, float]]:
    """At first raises pairs and calls with high cards; later calls with a pair and raises better cards.

    With less it raises and calls now and then at first, and seldom later.
    """
    moves = []
    for place in _PLACES:
        if spot.street == 1:
            pair, tall = 0.05 + 0.25 * _above(place, 0.85, 0.1), _above(place, 0.38, 0.12)
            raises, calls = pair + (1 - pair) * (1 - tall) * 0.25, (1 - pair) * (tall + (1 - tall) * 0.25)
        else:
            best, pair = _above(place, 0.96, 0.03), _above(place, 0.55, 0.12)
            raises, calls = best + (1 - best) * pair * 0.15, (1 - best) * (pair * 0.75 + (1 - pair) * 0.08)
        moves.append((raises, calls))
    return moves


def _by_price(spot: Spot) -> list[tuple[float, float]]:
    """Calls small bets always and large ones often; bets with good cards, and now and then with fair ones."""
    moves = []
    for place, rate in zip(_PLACES, chances(spot.street, spot.rivals), strict=True):
        if spot.street == 1:
            good, fair = _above(place, 0.93, 0.05), _above(place, 0.76, 0.15)
        else:
            good, fair = (_above(rate, edge, _BLUR[spot.street]) for edge in (0.65, 0.45))
        bets = good + max(0.0, fair - good) * 0.3
        moves.append(
            {
                FREE: (bets, 1 - bets),
                CHEAP: (0.0, 1.0),
                MEDIUM: (good, max(0.0, fair - good)),
                DEAR: (0.0, good + (1 - good) * 0.7),
            }[spot.price]
        )
    return moves


def _any_cards(spot: Spot, raises: float, calls: float) -> list[tuple[float, float]]:
    return [(raises, calls)] * STEPS


#: All kinds of players.
KINDS: tuple[Callable[[Spot], list[tuple[float, float]]], ...] = (
    partial(_by_win_rate, bold=0.05),
    partial(_by_win_rate, bold=0.25),
    partial(_by_win_rate, bold=0.5),
    _by_chart,
    _by_cards,
    _by_price,
    partial(_any_cards, raises=0.0, calls=1.0),
    partial(_any_cards, raises=0.95, calls=0.05),
    partial(_any_cards, raises=0.35, calls=0.35),
)


@cache
def moves_of(kind: int, spot: Spot) -> Table:
    """How a kind of player acts, by step of its cards' place; a fold is a check where nothing is owed."""
    return tuple([(max(0.0, 1 - raises - calls), calls, raises) for raises, calls in KINDS[kind](spot)])


def _expected(often: float) -> float:
    return SLIP / 3 + (1 - SLIP) * often


@cache
def table_of(kind: int, spot: Spot) -> Table:
    """What is to be expected of a player of a kind: as ``moves_of``, but now and then it does anything."""
    entries = [(_expected(folds), _expected(calls), _expected(raises)) for folds, calls, raises in moves_of(kind, spot)]
    if spot.price == FREE:
        entries = [(0.0, folds + calls, raises) for folds, calls, raises in entries]
    if spot.last:
        entries = [(folds, calls + raises, 0.0) for folds, calls, raises in entries]
    return tuple(entries)

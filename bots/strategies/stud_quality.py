"""How good each hole card looks at a table, to a player who knows nothing of the others' hole cards.

The *quality* of a hole card is the part of the pot that it wins on average against random hole cards, times the number
of seats, so that the average is 1. It is computed for every seat: a rival's bets tell which qualities it may have.
Each seat's cards are taken as drawn from the same deck, which makes the average a quarter too high with 17 seats.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

from bots.strategies.stud_street_one import LADDERS, RANKS, Kinds, by_rank
from protocol.cards import Rank
from protocol.games.ranks import THREE_CARD_STRENGTHS

#: The ranks of a seat's up cards, one on street 1, two on street 2.
Up = tuple[int, ...]


def qualities(ups: Sequence[Up], unseen: Kinds) -> list[Kinds]:
    """The quality of each kind of hole card, for each seat.

    Args:
        ups: of each seat in the hand, all with one card or all with two.
        unseen: cards left by kind, as we see it.
    """
    seats, left = len(ups), by_rank(unseen)
    behind = {up: _behind(up, left) for up in set(ups)}
    spades = _highest_spade(seats, unseen)
    by_up = {}
    for up, others in _others(ups).items():
        chances = _next_card(up, _best(up, others, behind), left)
        plain = [seats / 2 * chance * (1 + spades[0]) for chance in chances]
        by_up[up] = plain + [seats / 2 * (chance + best) for chance, best in zip(chances, spades[1:], strict=True)]
    return [by_up[up] for up in ups]


def _others(ups: Sequence[Up]) -> dict[Up, Counter[Up]]:
    """For each up cards, those of all other seats and how often they come."""
    return {up: Counter(ups) - Counter([up]) for up in set(ups)}


def _highest_spade(seats: int, unseen: Kinds) -> list[float]:
    """The chance that no other seat has a spade in the hole; and by rank that none has a higher one."""
    total = sum(unseen)
    above = [*accumulate(reversed(unseen[RANKS:]), initial=0.0)][::-1]
    return [max(0.0, 1 - spades / total) ** (seats - 1) for spades in above]


def _rungs(up: Up) -> list[int]:
    """The strengths that a seat may end with, weakest first."""
    return LADDERS[up[0]].strengths if len(up) == 1 else _HOLES[up]


def _behind(up: Up, left: Sequence[float]) -> list[float]:
    """The chance that a seat ends with less, for each place on its ladder: see ``_places``. A tie counts half."""
    if len(up) == 1:
        pairs = LADDERS[up[0]].pairs
        ways = [left[one] * (left[other] if one != other else (left[one] - 1) / 2) for one, other in pairs]
    else:
        ways = [left[rank] for rank in _ORDER[up]]
    below = [*accumulate(ways, initial=0.0)]
    return [(below[place // 2] + below[(place + 1) // 2]) / 2 / below[-1] for place in range(2 * len(ways) + 1)]


@cache  # for two up cards each, 28,561 pairs of 13 places
def _places(up: Up, other: Up) -> list[int]:
    """Where each strength of ``up`` stands on the ladder of ``other``: 2 k + 1 on rung k, 2 k below it."""
    ladder = _rungs(other)
    return [bisect_left(ladder, strength) + bisect_right(ladder, strength) for strength in _rungs(up)]


def _best(up: Up, others: Counter[Up], behind: dict[Up, list[float]]) -> list[float]:
    """For each strength of ``up``, the chance that nobody else has more."""
    best = [1.0] * len(_rungs(up))
    for other, seats in others.items():
        faced = behind[other]
        best = [chance * faced[place] ** seats for chance, place in zip(best, _places(up, other), strict=True)]
    return best


def _next_card(up: Up, best: Sequence[float], left: Sequence[float]) -> list[float]:
    """The chance of the best hand by rank of the hole card, over all next cards on street 1."""
    chances = [0.0] * RANKS
    if len(up) == 2:
        for rank, chance in zip(_ORDER[up], best, strict=True):
            chances[rank] = chance
        return chances
    total = sum(left)
    for (one, other), chance in zip(LADDERS[up[0]].pairs, best, strict=True):
        chances[one] += chance * left[other] / total
        if one != other:
            chances[other] += chance * left[one] / total
    return chances


_UPS: list[Up] = [(first, second) for first in Rank for second in Rank]
#: For two ranks up: the hole cards, weakest first (0 is a two), and the strengths that they make.
_ORDER = {up: sorted(range(RANKS), key=lambda hole: THREE_CARD_STRENGTHS[up[0], up[1], hole + Rank.TWO]) for up in _UPS}
_HOLES = {up: [THREE_CARD_STRENGTHS[up[0], up[1], hole + Rank.TWO] for hole in _ORDER[up]] for up in _UPS}

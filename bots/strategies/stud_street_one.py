"""Street 1: two hidden cards a rival, and our own next one.

The 91 pairs of ranks that can join a rival's up card are the rungs of a ladder, weakest first. Each of our next
cards stands somewhere on that ladder, and the ways to the rungs above it are the rival's ways to beat us.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, combinations_with_replacement
from operator import add, mul
from typing import NamedTuple

from protocol.cards import Rank
from protocol.games.ranks import THREE_CARD_STRENGTHS

RANKS = len(Rank)
#: A weight below which there is no card left.
NOTHING = 1e-12

#: One number for each kind of card: ranks 0-12 of the plain suits, then of spades.
Kinds = list[float]

#: That a rival is gone or behind us, and that it ties.
Chances = tuple[float, float]


class _Ladder(NamedTuple):
    """The hands that two more cards can make of one card, weakest first.

    Attributes:
        strengths: the strength on each of the 91 rungs.
        pairs: the two ranks that make it, 0 for a two.
        places: for each rank the rungs it is part of, in order; twice the rung where it comes twice.
        doubles: for each rank that rung.
    """

    strengths: list[int]
    pairs: list[tuple[int, int]]
    places: list[list[int]]
    doubles: list[int]


def _ladder(up: int) -> _Ladder:
    pairs = combinations_with_replacement(range(RANKS), 2)
    rungs = sorted((THREE_CARD_STRENGTHS[up, one + Rank.TWO, other + Rank.TWO], (one, other)) for one, other in pairs)
    pairs_in_order = [pair for _, pair in rungs]
    places = [[place for place, (_, pair) in enumerate(rungs) for one in pair if one == rank] for rank in range(RANKS)]
    return _Ladder(
        [strength for strength, _ in rungs],
        pairs_in_order,
        places,
        [pairs_in_order.index((rank, rank)) for rank in range(RANKS)],
    )


#: For each rank up: what it can become.
LADDERS: dict[int, _Ladder] = {rank: _ladder(rank) for rank in Rank}


def by_next_card(
    rivals: Sequence[tuple[tuple[int, ...], Kinds, Kinds]], mine: Sequence[int], unseen: Kinds
) -> list[tuple[Chances, ...]]:
    """By rank of our next card: for each rival the chances that it is gone or behind us, and that it ties.

    Args:
        rivals: of each its up card's rank, and by kind how likely it holds a card and stays with it.
        mine: the strength that each rank of our next card gives us.
        unseen: cards left by kind.
    """
    left = by_rank(unseen)
    chances = [count / sum(left) for count in left]
    # Our next card is one that no rival can have: of the cards of its rank, one in so many is lost.
    lost = [1 / count if count else 0.0 for count in left]
    total, columns = sum(left), []
    for (up, *_), held, stays in rivals:
        ladder = LADDERS[up]
        weaker = [bisect_left(ladder.strengths, strength) for strength in mine]
        ties = [strength in ladder.strengths[rung : rung + 1] for strength, rung in zip(mine, weaker, strict=True)]
        cards, ways = _ways(held, stays, ladder, unseen, lost)
        column = _facing(ladder, weaker, ties, cards, ways, lost, sum(unseen) * (1 - 2 / total))
        columns.append(column)
        # The stronger we are, the likelier we are to have got past this rival.
        chances = [chance * behind for chance, (behind, _) in zip(chances, column, strict=True)]
        unseen = _without(_harmless(ladder, cards, ways, weaker, chances, unseen), unseen)
    return list(zip(*columns, strict=True))


def times(one: Kinds, other: Kinds) -> Kinds:
    """The products of two numbers by kind."""
    return list(map(mul, one, other))


def by_rank(kinds: Sequence[float]) -> list[float]:
    """Numbers by kind, spades and others added up by rank."""
    return list(map(add, kinds[:RANKS], kinds[RANKS:]))


def _ways(
    held: Kinds, stays: Kinds, ladder: _Ladder, unseen: Kinds, lost: Sequence[float]
) -> tuple[list[float], list[float]]:
    """The weight of each rank in the hole; and of each rung of the ladder, with a rival who stays."""
    cards = times(unseen, held)
    left, there = by_rank(unseen), by_rank(times(cards, stays))
    ways = [there[one] * left[other] + there[other] * left[one] for one, other in ladder.pairs]
    for rank, rung in enumerate(ladder.doubles):
        ways[rung] *= (1 - lost[rank]) / 2
    return by_rank(cards), ways


def _facing(
    ladder: _Ladder,
    weaker: Sequence[int],
    ties: Sequence[bool],
    cards: Sequence[float],
    ways: Sequence[float],
    lost: Sequence[float],
    next_cards: float,
) -> list[Chances]:
    """By rank of our next card: the chances that the rival is gone or behind us, and that it ties."""
    holes, below = sum(cards), list(accumulate(ways, initial=0.0))
    found = []
    for rank, rung in enumerate(weaker):
        places, everything = ladder.places[rank], (holes - cards[rank] * lost[rank]) * next_cards
        if everything <= NOTHING:
            found.append((0.0, 0.0))
            continue
        impossible = sum(map(ways.__getitem__, places[bisect_left(places, rung) :])) * lost[rank]
        tied = ways[rung] * (1 - places.count(rung) * lost[rank]) if ties[rank] else 0.0
        found.append((1 - (below[-1] - below[rung] - impossible) / everything, tied / everything))
    return found


def _harmless(
    ladder: _Ladder,
    cards: Sequence[float],
    ways: Sequence[float],
    weaker: Sequence[int],
    chances: Sequence[float],
    unseen: Kinds,
) -> list[float]:
    """How many cards of each rank a rival who does not beat us has, over all our next cards."""
    behind_us = [0.0] * len(ways)
    for rung, chance in zip(weaker, chances, strict=True):
        behind_us[rung - 1] += chance if rung else 0.0
    behind = list(map(mul, ways, list(accumulate(reversed(behind_us)))[::-1]))
    gone = (sum(cards) * sum(unseen) - sum(ways)) * sum(chances)
    everything = sum(behind) + gone
    if everything <= NOTHING:
        return [0.0] * RANKS
    # A rival who is gone had a hole card and leaves its next card to another seat: two cards like any other.
    any_two = 2 * gone / sum(unseen)
    return [
        (sum(map(behind.__getitem__, places)) + any_two * count) / everything
        for places, count in zip(ladder.places, by_rank(unseen), strict=True)
    ]


def _without(taken: Sequence[float], unseen: Kinds) -> Kinds:
    """The deck without so many cards of each rank, spades and others alike."""
    left = [max(0.0, 1 - gone / count) if count else 0.0 for gone, count in zip(taken, by_rank(unseen), strict=True)]
    return times(unseen, left + left)

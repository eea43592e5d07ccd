"""The chance of each half of a three-card stud pot, from what one seat sees, and what that is worth.

Only two things about a hidden card matter: its rank, and whether it is a spade. So the unseen cards are
counted by *kind* (26 numbers instead of 52 cards), and a rival is enumerated kind by kind: which hole cards,
and on street 1 which next cards, beat ours. Rivals are then taken one after the other. What an earlier rival
probably holds is taken out of the deck of the next one, for no card is dealt twice.

A rival need not hold every card with the same chance, nor stay with every card to the end: both are weights
by kind, all 1 for a rival of whom nothing is known.
"""

from collections.abc import Iterable, Sequence
from operator import mul
from typing import NamedTuple

from bots.strategies.stud_street_one import NOTHING, RANKS, Chances, Kinds, by_next_card, by_rank, times
from protocol.cards import Card, Rank, Suit
from protocol.games.ranks import THREE_CARD_STRENGTHS, three_card_strength

SUITS = len(Suit)
#: Kinds 0-12 are twos to aces of the plain suits, kinds 13-25 the two to ace of spades.
KINDS = 2 * RANKS

#: A chance not worth the time of looking closer.
NEGLIGIBLE = 0.001

#: Each kind alike.
EVERY: Kinds = [1.0] * KINDS


class Holding(NamedTuple):
    """What is known of one rival's cards.

    Attributes:
        up: the ranks of its up cards, one on street 1, two on street 2.
        held: how likely, by kind, a card in its hole is; only the ratios count.
        stays: the chance, by kind, that it is still there at the end with that card in the hole.
    """

    up: tuple[int, ...]
    held: Kinds = EVERY
    stays: Kinds = EVERY


class Outcome(NamedTuple):
    """One way our own cards can be completed, and what it is worth.

    Attributes:
        chance: how likely we get these cards; 1 on street 2.
        high: the part of the high half we can expect, a tie counting as the part shared.
        spade: the part of the spade half we can expect; it goes with the high half when no spade is in a hole.
    """

    chance: float
    high: float
    spade: float

    @property
    def share(self) -> float:
        """The part of the whole pot we can expect."""
        return (self.high + self.spade) / 2


def kind_of(card: Card) -> int:
    """The kind of a card."""
    return card.rank - Rank.TWO + (RANKS if card.suit is Suit.SPADES else 0)


def unseen_kinds(seen: Iterable[Card]) -> Kinds:
    """How many cards of each kind are left when ``seen`` are out of the deck."""
    left = [SUITS - 1.0] * RANKS + [1.0] * RANKS
    for card in seen:
        left[kind_of(card)] -= 1
    return left


def outcomes(own: Sequence[Card], rivals: Sequence[Holding], unseen: Kinds) -> list[Outcome]:
    """What the pot is worth to us: one outcome on street 2, one for each rank of our next card on street 1.

    Args:
        own: our cards, the hole card first; two on street 1, three on street 2.
        rivals: the other seats that may still be in.
        unseen: cards left by kind, without any card we can see or have seen.
    """
    return _with_two_up(own, rivals, unseen) if len(own) == 3 else _with_one_up(own, rivals, unseen)


def staying(rival: Holding, unseen: Kinds) -> float:
    """The chance that a rival stays to the end."""
    cards = times(unseen, rival.held)
    there: float = sum(map(mul, cards, rival.stays))
    return there / sum(cards)


def likely_raisers(chances: Sequence[float], raises: int) -> list[float]:
    """How likely each seat was among those who raised, from what it was before ``raises`` of them did.

    All odds are scaled by one factor until the number of raises expected is the number seen.
    """
    if not 0 < raises < len(chances):
        return [1.0 if raises else 0.0] * len(chances)
    low, high = 1e-6, 1e6
    for _ in range(30):
        scale = (low * high) ** 0.5
        scaled = [chance * scale / (1 - chance + chance * scale) for chance in chances]
        low, high = (scale, high) if sum(scaled) < raises else (low, scale)
    return scaled


# Street 2: one hidden card a rival -----------------------------------------------------------------------------


def _with_two_up(own: Sequence[Card], rivals: Sequence[Holding], unseen: Kinds) -> list[Outcome]:
    mine, hole = three_card_strength(own), kind_of(own[0])
    strengths = [_STRENGTHS_BY_HOLE[rival.up] for rival in rivals]
    beats = [[theirs > mine for theirs in row] for row in strengths]
    ties = [[theirs == mine for theirs in row] for row in strengths]
    high = _part(_one_by_one(unseen, rivals, [row + row for row in beats], [row + row for row in ties]))
    if hole >= RANKS:
        return [Outcome(1.0, high, _no_spade_above(hole, rivals, unseen))]
    # Without a spade of our own the other half is ours only if nobody beats us *and* nobody has a spade.
    both = _one_by_one(unseen, rivals, [row + _YES for row in beats], [row + _NO for row in ties])
    return [Outcome(1.0, high, _part(both))]


def _no_spade_above(hole: int, rivals: Sequence[Holding], unseen: Kinds) -> float:
    """The chance that no rival who stays has a spade of a kind above ``hole``."""
    above = [kind > hole for kind in range(KINDS)]
    return _part(_one_by_one(unseen, rivals, [above] * len(rivals), [_NO + _NO] * len(rivals)))


def _one_by_one(
    unseen: Kinds, rivals: Sequence[Holding], beats: Sequence[Sequence[bool]], ties: Sequence[Sequence[bool]]
) -> list[Chances]:
    """For each rival, given that none before it beats us: the chances that it is behind us, and that it ties."""
    found = []
    for (_, held, stays), beating, tying in zip(rivals, beats, ties, strict=True):
        cards = times(unseen, held)
        there = times(cards, stays)
        everything, tied = sum(cards), sum(map(mul, there, tying))
        harmless = [card - live if bad else card for card, live, bad in zip(cards, there, beating, strict=True)]
        kept = sum(harmless)
        if kept <= NOTHING:
            return [(0.0, 0.0)]
        found.append(((kept - tied) / everything, tied / everything))
        unseen = [max(0.0, left - card / kept) for left, card in zip(unseen, harmless, strict=True)]
    return found


def _part(rivals: Iterable[Chances]) -> float:
    """The part of a half we expect, from each rival's chances to be behind us and to tie: with k ties, 1/(k+1)."""
    ways = [1.0]
    for behind, tied in rivals:
        more = [way * behind for way in ways]
        if tied > NOTHING:
            more.append(0.0)
            for ties, way in enumerate(ways):
                more[ties + 1] += way * tied
        ways = more
    return sum(way / (ties + 1) for ties, way in enumerate(ways))


# Street 1: two hidden cards a rival, and our own next one -----------------------------------------------------


def _with_one_up(own: Sequence[Card], rivals: Sequence[Holding], unseen: Kinds) -> list[Outcome]:
    hole, (first, second) = kind_of(own[0]), own
    left = by_rank(unseen)
    mine = [THREE_CARD_STRENGTHS[first.rank, second.rank, rank] for rank in Rank]
    # Next cards say nothing about spades in the hole, so one number serves all of ours.
    spade = _no_spade_above(max(hole, RANKS - 1), rivals, unseen)
    high = [_part(row) for row in by_next_card(rivals, mine, unseen)]
    if hole >= RANKS:
        halves = [spade] * RANKS
    elif spade < NEGLIGIBLE:
        halves = [0.0] * RANKS
    else:
        # Without a spade of our own the other half is ours only if nobody beats us *and* nobody has a spade.
        spadeless = [_without_spade(rival) for rival in rivals]
        halves = [spade * _part(row) for row in by_next_card(spadeless, mine, unseen)]
    total = sum(left)
    return [Outcome(left[rank] / total, high[rank], halves[rank]) for rank in range(RANKS) if left[rank]]


def _without_spade(rival: Holding) -> Holding:
    """The rival, given that it is not there with a spade in the hole."""
    gone = [held * (1 - stays) for held, stays in zip(rival.held[RANKS:], rival.stays[RANKS:], strict=True)]
    return Holding(rival.up, rival.held[:RANKS] + gone, rival.stays[:RANKS] + [0.0] * RANKS)


# Tables -------------------------------------------------------------------------------------------------------

_YES, _NO = [True] * RANKS, [False] * RANKS

#: For two ranks up: the strength with each rank in the hole.
_STRENGTHS_BY_HOLE: dict[tuple[int, ...], list[int]] = {
    (first, second): [THREE_CARD_STRENGTHS[first, second, hole] for hole in Rank] for first in Rank for second in Rank
}

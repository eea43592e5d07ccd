"""The person's chances, from what everybody can see and the own cards: every card unseen is as likely as another."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import perm
from random import Random

from bots.human.updates import Spot
from bots.human.worth import worth
from bots.statistics import wilson
from protocol.cards import DECK, Card, Suit
from protocol.games.blockhead import CARDS as BLOCKHEAD_CARDS
from protocol.games.blockhead import NAME as BLOCKHEAD
from protocol.games.blockhead import cards_value
from protocol.games.ranks import five_card_strength, three_card_strength
from protocol.games.stud import NAME as STUD

#: Up to here every way to deal the unseen cards is counted: half a second; beyond, so many as below are drawn.
EXACT_DEALS = 120_000

#: Enough for an error below 1 % in 95 of 100 cases.
DRAWN_DEALS = 20_000

#: How many cards a seat has at the end of a hand.
CARDS_OF = {STUD: 3, BLOCKHEAD: BLOCKHEAD_CARDS}


@dataclass(frozen=True, slots=True)
class Chances:
    """How the hand ends if nobody folds any more.

    Attributes:
        name: what the own cards are worth now.
        best: the chance of the best cards, alone.
        tied: the chance of sharing them.
        spade: the chance of the highest spade in the hole; None where there is no such thing.
        share: of the pot, on average; odd chips left out of account.
        error: half the 95 % interval of ``best``; 0 if every deal was counted.
        price: the share that a call must bring in to pay for itself; 0 if nothing is owed.
    """

    name: str
    best: float
    tied: float
    spade: float | None
    share: float
    error: float
    price: float


def chances(spot: Spot, rng: Random) -> Chances:
    """The person's chances: exact where all deals can be counted, from random deals where they are too many."""
    size, strength = CARDS_OF[spot.game], _strength(spot)
    hidden = [size - len(spot.own), *[size - len(up) for up in spot.others]]
    seen = {*spot.own, *spot.gone, *[card for up in spot.others for card in up]}
    unseen = [card for card in DECK if card not in seen]
    exact = perm(len(unseen), sum(hidden)) <= EXACT_DEALS
    deals = permutations(unseen, sum(hidden)) if exact else _drawn(unseen, sum(hidden), rng)
    tally = _Tally(spades=spot.game != BLOCKHEAD)
    for deal in deals:
        tally.count(_hands(spot, hidden, deal), strength)
    return _summed_up(spot, tally, exact)


def _strength(spot: Spot) -> Callable[[Sequence[Card]], int]:
    if spot.game != BLOCKHEAD:
        return three_card_strength
    return five_card_strength if spot.poker else cards_value


def _drawn(unseen: list[Card], cards: int, rng: Random) -> Iterator[Sequence[Card]]:
    for _ in range(DRAWN_DEALS):
        yield rng.sample(unseen, cards)


def _hands(spot: Spot, hidden: list[int], deal: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Everybody's cards, hole card first, the person's before all others."""
    place = hidden[0]
    hands = [(*spot.own, *deal[:place])]
    for up, missing in zip(spot.others, hidden[1:], strict=True):
        hands.append((*deal[place : place + missing], *up))
        place += missing
    return hands


class _Tally:
    def __init__(self, spades: bool) -> None:
        self.spades = spades
        self.deals = self.best = self.tied = self.spade = 0
        self.share = 0.0

    def count(self, hands: list[tuple[Card, ...]], strength: Callable[[Sequence[Card]], int]) -> None:
        """Look at one deal; the person's hand comes first."""
        mine, *others = map(strength, hands)
        most = max(others)
        part = 0.0
        if mine > most:
            self.best += 1
            part = 1.0
        elif mine == most:
            self.tied += 1
            part = 1 / (1 + others.count(most))
        self.deals += 1
        spade = self._spade(hands)
        self.spade += spade is hands[0][0]
        self.share += part if spade is None else (part + (spade is hands[0][0])) / 2

    def _spade(self, hands: list[tuple[Card, ...]]) -> Card | None:
        holes = [hand[0] for hand in hands if hand[0].suit is Suit.SPADES] if self.spades else ()
        return max(holes, default=None)


def _summed_up(spot: Spot, tally: _Tally, exact: bool) -> Chances:
    _, low, high = wilson(tally.best, tally.deals)
    return Chances(
        worth(spot.game, spot.own, spot.poker),
        tally.best / tally.deals,
        tally.tied / tally.deals,
        tally.spade / tally.deals if tally.spades else None,
        tally.share / tally.deals,
        0.0 if exact else (high - low) / 2,
        spot.owed / (spot.pot + spot.owed) if spot.owed else 0.0,
    )

"""Count the person's chances, from public cards and the own ones: every unseen card is as likely as another."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import perm
from random import Random

from bots.human.updates import Spot
from protocol.cards import DECK, Card
from protocol.estimates.intervals import share

#: Up to this number every way to deal the unseen cards is counted, in half a second; beyond it, random deals are drawn.
EXACT_DEALS = 120_000

#: Random deals: enough for an error below 1 % in 95 of 100 cases.
DRAWN_DEALS = 20_000

#: All cards of a seat, hole cards first.
Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Chances:
    """How the hand ends if nobody folds any more.

    Attributes:
        name: what the own cards are worth now.
        best: the chance of the best cards, alone.
        tied: the chance of sharing them.
        share: of the pot, on average; odd chips left out of account.
        error: half the 95 % interval of ``best``; 0 if every deal was counted.
        price: the share that a call must bring in to pay for itself; 0 if nothing is owed.
        side: the chance of the half of the pot that does not go to the best cards; None in games without one.
        side_name: what wins that half.
        pieces: the word of the game for what a seat has: cards.
    """

    name: str
    best: float
    tied: float
    share: float
    error: float
    price: float
    side: float | None = None
    side_name: str = ""
    pieces: str = "cards"


@dataclass(frozen=True, slots=True)
class SideHalf:
    """Half of the pot, which goes to something else than the best cards.

    Attributes:
        name: what wins it.
        winner: its winner among the cards of all seats; None if nobody has it, and the best cards win all.
    """

    name: str
    winner: Callable[[Sequence[Cards]], int | None]


def count_chances(
    spot: Spot,
    rng: Random,
    *,
    name: str,
    size: int,
    strength: Callable[[Cards], int],
    side: SideHalf | None = None,
    board: int = 0,
) -> Chances:
    """The person's chances: exact where all deals can be counted, else from random deals.

    Args:
        name: what the own cards are worth now.
        size: cards of a seat at the end of a hand.
        strength: of a seat's cards, with the board behind them; the larger one wins.
        side: what the other half of the pot goes to; None if the best cards win all.
        board: cards on the board at the end of a hand.
    """
    hidden = [size - len(spot.own), *[size - len(up) for up in spot.others], board - len(spot.board)]
    seen = {*spot.own, *spot.gone, *spot.board, *[card for up in spot.others for card in up]}
    unseen = [card for card in DECK if card not in seen]
    exact = perm(len(unseen), sum(hidden)) <= EXACT_DEALS
    deals = permutations(unseen, sum(hidden)) if exact else _drawn(unseen, sum(hidden), rng)
    count = _Count(side)
    for deal in deals:
        count.add(_all_cards(spot, hidden, deal), strength)
    return count.chances(spot, name, exact)


def _drawn(unseen: list[Card], cards: int, rng: Random) -> Iterator[Sequence[Card]]:
    for _ in range(DRAWN_DEALS):
        yield rng.sample(unseen, cards)


def _all_cards(spot: Spot, hidden: list[int], deal: Sequence[Card]) -> list[Cards]:
    """The cards of all seats, hole cards first and the board last; the person's come before all others.

    Args:
        hidden: how many cards of each seat, and last of the board, ``deal`` has.
        deal: the cards that the person does not see.
    """
    place = hidden[0]
    board = (*spot.board, *deal[len(deal) - hidden[-1] :])
    seats = [(*spot.own, *deal[:place], *board)]
    for up, missing in zip(spot.others, hidden[1:-1], strict=True):
        seats.append((*deal[place : place + missing], *up, *board))
        place += missing
    return seats


class _Count:
    """Deals counted so far, by how they ended for the person."""

    def __init__(self, side: SideHalf | None) -> None:
        self._side = side
        self._deals = self._best = self._tied = self._side_won = 0
        self._share = 0.0

    def add(self, seats: Sequence[Cards], strength: Callable[[Cards], int]) -> None:
        """Count one deal; the person's cards come first."""
        mine, *others = map(strength, seats)
        most = max(others)
        part = 0.0
        if mine > most:
            self._best += 1
            part = 1.0
        elif mine == most:
            self._tied += 1
            part = 1 / (1 + others.count(most))
        self._deals += 1
        side = self._side.winner(seats) if self._side else None
        self._side_won += side == 0
        self._share += part if side is None else (part + (side == 0)) / 2

    def chances(self, spot: Spot, name: str, exact: bool) -> Chances:
        """What the deals say."""
        _, low, high = share(self._best, self._deals)
        return Chances(
            name,
            self._best / self._deals,
            self._tied / self._deals,
            self._share / self._deals,
            0.0 if exact else (high - low) / 2,
            spot.owed / (spot.pot + spot.owed) if spot.owed else 0.0,
            self._side_won / self._deals if self._side else None,
            self._side.name if self._side else "",
        )

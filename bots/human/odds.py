"""Count the person's chances, from public cards and the own ones: every unseen card is as likely as another."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import perm
from random import Random
from typing import Any

from protocol.cards import DECK, Card
from protocol.estimates.intervals import share
from protocol.games.game import Game

#: Up to this number every way to deal the unseen cards is counted, in half a second; beyond it, random deals are drawn.
EXACT_DEALS = 120_000

#: Random deals: enough for an error below 1 % in 95 of 100 cases.
DRAWN_DEALS = 20_000

#: All cards of a seat, hole cards first.
Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """What chances are counted from: public cards or dice, and the person's own. Each game knows which they are.

    Attributes:
        own: the person's cards, hole cards first.
        others: the up cards of everybody else still in.
        gone: up cards of those who have folded: nobody else can hold them.
        pot: chips in it that the person can win.
        owed: chips to put in to stay.
        board: the cards that belong to all seats.
    """

    game: Game
    own: tuple[Any, ...]
    others: tuple[tuple[Any, ...], ...]
    gone: tuple[Any, ...] = ()
    pot: int = 0
    owed: int = 0
    board: tuple[Any, ...] = ()

    @property
    def cards(self) -> tuple[tuple[Any, ...], ...]:
        """Everything that chances depend on."""
        return (self.own, self.board, *self.others)


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
    ends: Counter[tuple[int, int | None]] = Counter()
    for deal in permutations(unseen, sum(hidden)) if exact else _drawn(unseen, sum(hidden), rng):
        seats = _all_cards(spot, hidden, deal)
        mine, *others = map(strength, seats)
        most = max(others)
        # how many seats share the best cards with the person, who is one of them; 0 if they are another's
        sharing = 0 if mine < most else 1 + others.count(mine)
        ends[sharing, side.winner(seats) if side else None] += 1
    deals, best = ends.total(), sum(times for (sharing, _), times in ends.items() if sharing == 1)
    pot = sum(times * _part(sharing, winner) for (sharing, winner), times in ends.items())
    _, low, high = share(best, deals)
    return Chances(
        name,
        best / deals,
        sum(times for (sharing, _), times in ends.items() if sharing > 1) / deals,
        pot / deals,
        0.0 if exact else (high - low) / 2,
        spot.owed / (spot.pot + spot.owed) if spot.owed else 0.0,
        sum(times for (_, winner), times in ends.items() if winner == 0) / deals if side else None,
        side.name if side else "",
    )


def _part(sharing: int, side: int | None) -> float:
    """The person's part of the pot; ``side`` is the winner of the other half, if anybody wins it."""
    part = 1 / sharing if sharing else 0.0
    return part if side is None else (part + (side == 0)) / 2


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

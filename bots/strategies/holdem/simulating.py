"""A player of ``holdem`` who simulates the rest of the hand many times, whatever the betting is."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import Generic, Protocol, TypeVar

from bots.strategies.holdem.ring_cards import Pool
from bots.strategies.holdem.ring_kernel import Ints
from bots.strategies.holdem.ring_playouts import Trial
from bots.strategies.holdem.ring_reads import Company, RingRead
from bots.strategies.holdem.ring_watch import Deed, order_of
from protocol.games import base
from protocol.games.base import Action, Bet, Status
from protocol.games.holdem_turn import HoldemTurn

#: No chips: a fold, among choices.
FOLD = -1


class Watch(Protocol):
    """The betting of one hand, as far as it has been seen.

    Attributes:
        street: the last one on which there was a question; 0 before the first.
    """

    street: int

    def deeds(self, turn: HoldemTurn, own: int) -> list[Deed]:
        """What the others have done since the own last action, in order."""

    def acted(self, own: int, chips: int | None) -> None:
        """Remember the own action: the chips put in; None for a fold."""


W = TypeVar("W", bound=Watch)


class SimulatingPlayer(ABC, Generic[W]):
    """Learns of which kind each opponent is, and takes what wins most when all act by their kinds.

    Args:
        alike: how much the other opponents tell of the kind of one, from 0 to 1.
    """

    def __init__(self, alike: float, rng: Random) -> None:
        self._rng = rng
        self._company = Company(alike)
        self._player_in: Callable[[int], int] = int
        self._begin_hand()

    @abstractmethod
    def _new_watch(self) -> W:
        """The betting of a hand of which nothing has been seen."""

    @abstractmethod
    def _choices(self, turn: HoldemTurn) -> list[int]:
        """Chips that are looked at; ``FOLD`` is one of them if it makes sense."""

    @abstractmethod
    def _table(self, turn: HoldemTurn, watch: W, order: Sequence[int], own: int) -> Ints:
        """The table at an own question, as ``ring_kernel`` lays it out; players are counted in an order of seats."""

    def _begin_hand(self) -> None:
        self._watch = self._new_watch()
        self._reads: dict[int, RingRead] = {}
        self._pool: Pool | None = None

    def decide(self, turn: HoldemTurn, own: int, player_in: Callable[[int], int]) -> Action:
        """Take what wins most on average.

        Args:
            player_in: gives the number of the player in a seat, which stays the same from hand to hand.
        """
        self._player_in = player_in
        if self._pool is None:
            self._pool = Pool(turn.hole, self._rng)
        pool, before = self._pool, self._watch.street
        deeds = self._watch.deeds(turn, own)
        self._take_in(pool, [deed for deed in deeds if deed.ask.street == before])
        pool.turn_to(turn.street, turn.board)
        self._take_in(pool, [deed for deed in deeds if deed.ask.street != before])
        chips = self._wins_most(turn, own, pool)
        self._watch.acted(own, None if chips == FOLD else chips)
        return base.FOLD if chips == FOLD else Bet(chips)

    def hand_over(self, status: Status) -> None:
        """Learn from what was seen of each opponent."""
        shown = dict(status.shown)
        for seat, read in self._reads.items():
            self._company.learn(self._player_in(seat), read.evidence(shown.get(seat)))
        self._begin_hand()

    def _take_in(self, pool: Pool, deeds: Sequence[Deed]) -> None:
        for deed in deeds:
            self._read(pool, deed.seat).saw(deed)

    def _read(self, pool: Pool, seat: int) -> RingRead:
        if seat not in self._reads:
            self._reads[seat] = RingRead(pool)
        return self._reads[seat]

    def _wins_most(self, turn: HoldemTurn, own: int, pool: Pool) -> int:
        choices = self._choices(turn)
        if len(choices) == 1:
            return choices[0]
        live = [seat for seat, view in enumerate(turn.seats) if view.state in ("live", "allin")]
        order = order_of(live, turn.button)
        reads = {
            player: (self._read(pool, seat), self._company.trust(self._player_in(seat)))
            for player, seat in enumerate(order)
            if seat != own
        }
        return Trial(self._table(turn, self._watch, order, own), pool, reads, self._rng).best(choices)

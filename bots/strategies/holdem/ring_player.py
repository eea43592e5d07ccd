"""``holdem`` at a no-limit table of three players or more: simulates the rest of the hand many times."""

from collections.abc import Sequence
from functools import cache
from random import Random

from bots.strategies.holdem.ring_kernel import COMPILED, Ints
from bots.strategies.holdem.ring_playouts import table_of
from bots.strategies.holdem.ring_watch import RingWatch
from bots.strategies.holdem.simulating import FOLD, SimulatingPlayer
from protocol.cards import DECK
from protocol.games.base import Status
from protocol.games.holdem_turn import HoldemTurn, SeatView

#: How much the other opponents tell of the kind of one: those of a table are often the same.
ALIKE = 0.7
#: Raises that are looked at, in parts of the pot after a call, beside the least and the most.
PARTS = (0.6, 1.2)


class RingPlayer(SimulatingPlayer[RingWatch]):
    """Compares a fold, a call and raises of a few sizes."""

    def __init__(self, small_blind: int, big_blind: int, rng: Random) -> None:
        self._blinds = (small_blind, big_blind)
        super().__init__(ALIKE, rng)

    def _new_watch(self) -> RingWatch:
        return RingWatch(*self._blinds)

    def _choices(self, turn: HoldemTurn) -> list[int]:
        """A call, a fold, and raises from few chips to many."""
        raises = turn.legal().raises
        choices = [turn.owed]
        if turn.owed:
            choices.append(FOLD)
        if raises:
            sizes = [turn.owed + int(part * (turn.pot + turn.owed)) for part in PARTS]
            choices += sorted({raises[0], raises[-1], *[chips for chips in sizes if chips in raises]})
        return choices

    def _table(self, turn: HoldemTurn, watch: RingWatch, order: Sequence[int], own: int) -> Ints:
        del turn  # all of it has been seen
        return table_of(watch, order, own, self._blinds[1])


@cache
def get_ready() -> None:
    """Compile what a question needs, or load it from the cache, by playing a hand that nobody sees."""
    if not COMPILED:
        return
    hole, board = (DECK[0], DECK[5]), (DECK[10], DECK[20], DECK[30])
    player = RingPlayer(1, 2, Random(0))
    first = (SeatView(8, 2, "live"), SeatView(9, 1, "live"), SeatView(8, 2, "live"))
    player.decide(HoldemTurn(1, 9, 5, 1, hole, (), 3, 9, first, 0), 1, int)
    later = (SeatView(8, 0, "live"),) * 3
    player.decide(HoldemTurn(2, 8, 6, 0, hole, board, 2, 8, later, 0), 1, int)
    player.hand_over(Status(won=False, cards=()))

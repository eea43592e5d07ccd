"""``holdem`` where betting goes in loops and every raise has one size: simulates the rest of the hand many times."""

from collections.abc import Sequence
from random import Random

from bots.strategies.holdem.loop_watch import LoopWatch
from bots.strategies.holdem.ring_kernel import (
    ASKED,
    BIG_BLIND,
    FULL_RAISE,
    HIGHEST,
    IN,
    LEFT,
    LIVE,
    LOOP,
    LOOP_RAISED,
    LOOPS,
    ME,
    PLAYERS,
    POT,
    PUT,
    RAISED,
    SPENT,
    STREET,
    TABLE,
    TO_ACT,
    Ints,
    no_ints,
)
from bots.strategies.holdem.simulating import FOLD, SimulatingPlayer
from protocol.games.holdem_turn import HoldemTurn


class LoopPlayer(SimulatingPlayer[LoopWatch]):
    """Compares a fold, a call and the one raise there is. The other opponents tell nothing of one.

    Args:
        loops: how often each seat is asked on a street, at most.
        bet: chips of a raise.
    """

    def __init__(self, loops: int, bet: int, rng: Random) -> None:
        self._loops, self._bet = loops, bet
        super().__init__(0.0, rng)

    def _new_watch(self) -> LoopWatch:
        return LoopWatch(self._loops, self._bet)

    def _choices(self, turn: HoldemTurn) -> list[int]:
        """A call, a fold and a raise."""
        return [turn.owed, *[FOLD] * bool(turn.owed), *turn.legal().raises[:1]]

    def _table(self, turn: HoldemTurn, watch: LoopWatch, order: Sequence[int], own: int) -> Ints:
        return loop_table(turn, watch, order, own)


def loop_table(turn: HoldemTurn, watch: LoopWatch, order: Sequence[int], own: int) -> Ints:
    """The table at an own question, as ``ring_kernel`` lays it out; players are counted in an order of seats."""
    table, me = no_ints(TABLE), order.index(own)
    table[ME], table[PLAYERS], table[LIVE] = me, len(order), len(order)
    table[POT], table[HIGHEST], table[STREET] = turn.pot, watch.highest, turn.street
    table[FULL_RAISE] = table[BIG_BLIND] = watch.bet
    table[LOOPS], table[LOOP], table[LOOP_RAISED] = watch.loops, watch.loop, int(watch.raised)
    for player, seat in enumerate(order):
        view = turn.seats[seat]
        table[LEFT + player], table[PUT + player], table[IN + player] = view.stack, view.put, 1
        table[SPENT + player] = watch.starting[seat] - view.stack
        table[ASKED + player] = watch.loop - (player >= me)
        table[TO_ACT + player] = int(player > me and view.stack > 0)
        table[RAISED + player] = int(seat in watch.raisers)
    return table

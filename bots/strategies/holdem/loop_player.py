"""``holdem`` where betting goes in loops and every raise has one size: simulates the rest of the hand many times."""

from collections.abc import Callable, Sequence
from random import Random

from bots.strategies.holdem.loop_watch import LoopWatch
from bots.strategies.holdem.ring_cards import Pool
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
from bots.strategies.holdem.ring_playouts import Trial
from bots.strategies.holdem.ring_reads import Company, RingRead
from bots.strategies.holdem.ring_watch import Deed, order_of
from protocol.games import base
from protocol.games.base import Action, Bet, Status
from protocol.games.holdem_turn import HoldemTurn

#: No chips: a fold, among choices.
FOLD = -1


class LoopPlayer:
    """Learns of which kind each opponent is, and takes what wins most when all act by their kinds.

    Args:
        loops: how often each seat is asked on a street, at most.
        bet: chips of a raise.
        rng: draws cards.
    """

    def __init__(self, loops: int, bet: int, rng: Random) -> None:
        self._bet, self._loops, self._rng = bet, loops, rng
        self._company = Company(alike=0.0)
        self._player_in: Callable[[int], int] = int
        self._begin_hand()

    def _begin_hand(self) -> None:
        self._watch = LoopWatch(self._loops, self._bet)
        self._reads: dict[int, RingRead] = {}
        self._pool: Pool | None = None

    def decide(self, turn: HoldemTurn, own: int, player_in: Callable[[int], int]) -> Action:
        """Take what wins most on average.

        Args:
            turn: what is asked.
            own: the own seat.
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
        self._watch.acted(own, max(chips, 0))
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
        """The chips that win most."""
        raises = turn.legal().raises
        choices = [turn.owed, *[FOLD] * bool(turn.owed), *raises[:1]]
        live = [seat for seat, view in enumerate(turn.seats) if view.state in ("live", "allin")]
        order = order_of(live, turn.button)
        reads = {
            player: (self._read(pool, seat), self._company.trust(self._player_in(seat)))
            for player, seat in enumerate(order)
            if seat != own
        }
        return Trial(loop_table(turn, self._watch, order, own), pool, reads, self._rng).best(choices)


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

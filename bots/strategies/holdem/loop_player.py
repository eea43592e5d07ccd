"""``holdem`` where betting goes in loops and every raise has one size: simulates the rest of the hand many times."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

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
from bots.strategies.holdem.ring_kinds import Ask
from bots.strategies.holdem.ring_watch import Deed
from bots.strategies.holdem.simulating import FOLD, SimulatingPlayer
from protocol.games.holdem_turn import HoldemTurn


@dataclass(slots=True)
class LoopWatch:
    """The betting of one hand, as far as it has been seen, where each seat acts once in each loop.

    The view tells what each seat has put in on the street, and who has folded. Between two own questions every other
    seat with a choice has acted once, so its action follows from that.

    Attributes:
        loops: how often each seat is asked on a street, at most.
        bet: chips of a raise.
        street: the last one on which there was a question; 0 before the first.
        loop: which loop is under way, from 1.
        raised: whether a seat has raised in it.
        highest: the most chips that a seat has put in on the street.
        pot: all chips put in.
        starting: chips of each seat before the hand.
        raisers: seats that have raised in the hand.
    """

    loops: int
    bet: int
    street: int = 0
    loop: int = 1
    raised: bool = False
    highest: int = 0
    pot: int = 0
    starting: Sequence[int] = ()
    raisers: set[int] = field(default_factory=set)
    _staying: set[int] = field(default_factory=set)
    _put: list[int] = field(default_factory=list)
    _total: list[int] = field(default_factory=list)

    def deeds(self, turn: HoldemTurn, own: int) -> list[Deed]:
        """What the others have done since the own last action, in order."""
        count = len(turn.seats)
        order = [(turn.button + 1 + step) % count for step in range(count)]
        place = order.index(own)
        if not self.street:
            self.starting = [seat.stack + seat.put for seat in turn.seats]
            self._staying = {seat for seat, view in enumerate(turn.seats) if view.state != "out"}
            self._total = list(self.starting)
        found: list[Deed] = []
        if self.street == turn.street:
            found += self._loop_part(turn, order[place + 1 :])
            self.loop, self.raised = self.loop + 1, False
        else:
            if self.street:
                found += self._rest_of_street(turn, order[place + 1 :])
                if self.raised:  # by the own last action, so that the own seat was not asked in the last loop
                    self.loop, self.raised = self.loop + 1, False
                    found += self._rest_of_street(turn, order[:place])
            self.street, self.loop, self.raised, self.highest = turn.street, 1, False, 0
            self._put = [0] * count
            self.pot = turn.pot - sum(seat.put for seat in turn.seats)
            self._total = [seat.stack + seat.put for seat in turn.seats]
        return found + self._loop_part(turn, order[:place])

    def acted(self, own: int, chips: int | None) -> None:
        """Remember the own action."""
        self._pay(own, chips or 0)

    def _pay(self, seat: int, chips: int) -> None:
        self._put[seat] += chips
        self.pot += chips
        if self._put[seat] > self.highest:
            self.highest, self.raised = self._put[seat], True
            self.raisers.add(seat)

    def _loop_part(self, turn: HoldemTurn, seats: Sequence[int]) -> list[Deed]:
        """The actions of seats that acted in turn on the street under way."""
        found = []
        for seat in seats:
            view = turn.seats[seat]
            stack = view.stack + view.put - self._put[seat]
            ask = self._ask(seat, stack)
            if ask is None:
                continue
            if view.state == "folded":
                self._staying.discard(seat)
                found.append(Deed(seat, ask, None))
                continue
            chips = view.put - self._put[seat]
            self._pay(seat, chips)
            found.append(Deed(seat, ask, chips))
        return found

    def _rest_of_street(self, turn: HoldemTurn, seats: Sequence[int]) -> list[Deed]:
        """The actions on an earlier street after the own last one: nobody raised, or there had been a question."""
        found = []
        for seat in seats:
            stack = self._total[seat] - self._put[seat]
            ask = self._ask(seat, stack)
            if ask is None:
                continue
            if not ask.owed or turn.seats[seat].stack + turn.seats[seat].put < stack:
                self._pay(seat, ask.owed)
                found.append(Deed(seat, ask, ask.owed))
            else:
                self._staying.discard(seat)
                found.append(Deed(seat, ask, None))
        return found

    def _ask(self, seat: int, stack: int) -> Ask | None:
        """What a seat is faced with; None if it is not asked."""
        owed = min(self.highest - self._put[seat], stack)
        last = self.loop >= self.loops or stack <= owed
        if seat not in self._staying or not stack or (last and not owed):
            return None
        least = 0 if last else min(stack, owed + self.bet)
        return Ask(self.street, len(self._staying) - 1, owed, self.pot, stack, least, least, self.loop)


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

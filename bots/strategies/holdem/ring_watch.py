"""Who did what between two questions: in no-limit betting until all bets are equal, or in loops of one size of raise.

The view tells what each seat has put in on the street, and who has folded. Between two own questions on a street every
other seat with a choice acts once, in seat order, so its action follows from that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

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
    QUIET,
    RAISED,
    SPENT,
    STREET,
    TABLE,
    TO_ACT,
    Ints,
    no_ints,
)
from bots.strategies.holdem.ring_kinds import Ask
from protocol.games.holdem_turn import HoldemTurn


class Deed(NamedTuple):
    """What a seat did.

    Attributes:
        ask: what it was faced with.
        chips: put in; None for a fold.
    """

    seat: int
    ask: Ask
    chips: int | None


@dataclass(slots=True)
class Watch:
    """The betting of one hand, as far as it has been seen.

    Attributes:
        blinds: the small and the big one.
        bet: chips of the least bet.
        loops: how often each seat is asked on a street, at most; 0 where it is asked until all bets are equal.
        street: the last one on which there was a question; 0 before the first.
        starting: chips of each seat before the hand.
        stacks: chips in front of each seat.
        put: chips that each has put in on the street.
        live: the seats that have not folded.
        pending: the seats that still have to act on the street, or in the loop under way, in order.
        asked: how often each seat has been asked on the street.
        highest: the most chips that a seat has put in on the street.
        full_raise: chips of the last full raise.
        pot: all chips put in.
        raisers: seats that have raised in the hand.
        quiet: whether nobody bet on the street before.
        loop: which loop is under way, from 1.
        raised: whether a seat has raised in it.
    """

    blinds: tuple[int, int]
    bet: int
    loops: int = 0
    street: int = 0
    starting: list[int] = field(default_factory=list)
    stacks: list[int] = field(default_factory=list)
    put: list[int] = field(default_factory=list)
    live: list[int] = field(default_factory=list)
    pending: list[int] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    highest: int = 0
    full_raise: int = 0
    pot: int = 0
    raisers: set[int] = field(default_factory=set)
    quiet: bool = False
    loop: int = 1
    raised: bool = False
    _button: int = 0

    def deeds(self, turn: HoldemTurn, own: int) -> list[Deed]:
        """What the others have done since the own last action, in order."""
        found: list[Deed] = []
        if not self.street:
            self._begin(turn)
            if turn.street > 1:  # another dealer may leave out questions
                self._next_street(turn)
        elif self.street != turn.street:
            while self.pending and self.pending[0] != own:  # in the last loop the seat that raised is not asked
                found += self._rest_of_street(turn, self.pending[0])
            self._next_street(turn)
        while self.pending and self.pending[0] != own:
            found += self._on_street(turn, self.pending[0])
        self._agree(turn, own)
        return found

    def acted(self, own: int, chips: int | None) -> None:
        """Remember the own action: the chips put in; None for a fold."""
        self._act(own, chips)

    def ask(self, seat: int) -> Ask:
        """What a seat is faced with now."""
        stack = self.stacks[seat]
        owed = min(self.highest - self.put[seat], stack)
        least = min(stack, owed + self.full_raise) if stack > owed and self._may_raise(seat) else 0
        most = least if self.loops else stack
        return Ask(self.street, len(self.live) - 1, owed, self.pot, stack, least, most, self.asked[seat] + 1)

    def _may_raise(self, seat: int) -> bool:
        if self.loops:
            return self.loop < self.loops
        return any(other != seat and self.stacks[other] + self.put[other] > self.highest for other in self.live)

    def _begin(self, turn: HoldemTurn) -> None:
        """The table after the blinds."""
        self.street, self._button = 1, turn.button
        self.starting = [seat.stack + seat.put for seat in turn.seats]
        self.stacks = list(self.starting)
        self.live = [seat for seat, view in enumerate(turn.seats) if view.state != "out"]
        self.put = [0] * len(turn.seats)
        self.asked = [0] * len(turn.seats)
        order, first = self._in_turn(turn.button + 1), 0 if self.loops else 2
        if len(order) == first:
            order.reverse()
        self.pot = turn.pot - sum(view.put for view in turn.seats)
        for seat, blind in zip(order, self.blinds, strict=False):
            posted = min(blind, self.stacks[seat])
            self.put[seat], self.stacks[seat] = posted, self.stacks[seat] - posted
            self.pot += posted
        self.highest = max(self.put)
        self.full_raise = self.bet
        self.pending = [seat for seat in order[first:] + order[:first] if self.stacks[seat]]

    def _next_street(self, turn: HoldemTurn) -> None:
        self.street, self.quiet = turn.street, not self.highest
        self.stacks = [view.stack + view.put for view in turn.seats]
        self.pot = turn.pot - sum(view.put for view in turn.seats)
        self.put = [0] * len(self.stacks)
        self.asked = [0] * len(self.stacks)
        self.highest, self.full_raise = 0, self.bet
        self.loop, self.raised = 1, False
        self.pending = [seat for seat in self._in_turn(turn.button + 1) if self.stacks[seat]]

    def _agree(self, turn: HoldemTurn, own: int) -> None:
        """Take over what the view says, where another dealer's blinds or seats are not those expected."""
        self.stacks = [view.stack for view in turn.seats]
        self.put = [view.put for view in turn.seats]
        self.live = [seat for seat, view in enumerate(turn.seats) if view.state in ("live", "allin")]
        self.highest, self.pot = max(self.put), turn.pot
        if not self.pending or self.pending[0] != own:
            self.pending = [own, *[seat for seat in self.pending if seat != own]]
        self.pending = [seat for seat in self.pending if seat in self.live and self.stacks[seat]]

    def _in_turn(self, first: int) -> list[int]:
        """The live seats, from a seat on."""
        return [seat for seat in self.live if seat >= first] + [seat for seat in self.live if seat < first]

    def _on_street(self, turn: HoldemTurn, seat: int) -> list[Deed]:
        """The action of a seat on the street under way."""
        view = turn.seats[seat]
        paid = None if view.state == "folded" else view.put - self.put[seat]
        return self._done(seat, paid)

    def _rest_of_street(self, turn: HoldemTurn, seat: int) -> list[Deed]:
        """The action of a seat on an earlier street, after the own last one: nobody raised since."""
        view = turn.seats[seat]
        owed = min(self.highest - self.put[seat], self.stacks[seat])
        stays = not owed or view.stack + view.put < self.stacks[seat]
        return self._done(seat, owed if stays else None)

    def _done(self, seat: int, chips: int | None) -> list[Deed]:
        ask = self.ask(seat)
        self._act(seat, chips)
        return [Deed(seat, ask, chips)] if ask.owed or ask.least else []

    def _act(self, seat: int, chips: int | None) -> None:
        self.asked[seat] += 1
        self.pending = self.pending[1:]
        if chips is None:
            self.live = [other for other in self.live if other != seat]
        else:
            self.put[seat] += chips
            self.stacks[seat] -= chips
            self.pot += chips
        if self.put[seat] > self.highest:
            self.full_raise = max(self.full_raise, self.put[seat] - self.highest)
            self.highest, self.raised = self.put[seat], True
            self.raisers.add(seat)
            if not self.loops:
                self.pending = [other for other in self._in_turn(seat + 1) if other != seat and self.stacks[other]]
        if not self.pending and self.raised and self.loop < self.loops:
            self.loop, self.raised = self.loop + 1, False
            self.pending = [other for other in self._in_turn(self._button + 1) if self.stacks[other]]

    def table(self, order: Sequence[int], own: int) -> Ints:
        """The table at an own question, as ``ring_kernel`` lays it out; players are counted in an order of seats."""
        table = no_ints(TABLE)
        table[ME], table[PLAYERS], table[LIVE] = order.index(own), len(order), len(order)
        table[POT], table[HIGHEST], table[FULL_RAISE] = self.pot, self.highest, self.full_raise
        table[BIG_BLIND], table[STREET], table[QUIET] = self.bet, self.street, int(self.quiet)
        table[LOOPS], table[LOOP], table[LOOP_RAISED] = self.loops, self.loop, int(self.raised)
        for player, seat in enumerate(order):
            table[LEFT + player], table[PUT + player] = self.stacks[seat], self.put[seat]
            table[SPENT + player] = self.starting[seat] - self.stacks[seat]
            table[ASKED + player], table[IN + player] = self.asked[seat], 1
            table[TO_ACT + player] = int(seat in self.pending)
            table[RAISED + player] = int(seat in self.raisers)
        return table


def order_of(live: Sequence[int], button: int) -> list[int]:
    """Seats in the order in which they act after the flop."""
    return [seat for seat in live if seat > button] + [seat for seat in live if seat <= button]

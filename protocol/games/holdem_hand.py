"""A hand of Texas Hold'em: two cards in the hole, five on the board, four streets, and side pots for seats all in."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple, Self

from protocol.cards import DECK, UNKNOWN, Card
from protocol.games.base import Action, Fold, IllegalAction, Legal, PublicHand, PublicSeat, Settlement, made
from protocol.games.holdem_betting import NO_RAISE, Betting, why_illegal
from protocol.games.holdem_settlement import Pots, Showdown, all_folded, run_out, side_pots
from protocol.games.holdem_turn import HoldemTurn, SeatView
from protocol.games.run_out import RunOut

SEATS = range(2, 11)
STREETS = 4
#: Cards on the board by street; index 0 is not used.
BOARD = (0, 0, 3, 4, 5)


class HoldemHand(NamedTuple):
    """One deal. Seat ``i`` owns cards ``2 i`` and ``2 i + 1``; the board lies behind the hole cards of all seats.

    Every decision makes a new one, and a named tuple is the quickest to make (see ``made``).

    Attributes:
        deck: all cards, shuffled.
        starting: chips of each seat before the hand.
        stacks: chips in front of each seat.
        pot: chips put in by all seats so far.
        dead: chips of antes that belong to the main pot, no matter which seat paid them.
        before: chips that each seat put in before this street; without ``dead``.
        put: chips that each seat has put in on this street.
        number: of the street, from 1.
        button: the seat that acts last from the flop on.
        live: the seats that have not folded, in seat order.
        queue: the seats that still have to act, in order.
        highest: the most chips that a seat has put in on this street.
        full_raise: chips of the last full bet or raise on this street; the least size of one before that.
        bets: bets made on this street, for games that limit their number.
        acted: the seats that have acted on this street.
        loop: which loop of the street this is, from 1, where betting goes in loops.
        raised: whether any seat has raised in this loop.
        aggressor: the seat that bet or raised last on the last street with a bet; None if nobody did.
    """

    betting: Betting
    deck: tuple[Card, ...]
    starting: tuple[int, ...]
    stacks: tuple[int, ...]
    pot: int
    dead: int
    before: tuple[int, ...]
    put: tuple[int, ...]
    number: int
    button: int
    live: tuple[int, ...]
    queue: tuple[int, ...]
    highest: int
    full_raise: int
    bets: int
    acted: frozenset[int]
    loop: int
    raised: bool
    aggressor: int | None

    @property
    def to_act(self) -> int | None:
        """The seat that must choose now, or None when the hand is over."""
        return self.queue[0] if self.queue else None

    @property
    def board(self) -> tuple[Card, ...]:
        first = 2 * len(self.stacks)
        return self.deck[first : first + BOARD[self.number]]

    def hole(self, seat: int) -> tuple[Card, ...]:
        """The two cards that only ``seat`` sees."""
        return self.deck[2 * seat : 2 * seat + 2]

    def legal(self) -> Legal:
        """What the seat to act may do; a fold always may."""
        seat = self.queue[0]
        return Legal(min(self.highest - self.put[seat], self.stacks[seat]), self._raises(seat))

    def _raises(self, seat: int) -> range:
        """Chips that a raise of ``seat`` may put in."""
        stack, owed = self.stacks[seat], self.highest - self.put[seat]
        if stack <= owed or not self._may_raise(seat, owed):
            return NO_RAISE
        least = owed + self.full_raise
        if stack <= least:
            return range(stack, stack + 1)
        limit = self.betting.limit
        if limit == "no-limit":
            most = stack
        elif limit == "pot-limit":
            # "The pot after the call": what is owed counts twice, once to call and once in the pot that it makes.
            most = min(stack, max(least, 2 * owed + self.pot))
        else:
            most = least
        return range(least, most + 1)

    def _may_raise(self, seat: int, owed: int) -> bool:
        """Whether ``seat``, which could pay for it, may raise.

        An all-in for less than a full raise does not let a seat raise again that has acted: it must be facing a full
        raise, which several short ones may make together.
        """
        betting = self.betting
        if betting.loops:
            if self.loop >= betting.loops:
                return False
        elif (betting.most_bets and self.bets >= betting.most_bets) or (seat in self.acted and owed < self.full_raise):
            return False
        stacks, put, highest = self.stacks, self.put, self.highest
        # A loop, because a generator costs as much again as what it looks at, several times in each decision.
        for other in self.live:  # noqa: SIM110
            if other != seat and stacks[other] + put[other] > highest:
                return True
        return False

    def view(self, seat: int) -> HoldemTurn:
        """What ``seat`` may know: its own cards, the board, and what everybody has put in."""
        stacks, put, live, deck, number = self.stacks, self.put, self.live, self.deck, self.number
        stack, owed = stacks[seat], self.highest - put[seat]
        raises = self._raises(seat)
        seats = []
        # A loop, because a comprehension is a call of its own, and so is a property such as the board.
        for other, chips in enumerate(stacks):
            state = "folded" if other not in live else "live" if chips else "allin"
            seats.append(made(SeatView, (chips, put[other], state)))
        first = 2 * len(stacks)
        return made(
            HoldemTurn,
            (
                number,
                stack,
                self.pot,
                owed if owed < stack else stack,
                (deck[2 * seat], deck[2 * seat + 1]),
                deck[first : first + BOARD[number]],
                raises.start,
                raises.stop - 1 if raises else 0,
                tuple(seats),
                self.button,
            ),
        )

    def apply(self, action: Action) -> Self:
        """The hand after the seat to act has checked, called, raised or folded.

        Raises:
            IllegalAction: the bet is neither what is owed nor a raise of an allowed size.
        """
        if isinstance(action, Fold):
            return self.concede()
        seat, amount = self.queue[0], action.amount
        stack = self.stacks[seat]
        if amount != min(self.highest - self.put[seat], stack) and amount not in self._raises(seat):
            raise IllegalAction(why_illegal(amount, stack, self.legal()))
        return self._bet(amount).moved_on()

    def _bet(self, amount: int) -> Self:
        """The hand after the seat to act has put in ``amount``; nothing else has moved on."""
        seat, queue = self.queue[0], self.queue[1:]
        put, stacks = self.put, self.stacks
        total = put[seat] + amount
        if amount:
            put = (*put[:seat], total, *put[seat + 1 :])
            stacks = (*stacks[:seat], stacks[seat] - amount, *stacks[seat + 1 :])
        full_raise, raised, bets, aggressor, highest = (
            self.full_raise,
            self.raised,
            self.bets,
            self.aggressor,
            self.highest,
        )
        if total > highest:
            full_raise = max(full_raise, total - highest)
            raised, bets, aggressor, highest = True, bets + 1, seat, total
            if not self.betting.loops:
                queue = self._in_turn(seat + 1, stacks, without=seat)
        return made(
            self.__class__,
            (
                self.betting,
                self.deck,
                self.starting,
                stacks,
                self.pot + amount,
                self.dead,
                self.before,
                put,
                self.number,
                self.button,
                self.live,
                queue,
                highest,
                full_raise,
                bets,
                self.acted | {seat},
                self.loop,
                raised,
                aggressor,
            ),
        )

    def concede(self) -> Self:
        """The hand after the seat to act has folded."""
        seat = self.queue[0]
        live = tuple([other for other in self.live if other != seat])
        return self._replace(live=live, queue=self.queue[1:] if len(live) > 1 else ()).moved_on()

    def _in_turn(self, first: int, stacks: Sequence[int], without: int | None = None) -> tuple[int, ...]:
        """Live seats with chips in acting order, from seat ``first`` on."""
        return in_turn(self.live, first, stacks, without)

    def moved_on(self) -> Self:
        """Act for seats without a choice, end loops and streets, until a seat has a choice or the hand is over."""
        hand = self
        while True:
            if hand.queue:
                seat = hand.queue[0]
                if hand.put[seat] < hand.highest or (hand.stacks[seat] and hand._may_raise(seat, 0)):
                    return hand
                hand = hand._bet(0)
            elif len(hand.live) == 1:
                return hand._over()
            elif hand.betting.loops and hand.raised:
                queue = hand._in_turn(hand._opener, hand.stacks)
                hand = hand._replace(queue=queue, loop=hand.loop + 1, raised=False)
            elif hand.number == STREETS:
                return hand._over()
            else:
                hand = hand._next_street()

    @property
    def _opener(self) -> int:
        """The seat from which a loop goes round: as games in loops have no blinds, left of the button."""
        return self.button + 1

    def _collected(self) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
        """``stacks``, ``pot`` and ``before`` after a street: what nobody called goes back, and bets move to the pot."""
        put, stacks, pot, highest = self.put, self.stacks, self.pot, self.highest
        if not highest:
            return stacks, pot, self.before
        if put.count(highest) == 1:
            seat = put.index(highest)
            called = sorted(put)[-2]
            back = highest - called
            put = (*put[:seat], called, *put[seat + 1 :])
            stacks = (*stacks[:seat], stacks[seat] + back, *stacks[seat + 1 :])
            pot -= back
        before = tuple([earlier + now for earlier, now in zip(self.before, put, strict=True)])
        return stacks, pot, before

    def _over(self) -> Self:
        """The hand after its last street."""
        stacks, pot, before = self._collected()
        return self._replace(stacks=stacks, pot=pot, before=before, put=(0,) * len(stacks), highest=0)

    def _next_street(self) -> Self:
        stacks, pot, before = self._collected()
        number = self.number + 1
        return made(
            self.__class__,
            (
                self.betting,
                self.deck,
                self.starting,
                stacks,
                pot,
                self.dead,
                before,
                (0,) * len(stacks),
                number,
                self.button,
                self.live,
                self._in_turn(self.button + 1, stacks),
                0,
                self.betting.bet_size(number),
                0,
                frozenset(),
                1,
                False,
                self.aggressor,
            ),
        )

    def public(self) -> PublicHand:
        """What everybody sees: the board, stacks, bets and pots."""
        put, live = self.put, self.live
        seats = tuple(
            [
                PublicSeat(stack, put[seat], seat in live, (), 2, all_in=not stack and seat in live)
                for seat, stack in enumerate(self.stacks)
            ]
        )
        return PublicHand(self.number, self.pot, self._pots(), self.board, seats, self.button, self.to_act)

    def _pots(self) -> Pots:
        put = [earlier + now for earlier, now in zip(self.before, self.put, strict=True)]
        return side_pots(put, self.live, self.dead)

    def _holes(self) -> dict[int, tuple[Card, ...]]:
        """The hole cards of the live seats."""
        deck = self.deck
        return {seat: deck[2 * seat : 2 * seat + 2] for seat in self.live}

    def run_out(self, street: int) -> RunOut | None:
        if len(self.live) == 1 or street >= STREETS:
            return None
        first = 2 * len(self.stacks)
        holes, board = self._holes(), self.deck[first : first + BOARD[street]]
        if UNKNOWN in (*board, *[card for hole in holes.values() for card in hole]):
            return None
        return run_out(street, DECK, holes, board, self._pots())

    def settle(self) -> Settlement:
        """Who wins which pot, after a showdown or because all others have folded."""
        if len(self.live) == 1:
            return all_folded(self.live[0], self.pot, self.starting, self.stacks)
        first = (self.button + 1) % len(self.stacks)
        pots = side_pots(self.before, self.live, self.dead)  # of all streets, as none is under way
        showdown = Showdown(self._holes(), self.board, pots, first, self.aggressor)
        return showdown.settlement(self.starting, self.stacks)


def in_turn(live: tuple[int, ...], first: int, stacks: Sequence[int], without: int | None = None) -> tuple[int, ...]:
    """Seats of ``live``, which is in seat order, with chips in acting order, from ``first`` on, but for ``without``."""
    place = bisect_left(live, first % len(stacks))
    order = live[place:] + live[:place]
    if without is None and all(stacks):
        return order
    return tuple([seat for seat in order if stacks[seat] and seat != without])

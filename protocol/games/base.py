"""The contract of a hand: an immutable value that says whose turn it is and what is allowed.

    while (seat := hand.to_act) is not None:
        hand = hand.apply(await decide(hand, seat))

The dealer, the in-process arena, replay and the tests all drive a hand with this loop. Chance enters
as a deck that was drawn elsewhere (``Game.chance``). Chips are ``int``, and every step conserves them.

Three doors lead out of a hand, and nothing outside the file of its game reads anything else:

    view(seat)   what the seat to act is told; the view is the message
    public()     what every spectator sees
    hole(seat)   a seat's hidden cards, for the host and the journal alone
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from protocol.cards import Card, Piece


class IllegalAction(Exception):
    """A well-formed action that the rules forbid now. The text is read by the student who sent it."""


@dataclass(frozen=True, slots=True)
class Bet:
    """Put ``amount`` chips into the pot *now*: 0 is a check, what is owed is a call, more is a raise."""

    amount: int


@dataclass(frozen=True, slots=True)
class Fold:
    """Give up the hand and every chip already put in."""


Action = Bet | Fold

FOLD = Fold()

#: Makes a named tuple of its fields in order: ``made(StudTurn, (1, 499, ...))``. To call the class takes twice as long,
#: because that is a function in Python, and each decision of a hand makes three to five of them.
made = tuple.__new__


@dataclass(frozen=True, slots=True)
class Legal:
    """What the seat to act may do: put in exactly ``to_call`` chips, or any amount in ``raises``, or fold.

    Attributes:
        to_call: chips that a check (0) or a call puts in.
        raises: chips that a raise may put in; a ``range`` with a step for games with fixed bets, empty if no raise.
        fold: whether a fold is allowed.
        call: whether ``to_call`` is allowed.
    """

    to_call: int
    raises: range
    fold: bool = True
    call: bool = True

    def __contains__(self, action: Action) -> bool:
        if isinstance(action, Fold):
            return self.fold
        return (self.call and action.amount == self.to_call) or action.amount in self.raises

    def __iter__(self) -> Iterator[Action]:
        """Every legal action once: the fold if there is one, the call, then raises from small to large."""
        if self.fold:
            yield FOLD
        if self.call:
            yield Bet(self.to_call)
        for amount in self.raises:
            yield Bet(amount)


class Turn(Protocol):
    """What the seat to act is told: the view *is* the message. Each game adds its cards to these fields."""

    @property
    def street(self) -> int:
        """The street under way; the first is 1."""

    @property
    def stack(self) -> int | None:
        """Chips the seat has left; None in games whose messages do not tell."""

    @property
    def pot(self) -> int:
        """Chips put in by everybody so far."""

    @property
    def owed(self) -> int:
        """Chips to put in to stay."""

    @property
    def own(self) -> tuple[Piece, ...]:
        """The seat's own cards, hole cards first."""

    def legal(self) -> Legal:
        """What this seat may answer."""


class Status(NamedTuple):
    """What one seat is told when a hand is over.

    Attributes:
        won: whether it collected any of the pot, in a hand that was not tied.
        cards: the winning cards, hole cards first; only the up cards where the game shows no more.
        tied: whether the best hands were equal.
        shown: the hole cards turned up at a showdown, by seat.
        collected: chips that each winner collected, by seat, in games that tell.
    """

    won: bool
    cards: tuple[Card, ...]
    tied: bool = False
    shown: tuple[tuple[int, tuple[Card, ...]], ...] = ()
    collected: tuple[tuple[int, int], ...] = ()


#: The kind and the reason of a pot that was won without a showdown.
FOLDED = "all others folded"


class Pot(NamedTuple):
    """A part of the chips of a finished hand, and who won it, and why: said once, by the rules.

    Attributes:
        chips: in this pot.
        shares: chips that each winner collects, as (seat, chips); they add up to ``chips``.
        kind: what it was won with, in a few words that many hands share, one of ``Game.kinds``: "flush". Empty
            where nobody knows.
        why: the same in words and cards: "a flush, king high".
        shown: whether the table was shown the cards that won it. Where it was not, ``why`` is for the host alone.
    """

    chips: int
    shares: tuple[tuple[int, int], ...]
    kind: str
    why: str
    shown: bool = True

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share it."""
        return tuple(seat for seat, _ in self.shares)


class Settlement(NamedTuple):
    """How a finished hand ends; ``cards``, ``tied`` and ``shown`` are those of its ``Status``.

    Attributes:
        payoffs: chips each seat won (positive) or lost (negative); with what the pot gains or loses
            between hands they add up to zero.
        shares: chips each seat collects from all pots; with ``carried`` they add up to the chips in the pot.
        carried: chips that stay in the pot for the next hand.
        pots: the same chips as ``shares``, by what they were won for; the main pot first.
        ties: seats that are told of a tie although others won.
        told_shares: whether everybody is told who collected how much.
        told: what each seat is told, in games that tell each seat something of its own: a message of a type that
            ``GameText.statuses`` has, or None for a seat that is told nothing. Empty in games that tell a ``Status``.
    """

    payoffs: tuple[int, ...]
    shares: tuple[int, ...]
    cards: tuple[Any, ...]
    tied: bool = False
    carried: int = 0
    shown: tuple[tuple[int, tuple[Any, ...]], ...] = ()
    pots: tuple[Pot, ...] = ()
    ties: tuple[int, ...] = ()
    told_shares: bool = False
    told: tuple[Any, ...] = ()

    def statuses(self) -> list[Any]:
        """What each seat is told, folded or not; None for a seat that is told nothing.

        Where a game tells a ``Status``, all winners share one value, and so do all losers.
        """
        if self.told:
            return list(self.told)
        collected = self._collected() if self.told_shares else ()
        won = Status(not self.tied, self.cards, self.tied, self.shown, collected)
        lost = Status(False, self.cards, self.tied, self.shown, collected)
        told = [won if share else lost for share in self.shares]
        if self.ties:
            tie = Status(False, self.cards, True, self.shown, collected)
            told = [tie if seat in self.ties else status for seat, status in enumerate(told)]
        return told

    def why(self, seat: int) -> str:
        """The reason why a seat won its pots, in words and cards; empty if it won no pot."""
        return " and ".join(dict.fromkeys(pot.why for pot in self.pots if seat in pot.winners))

    def _collected(self) -> tuple[tuple[int, int], ...]:
        return tuple([(seat, share) for seat, share in enumerate(self.shares) if share])


class PublicSeat(NamedTuple):
    """A seat as everybody sees it.

    Attributes:
        stack: chips in front of it, without the pot.
        put: chips it has put in on this street.
        live: whether it has not folded.
        up: its cards that lie face up.
        hidden: how many of its cards lie face down.
        all_in: whether it is in with its last chip, in games in which that is possible.
    """

    stack: int
    put: int
    live: bool
    up: tuple[Piece, ...]
    hidden: int
    all_in: bool = False


class PublicHand(NamedTuple):
    """A hand as every spectator sees it: no card that lies face down.

    Attributes:
        street: under way, or the last one; the first is 1.
        pot: chips put in by all seats so far.
        pots: the same chips as main pot and side pots, as (chips, seats that can win them); the main pot first.
        board: the cards that belong to all seats.
        seats: by seat.
        button: the seat with the button; None in games without one.
        to_act: the seat that must choose now; None when the hand is over.
    """

    street: int
    pot: int
    pots: tuple[tuple[int, tuple[int, ...]], ...]
    board: tuple[Piece, ...]
    seats: tuple[PublicSeat, ...]
    button: int | None
    to_act: int | None

    def side_pots(self) -> list[tuple[int, tuple[int, ...]]]:
        """Main pot and side pots as in ``pots``, the main pot first; empty where there is only one.

        Bets that are not equal yet make no pots: a side pot begins where a seat is all in.
        """
        made: list[tuple[int, tuple[int, ...]]] = []
        for chips, able in self.pots:
            before = made[-1][1] if made else ()
            if made and not any(self.seats[seat].all_in for seat in before if seat not in able):
                made[-1] = (made[-1][0] + chips, before)
            else:
                made.append((chips, able))
        return made if len(made) > 1 else []


class Hand(Protocol):
    """One deal from ante to payoff. Frozen: ``apply`` returns the next hand and leaves this one alone."""

    @property
    def to_act(self) -> int | None:
        """The seat that must choose now, or None when the hand is over."""

    @property
    def starting(self) -> tuple[int, ...]:
        """Chips of each seat before the hand."""

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips in front of each seat, without the pot."""

    @property
    def pot(self) -> int:
        """Chips put in by all seats so far."""

    @property
    def number(self) -> int:
        """The street under way, or the last one; the first is 1."""

    @property
    def live(self) -> tuple[int, ...]:
        """The seats that have not given up, in seat order."""

    def legal(self) -> Legal:
        """What the seat to act may do."""

    def apply(self, action: Action) -> Self:
        """The hand after the seat to act has acted.

        Raises:
            IllegalAction: ``legal()`` does not contain the action.
        """

    def concede(self) -> Self:
        """The hand after the seat to act has given it up, which a fault may force where a fold is not allowed."""

    def view(self, seat: int) -> Turn:
        """All that ``seat``, which has not given up, may know."""

    def public(self) -> PublicHand:
        """What every spectator sees."""

    def hole(self, seat: int) -> tuple[Piece, ...]:
        """The cards of ``seat`` that lie face down. For the host and the journal; a player never sees another's."""

    def settle(self) -> Settlement:
        """Divide the pot of a finished hand."""

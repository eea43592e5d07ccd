"""What every game looks like from outside: an immutable hand that says whose turn it is.

    while (seat := hand.to_act) is not None:
        hand = hand.apply(await decide(hand, seat))

The dealer, the in-process arena, replay and the tests all drive a hand with this loop. Chance enters
as a deck that someone else drew; chips are ``int`` and every step conserves them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

from protocol.cards import Card


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


@dataclass(frozen=True, slots=True)
class Legal:
    """What the seat to act may do: put in exactly ``to_call``, or any amount in ``raises``, or fold.

    ``call`` and ``fold`` say whether those two are allowed.
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
    """What the seat to act is told: the view *is* the message."""

    @property
    def stack(self) -> int:
        """Chips the seat has left."""

    @property
    def pot(self) -> int:
        """Chips put in by everybody so far."""

    @property
    def owed(self) -> int:
        """Chips to put in to stay."""

    @property
    def hole(self) -> Card:
        """The card that only this seat sees."""

    @property
    def up(self) -> tuple[Card, ...]:
        """Its cards that everybody sees."""

    def legal(self) -> Legal:
        """What this seat may answer."""


class Status(NamedTuple):
    """What one seat hears when a hand is over.

    Attributes:
        won: whether it collected any of the pot, in a hand that was not tied.
        cards: the winning cards, hole card first; only those everybody saw where the game shows no more.
        tied: whether the best hands were equal.
        shown: hole cards turned up at a showdown, with the seats they belong to.
    """

    won: bool
    cards: tuple[Card, ...]
    tied: bool = False
    shown: tuple[tuple[int, Card], ...] = ()


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a finished hand ends.

    Attributes:
        payoffs: chips each seat won (positive) or lost (negative); with what the pot gains or loses
            between hands they add up to zero.
        shares: chips each seat collects from the pot; with ``carried`` they add up to the pot.
        cards: see ``Status``.
        tied: see ``Status``.
        carried: chips that stay in the pot for the next hand.
        shown: see ``Status``.
    """

    payoffs: tuple[int, ...]
    shares: tuple[int, ...]
    cards: tuple[Card, ...]
    tied: bool = False
    carried: int = 0
    shown: tuple[tuple[int, Card], ...] = ()

    def statuses(self) -> list[Status]:
        """What each seat is told, folded or not. All winners share one value, and so do all losers."""
        won, lost = (Status(won, self.cards, self.tied, self.shown) for won in (not self.tied, False))
        return [won if share else lost for share in self.shares]


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
        """All that ``seat``, which has not given up, may know: the only door out of a hand."""

    def settle(self) -> Settlement:
        """Divide the pot of a finished hand."""

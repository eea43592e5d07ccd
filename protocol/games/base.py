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
    """What the seat to act may do: fold, put in exactly ``to_call``, or any amount in ``raises``."""

    to_call: int
    raises: range
    fold: bool = True

    def __contains__(self, action: Action) -> bool:
        if isinstance(action, Fold):
            return self.fold
        return action.amount == self.to_call or action.amount in self.raises

    def __iter__(self) -> Iterator[Action]:
        """Every legal action once: the fold if there is one, the call, then raises from small to large."""
        if self.fold:
            yield FOLD
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

    def legal(self) -> Legal:
        """What this seat may answer."""


class Status(NamedTuple):
    """What one seat hears when a hand is over: whether it collected any of the pot, and the winning cards."""

    won: bool
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a finished hand ends.

    Attributes:
        payoffs: chips each seat won (positive) or lost (negative); they add up to zero.
        shares: chips each seat collects from the pot; they add up to the pot.
        cards: the cards of the winning hand, hole cards first.
    """

    payoffs: tuple[int, ...]
    shares: tuple[int, ...]
    cards: tuple[Card, ...]

    def status(self, seat: int) -> Status:
        """What ``seat`` is told; everybody dealt in is, folded or not."""
        return Status(self.shares[seat] > 0, self.cards)


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

    def legal(self) -> Legal:
        """What the seat to act may do."""

    def apply(self, action: Action) -> Self:
        """The hand after the seat to act has acted.

        Raises:
            IllegalAction: ``legal()`` does not contain the action.
        """

    def view(self, seat: int) -> Turn:
        """All that ``seat``, which is to act, may know: the only door out of a hand."""

    def settle(self) -> Settlement:
        """Divide the pot of a finished hand."""

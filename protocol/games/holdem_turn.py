"""What the seat to act is told in Texas Hold'em."""

from typing import NamedTuple

from protocol.cards import Card
from protocol.games.base import Legal
from protocol.games.holdem_betting import NO_RAISE


class SeatView(NamedTuple):
    """A seat as the others see it.

    Attributes:
        stack: chips in front of it.
        put: chips it has put in on this street.
        state: whether it is "live", has "folded" or is "allin".
    """

    stack: int
    put: int
    state: str


class HoldemTurn(NamedTuple):
    """All that the seat to act may know.

    Attributes:
        street: 1 before the flop, then 2 (flop), 3 (turn) and 4 (river).
        stack: chips left.
        pot: chips put in by everybody so far.
        owed: chips to put in to stay: what the others have bet more, or the whole stack if that is less.
        hole: the two cards only this seat sees.
        board: 0, 3, 4 or 5 cards that belong to all.
        least: chips that the smallest raise puts in now; 0 if no raise is allowed.
        most: chips that the largest raise puts in now; equal to ``least`` where only one size is allowed.
        seats: by seat, own included.
        button: the seat with the button, which acts last from the flop on.
    """

    street: int
    stack: int
    pot: int
    owed: int
    hole: tuple[Card, Card]
    board: tuple[Card, ...]
    least: int
    most: int
    seats: tuple[SeatView, ...]
    button: int

    @property
    def own(self) -> tuple[Card, ...]:
        """The two hole cards."""
        return self.hole

    def legal(self) -> Legal:
        """What may be answered; a fold always may."""
        return Legal(self.owed, range(self.least, self.most + 1) if self.least else NO_RAISE)

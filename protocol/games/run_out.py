"""A street of a finished hand on which nobody could act any more, so that all who were in showed their cards."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from protocol.cards import Card

#: Who wins each pot, as (chips, winning seats); the main pot first.
PotsWon = tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class RunOut:
    """What everybody knows on such a street.

    Cards of seats that have folded may still come, because the table does not see those.

    Attributes:
        board: the cards on the board.
        live: the seats that are in.
        pots_won: counts all boards that may come, by who wins each pot.
    """

    street: int
    board: tuple[Card, ...]
    live: tuple[int, ...]
    pots_won: Callable[[], Mapping[PotsWon, int]]

"""A street of a finished hand on which nobody could act any more, so that all who were in showed their cards."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from protocol.cards import Card

#: Who wins each pot, as (chips, winning seats); the main pot first.
PotsWon = tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class RunOut:
    """What everybody knows on such a street, and what each card that may still come decides.

    Attributes:
        board: the cards on the board.
        missing: how many cards will still be dealt to the board.
        unseen: the cards from which they may come: all but the board and the cards that are shown. Cards of seats that
            have folded are among them, because the table does not see those.
        codes: the unseen cards as numbers; the code of several is the sum of theirs.
        pots_won: who wins each pot if cards with this code complete the board, and in how many of several such boards.
            It takes many boards at once, because a call for each would take most of the time.
    """

    street: int
    board: tuple[Card, ...]
    missing: int
    unseen: tuple[Card, ...]
    codes: tuple[int, ...]
    live: tuple[int, ...]
    pots_won: Callable[[Sequence[int]], Mapping[PotsWon, int]]

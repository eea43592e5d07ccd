"""A format as the ledger sees it: how many rounds there are, who sits together in each, and what they come to."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player


class Format(Protocol):
    """One tournament's format, with what its rounds have come to."""

    @property
    def rounds(self) -> int:
        """How many there are."""

    @property
    def eliminates(self) -> bool:
        """Whether whose chips are gone is out of the round."""

    @property
    def fewest(self) -> int:
        """With how many players who have not left another round still counts."""

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """Who sits together in a round.

        Args:
            number: of the round, from 1.
            here: who has not left.
        """

    def end_round(self, tables: Sequence[TableState], places: Mapping[Player, int]) -> None:
        """Count a round that was played to its end.

        Args:
            tables: of the round.
            places: of those who began it, as a freezeout gives them.
        """

    def points(self) -> Mapping[Player, int]:
        """Half points of everybody, where ``merits`` are not None."""

    def merits(self) -> Mapping[Player, tuple[int, ...]] | None:
        """What places in the tournament go by, more being better; None if they are those of the only round."""

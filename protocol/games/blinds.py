"""Blinds: what some seats post before the cards, with antes and a straddle, and how that rises."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from protocol.games.stakes import level_factor


@dataclass(frozen=True, slots=True)
class Blinds:
    """Chips asked before a hand. A player with a chip is always dealt in: it posts what it has.

    Attributes:
        small: the small blind.
        big: the big blind; 0 for games without blinds.
        ante: from every seat, before the blinds.
        big_blind_ante: from the seat with the big blind alone, for all.
        straddle: from the seat left of the big blind, as one more blind; not with two players.
    """

    small: int
    big: int
    ante: int = 0
    big_blind_ante: int = 0
    straddle: int = 0

    @property
    def text(self) -> str:
        parts = [f"blinds of {self.small} and {self.big}"] if self.big else []
        parts += [f"an ante of {self.ante}"] if self.ante else []
        parts += [f"a big blind's ante of {self.big_blind_ante}"] if self.big_blind_ante else []
        parts += [f"a straddle of {self.straddle}"] if self.straddle else []
        return " and ".join(parts) or "no blinds"

    @property
    def facts(self) -> dict[str, int]:
        facts = {"small_blind": self.small, "big_blind": self.big} if self.big else {}
        others = {"ante": self.ante, "big_blind_ante": self.big_blind_ante, "straddle": self.straddle}
        return facts | {name: chips for name, chips in others.items() if chips}

    def at_level(self, level: int) -> Self:
        """Levels count from 1."""
        factor = level_factor(level)
        return replace(
            self,
            small=self.small * factor,
            big=self.big * factor,
            ante=self.ante * factor,
            big_blind_ante=self.big_blind_ante * factor,
            straddle=self.straddle * factor,
        )

    def payable(self, stacks: Sequence[int]) -> Self:
        """As they are, since a player posts what it has."""
        return self

    def smallest(self) -> Self:
        """As they are, since a player with one chip is dealt in."""
        return self

    def posted(self, seats: int, small: int | None, big: int) -> list[int]:
        """Chips that each of so many seats posts as its first bet.

        Args:
            seats: dealt in.
            small: the seat with the small blind; None where its player has left.
            big: the seat with the big blind.
        """
        posted = [0] * seats
        posted[big] = self.big
        if small is not None:
            posted[small] = self.small
        if self.straddle and seats > 2:
            posted[(big + 1) % seats] = self.straddle
        return posted

    def antes(self, seats: int, big: int) -> list[int]:
        """Chips that each of so many seats puts into the pot before the blinds."""
        antes = [self.ante] * seats
        antes[big] += self.big_blind_ante
        return antes

"""What a game asks of every player before a hand, and how that rises from level to level."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

#: An ante of 1 at the first levels, ...
_FIRST = (1, 2, 3, 5, 8)
#: ... and then ten times as much every six levels: about half as much again from level to level, in round numbers.
_DECADE = (10, 15, 20, 30, 50, 80)


def level_factor(level: int) -> int:
    """How many times the stakes of level 1 a level asks for; levels count from 1."""
    if level <= len(_FIRST):
        return _FIRST[level - 1]
    decades, step = divmod(level - len(_FIRST) - 1, len(_DECADE))
    return _DECADE[step] * int(10**decades)


class Stakes(Protocol):
    """Chips asked before a hand: antes, or blinds. A tournament with levels asks for more as it goes on."""

    @property
    def text(self) -> str:
        """The stakes in words, as a player is told them: "the ante of 4"."""

    @property
    def facts(self) -> dict[str, int]:
        """The chips asked, by name: {"ante": 4}."""

    def at_level(self, level: int) -> Self:
        """These stakes, which are those of level 1, at another level."""

    def payable(self, stacks: Sequence[int]) -> Self:
        """The stakes reduced so that at least two of ``stacks`` (chips) can pay them, and a hand can be dealt."""

    def smallest(self) -> Self:
        """The least stakes of this sort, which everybody with a chip can pay."""


@dataclass(frozen=True, slots=True)
class Antes:
    """The same number of chips from every seat."""

    ante: int

    @property
    def text(self) -> str:
        return f"the ante of {self.ante}"

    @property
    def facts(self) -> dict[str, int]:
        return {"ante": self.ante}

    def at_level(self, level: int) -> "Antes":
        """Levels count from 1."""
        return Antes(self.ante * level_factor(level))

    def payable(self, stacks: Sequence[int]) -> "Antes":
        """The ante, or what the second largest stack holds if that is less.

        A player who waits alone at a table counts too: an ante above its stack would put it out of the tournament
        although no hand was played.
        """
        return Antes(min([self.ante, *sorted(stacks, reverse=True)[:2]]))

    def smallest(self) -> "Antes":
        return Antes(1)

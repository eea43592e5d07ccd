"""Hands in a row between the same players: what one hand leaves behind for the next."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from protocol.cards import Card
from protocol.games.base import Hand, Settlement

MIN_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Match(ABC):
    """Who is dealt in next, with how many chips. Frozen: every change is a new match.

    Attributes:
        stacks: chips of every player, in the order given at the start; who left keeps what was in front.
        seated: the players who are dealt in next, in seat order; seat ``i`` of a hand is ``seated[i]``.
    """

    stacks: tuple[int, ...]
    seated: tuple[int, ...]

    @abstractmethod
    def deal(self, deck: Sequence[Card]) -> Hand:
        """The next hand, from a whole shuffled deck."""

    @abstractmethod
    def can_play(self, stack: int) -> bool:
        """Whether ``stack`` chips are enough to be dealt in."""

    @property
    def total(self) -> int:
        """All chips of the match: everybody's, and what waits in a pot between hands. No hand changes it."""
        return sum(self.stacks)

    @property
    def over(self) -> bool:
        """Whether no hand follows."""
        return len(self.seated) < MIN_PLAYERS

    def record(self, settlement: Settlement) -> Self:
        """The match after a hand between all who are seated: chips moved, busted players out."""
        stacks = list(self.stacks)
        for player, payoff in zip(self.seated, settlement.payoffs, strict=True):
            stacks[player] += payoff
        seated = tuple(player for player in self.seated if self.can_play(stacks[player]))
        return replace(self, stacks=tuple(stacks), seated=seated)

    def without(self, player: int) -> Self:
        """The match after ``player`` has left for good, whose chips leave the table too."""
        return replace(self, seated=tuple(other for other in self.seated if other != player))

    def release(self, player: int) -> Self:
        """The match after ``player`` has taken its chips elsewhere; all behind it move up by one."""
        stacks = (*self.stacks[:player], *self.stacks[player + 1 :])
        return replace(
            self, stacks=stacks, seated=tuple(other - (other > player) for other in self.seated if other != player)
        )

    def join(self, stack: int) -> Self:
        """The match after one more player has sat down behind all others, with chips from elsewhere."""
        return replace(self, stacks=(*self.stacks, stack), seated=(*self.seated, len(self.stacks)))

    def charge(self, ante: int) -> Self:
        """The match with another ante from now on: who cannot pay that is not dealt in.

        Raises:
            ValueError: the game has no ante.
        """
        raise ValueError("this game has no ante that could rise")

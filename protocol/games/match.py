"""Hands in a row between the same players: what one hand leaves behind for the next."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any, Self

from protocol.games.base import Hand, Settlement
from protocol.games.stakes import Stakes

MIN_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Match(ABC):
    """Who is dealt in next, with how many chips. Frozen: every change is a new match.

    Attributes:
        stacks: chips of every player, in the order given at the start; who left keeps what was in front.
        seated: the players who are dealt in next, in seat order; seat ``i`` of a hand is ``seated[i]``.
        button: the player who has the button in the next hand; None in games without one.
        waiting: players who sit here but are dealt in later than in the next hand.
    """

    stacks: tuple[int, ...]
    seated: tuple[int, ...]
    button: int | None = field(default=None, kw_only=True)
    waiting: tuple[int, ...] = field(default=(), kw_only=True)

    @abstractmethod
    def deal(self, outcome: Any) -> Hand:
        """The next hand, from what chance decided: for most games the cards of a whole shuffled deck."""

    @abstractmethod
    def can_play(self, stack: int) -> bool:
        """Whether ``stack`` chips are enough to be dealt in."""

    @property
    def imported(self) -> bool:
        """Whether the next hand is one that others dealt, as ``Game.recorded_match`` makes it."""
        return False

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
        return replace(self, **self._after(settlement))

    def _after(self, settlement: Settlement) -> dict[str, Any]:
        """The fields that every game's ``record`` changes, so that it makes one new match and no more."""
        stacks = list(self.stacks)
        for player, payoff in zip(self.seated, settlement.payoffs, strict=True):
            stacks[player] += payoff
        seated = self.seated
        if not self.can_play(min([stacks[player] for player in seated])):
            seated = tuple([player for player in seated if self.can_play(stacks[player])])
        return {"stacks": tuple(stacks), "seated": seated}

    def without(self, player: int) -> Self:
        """The match after ``player`` has left for good, whose chips leave the table too."""
        return replace(self, seated=tuple(other for other in self.seated if other != player))

    def release(self, player: int) -> Self:
        """The match after ``player`` has taken its chips elsewhere; all behind it move up by one."""
        stacks = (*self.stacks[:player], *self.stacks[player + 1 :])
        seated = tuple(other - (other > player) for other in self.seated if other != player)
        return replace(self, stacks=stacks, seated=seated, button=_button_without(player, self.button, len(stacks)))

    def join(self, stack: int) -> Self:
        """The match after one more player has sat down behind all others, with chips from elsewhere."""
        return replace(self, stacks=(*self.stacks, stack), seated=(*self.seated, len(self.stacks)))

    def charge(self, stakes: Stakes) -> Self:
        """The match with other stakes from now on: a player who cannot pay them is not dealt in.

        Raises:
            ValueError: the stakes of this game do not change.
        """
        raise ValueError(f"this game does not play for {stakes.text}")


@dataclass(frozen=True, slots=True)
class MatchOfHands(Match):
    """A game of so many hands, in which a player goes on with chips below zero.

    Attributes:
        hands: in a game.
        played: hands finished.
    """

    hands: int
    played: int = 0

    @property
    def over(self) -> bool:
        """Whether no hand follows: all were played, or one player is left."""
        return self.played >= self.hands or len(self.seated) < MIN_PLAYERS

    def can_play(self, stack: int) -> bool:
        """Always: chips may go below zero."""
        return True

    def _after(self, settlement: Settlement) -> dict[str, Any]:
        return {**Match._after(self, settlement), "played": self.played + 1}


def _button_without(player: int, button: int | None, left: int) -> int | None:
    """Who has the button when ``player`` has gone and ``left`` players are left: the next one, if it was its own."""
    if button is None or not left:
        return None
    return (button - (button > player)) % left

"""One table as the ledger knows it: who sits there, with how many chips, and how far it is."""

from dataclasses import dataclass, field
from typing import NamedTuple

from dealer.lobby.player import Player
from protocol.games.match import Match


class Arrival(NamedTuple):
    """A player on the way to a table, with its chips."""

    player: Player
    stack: int


@dataclass(eq=False, slots=True)
class TableState:
    """One table.

    Attributes:
        number: of the table, from 0; no two of a tournament have the same.
        players: everybody who sits here, or did when it left the tournament.
        match: who is dealt in with how many chips, in the order of ``players``.
        stacks_before: chips of every player before the hand under way, or the last one.
        round: in which it is played, from 1.
        games: how many the table plays.
        hands: how many are played in a game, at most.
        arriving: who sits down before the next hand.
        in_hand: whether a hand is under way.
        game: the number of the game under way; 0 before the first.
        hand_number: of the hand under way, or of the last one; the first hand is 1.
        played: hands finished in the game under way.
        finished: hands finished in all games.
        voided: hands that were dealt and do not count.
        scored: games whose scores were counted; always 0 where players move between tables.
        level: at which the last hand was dealt.
        at_level: hands dealt at that level.
        points: half points that each of ``players`` won in scored games, where nobody moves.
        won: chips that each of them won in those.
    """

    number: int
    players: list[Player]
    match: Match
    stacks_before: tuple[int, ...]
    round: int
    games: int
    hands: int
    arriving: list[Arrival] = field(default_factory=list)
    in_hand: bool = False
    game: int = 0
    hand_number: int = 0
    played: int = 0
    finished: int = 0
    voided: int = 0
    scored: int = 0
    level: int = 1
    at_level: int = 0
    points: list[int] = field(default_factory=list)
    won: list[int] = field(default_factory=list)

    @property
    def seated(self) -> list[Player]:
        """The players who are dealt in next, by seat."""
        return [self.players[index] for index in self.match.seated]

    @property
    def game_over(self) -> bool:
        """True if the game under way has no more hands."""
        return self.match.over or self.played >= self.hands

    @property
    def game_due(self) -> bool:
        """True if a game begins next, at a table between two hands."""
        return self.game == 0 or (self.game < self.games and self.game_over)

    def settle(self, count: int | None = None) -> None:
        """The first ``count`` of those who arrive sit down; all if None."""
        for player, stack in self.arriving[:count]:
            self.players.append(player)
            self.match = self.match.join(stack)
            self.stacks_before += (stack,)
        del self.arriving[:count]

    def release(self, player: Player) -> int:
        """Between two hands a player stands up; its chips."""
        index = self.players.index(player)
        stack = self.match.stacks[index]
        self.players.remove(player)
        self.match = self.match.release(index)
        self.stacks_before = (*self.stacks_before[:index], *self.stacks_before[index + 1 :])
        return stack

    def stacks(self) -> dict[Player, int]:
        """Chips of everybody here, and of those who arrive; during a hand as they were before it."""
        return {**dict(zip(self.players, self.match.stacks, strict=True)), **dict(self.arriving)}

    def chips_before(self, player: Player) -> int:
        """The chips of a player before the hand under way, or the last one."""
        if player in self.players:
            return self.stacks_before[self.players.index(player)]
        return dict(self.arriving)[player]

"""The games of the house."""

from typing import Protocol

from protocol.games.blockhead import BlockheadGame
from protocol.games.match import Match
from protocol.games.stud import StudGame


class Game(Protocol):
    """A game with all that is agreed before its first hand."""

    @property
    def name(self) -> str:
        """The word that names it on the command line and on the wire."""

    @property
    def title(self) -> str:
        """What people call it."""

    @property
    def seats(self) -> range:
        """How many can play at one table."""

    @property
    def cards(self) -> int:
        """How many cards of the deck each seat owns, its hole card first: seat ``i`` those from ``i * cards`` on."""

    @property
    def announced(self) -> bool:
        """Whether players are sent a ``game`` message before the first hand; all games but stud do."""

    @property
    def in_games(self) -> bool:
        """Whether it is played in games, of which each has its winner; else until one player is left."""

    @property
    def rises(self) -> bool:
        """Whether there is an ante that can rise."""

    @property
    def fee(self) -> str:
        """What a player pays before each hand, in words."""

    @property
    def facts(self) -> dict[str, int | str]:
        """What is agreed, by name."""

    def start(self, players: int) -> Match:
        """All players seated, before the first hand."""


GAMES: tuple[type[Game], ...] = (StudGame, BlockheadGame)
GAME_NAMES = tuple(game.name for game in GAMES)

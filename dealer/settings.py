"""What is agreed before the first hand of a tournament."""

from dataclasses import dataclass
from typing import Literal

from protocol.games.game import Game
from protocol.games.stud import StudGame

FormatName = Literal["freezeout", "round-robin", "swiss"]
"""A freezeout is played until one player has all chips: the usual tournament."""

_STUD = StudGame()


@dataclass(frozen=True, slots=True)
class LeagueWords:
    """What a league was started with: house bots by name, and the command lines of other programs."""

    bots: tuple[str, ...]
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenDoors:
    """Where players from elsewhere connect.

    Attributes:
        host: a local address.
        port: for programs that use writeUTF.
        line_port: for programs that send lines; None if there is no such door.
        people_port: for people, who have more time; None if there is no such door.
        people_limit: seconds until a reply through that door is late.
    """

    host: str
    port: int
    line_port: int | None
    people_port: int | None = None
    people_limit: float = 180.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What is agreed before the first hand.

    Attributes:
        seed: 32 bytes from which every deck follows; secret until the end.
        game: what is played.
        hands: each table plays at most this many in a game.
        games: how often everybody starts again with equal stacks; in a duplicate tournament, how many deals there
            are, each of which is played once for every player.
        limit: seconds until a reply is late.
        lives: faults until a player is out; the last one counts.
        table_size: seats at a table, at most.
        seed_text: what ``seed`` was made of, if a text.
        duplicate: whether every deal is played again with the players rotated through the seats.
        rejoin: seconds within which a player whose connection ended may come back; None if that is the end.
        secrets: whether a login must also give a secret, which a player who comes back has to repeat.
        levels: hands of a table after which antes rise; None if they stay as they are.
        format: who meets whom.
        rounds: how often everybody starts anew at new tables; None for as often as the format needs.
        origin: where the players come from; None where nobody needs to know.
    """

    seed: bytes
    game: Game = _STUD
    hands: int = 200
    games: int = 1
    limit: float = 1.0
    lives: int = 1
    table_size: int = StudGame.seats[-1]
    seed_text: str | None = None
    duplicate: bool = False
    rejoin: float | None = None
    secrets: bool = False
    levels: int | None = None
    format: FormatName = "freezeout"
    rounds: int | None = None
    origin: LeagueWords | OpenDoors | None = None

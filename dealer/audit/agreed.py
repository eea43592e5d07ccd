"""What was agreed, read back from the start of a journal."""

from typing import cast, get_args

from dealer.journal.records import Record
from dealer.lobby.player import Player
from dealer.settings import LeagueWords, OpenDoors, Settings
from protocol.games.blockhead import BlockheadGame, Ranks
from protocol.games.game import Game
from protocol.games.stud import StudGame


def settings_of(start: Record) -> Settings:
    """The settings of a tournament, from the record of its start.

    Raises:
        ValueError: a game that this program does not know, or what it needs is missing.
    """
    return Settings(
        start["seed"],
        _game(start),
        start["hands"],
        start["games"],
        start["limit"],
        start["lives"],
        start["table_size"],
        start["seed_text"],
        start["duplicate"],
        start["rejoin"],
        start["secrets"],
        start["levels"],
        start["format"],
        start["rounds"],
        _origin(start["origin"]),
    )


def _origin(facts: Record | None) -> LeagueWords | OpenDoors | None:
    if facts is None:
        return None
    if "bots" in facts:
        return LeagueWords(tuple(facts["bots"]), tuple(facts["commands"]))
    people = facts["people_port"], facts["people_limit"]
    return OpenDoors(facts["host"], facts["port"], facts["line_port"], *people)


def _game(start: Record) -> Game:
    match start["game"]:
        case StudGame.name:
            return StudGame(_count(start, "stack"), _count(start, "ante"))
        case BlockheadGame.name:
            return BlockheadGame(_count(start, "stack"), start["hands"], _ranks(start))
    raise ValueError(f"this program does not know the game {start['game']!r}")


def _count(start: Record, name: str) -> int:
    count = start.get(name)
    if type(count) is not int or count < 1:
        raise ValueError(f"{name}: expected a whole number from 1, got {count!r}")
    return count


def _ranks(start: Record) -> Ranks:
    for ranks in get_args(Ranks):
        if start.get("ranks") == ranks:
            return cast(Ranks, ranks)
    raise ValueError(f"ranks: expected one of {', '.join(get_args(Ranks))}, got {start.get('ranks')!r}")


def player_of(facts: Record, lives: int) -> Player:
    """A player who was there at the start, without a seat."""
    return Player(facts["id"], facts["avatar"], facts["program"], lives=lives, proof=facts["proof"])

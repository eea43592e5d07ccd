"""From flags to what is agreed: the game, and the settings of a tournament of it."""

from dataclasses import replace

from dealer.cli.flags import TournamentFlags
from dealer.errors import OptionError
from dealer.settings import Settings
from protocol.games.blockhead import BlockheadGame
from protocol.games.registry import Game
from protocol.games.stud import StudGame
from protocol.shuffle import seed_from_text

DEFAULT_STUD_HANDS = 200
UNTIL_ONE_IS_LEFT = 10**6
"""Hands that no tournament with rising antes comes to."""

MOST_PLAYERS = 1000

USUAL_TABLE = 8
"""Seats at a table of stud, where many can still follow what happens."""


def agree(game: str, flags: TournamentFlags, seed: str) -> Settings:
    """The settings that the flags describe, with this seed.

    Raises:
        OptionError: a flag belongs to another game, or a stack does not pay an ante.
    """
    agreed = _game(game, flags)
    _check_format(flags)
    return Settings(
        seed_from_text(seed),
        agreed,
        _hands(agreed, flags),
        flags.games,
        flags.limit,
        flags.lives,
        flags.table_size or (USUAL_TABLE if agreed.rises else agreed.seats[-1]),
        seed_text=seed,
        levels=flags.levels,
        format=flags.format,
        rounds=flags.rounds if flags.format == "swiss" else flags.series if flags.format == "freezeout" else None,
    )


def most_players(settings: Settings) -> int:
    """How many can play a tournament: one table of a game whose players do not move, else as many as a school has."""
    one_table = settings.duplicate or (settings.game.in_games and settings.format == "freezeout")
    return settings.game.seats[-1] if one_table else MOST_PLAYERS


def _check_format(flags: TournamentFlags) -> None:
    """Whether the flags of formats fit together.

    Raises:
        OptionError: one belongs to another format.
    """
    if flags.rounds is not None and flags.format != "swiss":
        raise OptionError("--rounds is for --format swiss; --series says how many freezeouts are played")
    if flags.format == "freezeout":
        return
    if flags.series != 1:
        raise OptionError(f"--series plays freezeouts; leave it or --format {flags.format} out")
    if flags.levels is not None or flags.table_size is not None:
        raise OptionError(f"tables of {flags.format} have two seats, and antes stay: no --levels and no --table-size")


def _hands(game: Game, flags: TournamentFlags) -> int:
    if flags.hands is not None:
        return flags.hands
    if isinstance(game, BlockheadGame):
        return game.hands
    return DEFAULT_STUD_HANDS if flags.levels is None else UNTIL_ONE_IS_LEFT


def agree_on_duplicate(game: str, flags: TournamentFlags, seed: str) -> Settings:
    """The settings of a duplicate tournament: deals of stud are hands, deals of blockhead are games.

    Raises:
        OptionError: see ``agree``; or stud is to be played in games, where every hand begins with equal stacks anyway.
    """
    if game == StudGame.name and flags.games != 1:
        raise OptionError("in a duplicate league of stud each deal is one hand: give --hands, not --games")
    if flags.levels is not None or flags.table_size is not None:
        raise OptionError("a duplicate league has one table and one ante: leave out --levels and --table-size")
    if flags.format != "freezeout" or flags.series != 1:
        raise OptionError("a duplicate league has a format of its own: leave out --format and --series")
    settings = agree(game, flags, seed)
    settings = replace(settings, duplicate=True, table_size=settings.game.seats[-1])
    return replace(settings, games=settings.hands, hands=1) if game == StudGame.name else settings


def _game(game: str, flags: TournamentFlags) -> Game:
    if game == StudGame.name:
        if flags.ranks is not None:
            raise OptionError("--ranks is for blockhead; three-card stud has its own")
        usual = StudGame()
        stud = StudGame(flags.stack or usual.stack, flags.ante or usual.ante)
        if flags.levels is not None and flags.games > 1:
            raise OptionError("--levels play a tournament to its end; give --series to play several, not --games")
        if stud.stack < stud.ante:
            raise OptionError(f"a stack of {stud.stack} chips does not pay the ante of {stud.ante}")
        return stud
    if flags.ante is not None:
        raise OptionError("--ante is for stud; the buy-in of blockhead is fixed")
    if flags.levels is not None:
        raise OptionError("--levels are for stud; the buy-in of blockhead is fixed")
    if flags.table_size is not None:
        raise OptionError("--table-size is for stud; blockhead is played at one table")
    default = BlockheadGame()
    return BlockheadGame(flags.stack or default.stack, flags.hands or default.hands, flags.ranks or default.ranks)

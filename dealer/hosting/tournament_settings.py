"""From flags to what is agreed: the game with its options, and the settings of a tournament of it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dealer.cli.flags import TournamentFlags
from dealer.errors import OptionError
from dealer.ledger.formats.registry import find_format, format_class
from dealer.settings import Settings
from protocol.games.game import Game
from protocol.games.registry import UnknownGameError, installed_games, load_game
from protocol.shuffle import seed_from_text

#: Hands that no tournament with rising stakes comes to.
UNTIL_ONE_IS_LEFT = 10**6

MOST_PLAYERS = 1000

#: Seats at a table of a tournament whose stakes can rise, where an audience can still follow what happens.
USUAL_TABLE = 8

Options = Mapping[str, Any]


def agree(game: str, options: Options, flags: TournamentFlags, seed: str) -> Settings:
    """The settings that the flags describe, with this seed.

    Args:
        game: its name.
        options: of the game, by name, as far as they were given; ``hands`` among them.
        flags: of the tournament.
        seed: any text.

    Raises:
        OptionError: a flag belongs to another game or format, or two do not fit together.
    """
    agreed = game_with(game, options)
    _check_fit(agreed, flags)
    format_ = find_format(flags.format)
    format_.check(flags)
    usual_size = min(USUAL_TABLE, agreed.seats[-1]) if agreed.stakes else agreed.seats[-1]
    return Settings(
        seed_from_text(seed),
        agreed,
        _hands(agreed, options, flags),
        flags.games,
        flags.limit,
        flags.lives,
        flags.table_size or usual_size,
        seed_text=seed,
        levels=flags.levels,
        format=flags.format,
        rounds=format_.rounds_asked(flags),
    )


def game_with(name: str, options: Options) -> Game:
    """The game of that name with these options.

    Raises:
        OptionError: it is not installed, an option is another game's, or a value does not fit.
    """
    try:
        game = load_game(name)
    except UnknownGameError as error:
        raise OptionError(str(error)) from None
    own = {entry.name for entry in game.options()}
    for option in options.keys() - own - {"hands"}:
        raise OptionError(_foreign(option, name))
    try:
        return game.from_facts(options)
    except ValueError as error:
        raise OptionError(str(error)) from None


def _foreign(option: str, name: str) -> str:
    """Why an option cannot be given to a game that has none of that name."""
    owners = [game.name for game in installed_games() if option in {entry.name for entry in game.options()}]
    return f"--{option.replace('_', '-')} is for {' and '.join(owners)}; {name} has no such option"


def _check_fit(game: Game, flags: TournamentFlags) -> None:
    """Whether the flags of the tournament fit the game.

    Raises:
        OptionError: one does not.
    """
    if flags.levels is not None and game.stakes is None:
        raise OptionError(f"--levels needs stakes that can rise; in {game.name} {game.fee} is fixed")
    if flags.levels is not None and flags.games > 1:
        raise OptionError("--levels play a tournament to its end; give --series to play several, not --games")
    if flags.table_size is None:
        return
    if game.in_games:
        raise OptionError(f"--table-size is for games whose players move between tables; {game.name} has one table")
    if flags.table_size not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        raise OptionError(f"--table-size: a table of {game.name} has {least} to {most} seats, got {flags.table_size}")


def most_players(settings: Settings) -> int:
    """How many can play a tournament: one table of a game whose players do not move, else as many as a school has."""
    one_table = format_class(settings).one_table(settings)
    return settings.game.seats[-1] if one_table else MOST_PLAYERS


def _hands(game: Game, options: Options, flags: TournamentFlags) -> int:
    if "hands" in options:
        return int(options["hands"])
    return game.hands if flags.levels is None else UNTIL_ONE_IS_LEFT


def agree_on_duplicate(game: str, options: Options, flags: TournamentFlags, seed: str) -> Settings:
    """The settings of a duplicate tournament: a deal is one hand, or one game where the game is played in games.

    Raises:
        OptionError: see ``agree``; or a flag needs hands that depend on each other.
    """
    if flags.levels is not None or flags.table_size is not None:
        raise OptionError("a duplicate league has one table and fixed stakes: leave out --levels and --table-size")
    if flags.format != "freezeout" or flags.series != 1:
        raise OptionError("a duplicate league has a format of its own: leave out --format and --series")
    settings = agree(game, options, flags, seed)
    settings = replace(settings, duplicate=True, table_size=settings.game.seats[-1])
    if settings.game.in_games:
        return settings
    if flags.games != 1:
        raise OptionError(f"in a duplicate league of {game} each deal is one hand: give --hands, not --games")
    return replace(settings, games=settings.hands, hands=1)

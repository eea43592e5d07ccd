"""From flags to what is agreed: the settings of a tournament."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dealer.cli.flags import TournamentFlags
from dealer.cli.game_flags import game_with
from dealer.errors import OptionError
from dealer.hosting.acpc import acpc_options, check_acpc
from dealer.ledger.formats.registry import find_format, format_class
from dealer.settings import AcpcTerms, FormatName, Settings
from protocol.games.game import Game
from protocol.games.level_table import LevelTable, read_level_table
from protocol.games.match import MIN_PLAYERS
from protocol.games.registry import load_game
from protocol.plurals import span
from protocol.shuffle import seed_from_text

#: Hands that no tournament with rising stakes comes to.
UNTIL_ONE_IS_LEFT = 10**6

MOST_PLAYERS = 1000

#: Seats at a table of a tournament whose stakes can rise, where an audience can still follow what happens.
USUAL_TABLE = 8

Options = Mapping[str, Any]


def agree(game: str, options: Options, flags: TournamentFlags, seed: str, acpc: AcpcTerms | None = None) -> Settings:
    """The settings that the flags describe, with this seed.

    Args:
        game: its name.
        options: of the game, by name, as far as they were given; ``hands`` among them.
        flags: of the tournament.
        seed: any text.
        acpc: how programs of the ACPC take part; None if none can.

    Raises:
        OptionError: a flag belongs to another game or format, or two do not fit together.
    """
    agreed = game_with(game, options)
    if acpc is not None:
        check_acpc(flags)
        agreed = game_with(game, {**options, **acpc_options(agreed)})
    _check_levels(agreed, options, flags)
    _check_fit(agreed, flags)
    name = flags.format or _usual_format(agreed, flags)
    format_ = find_format(name)
    format_.check(flags)
    levels: int | LevelTable | None = flags.levels
    if flags.level_table is not None:
        try:
            levels, agreed = read_level_table(flags.level_table, agreed, options)
        except ValueError as error:
            raise OptionError(str(error)) from None
    moves = agreed.stakes and acpc is None
    usual_size = min(USUAL_TABLE, agreed.table_seats[-1]) if moves else agreed.table_seats[-1]
    return Settings(
        seed_from_text(seed),
        agreed,
        _hands(agreed, options, flags),
        flags.games,
        flags.limit,
        flags.lives,
        flags.table_size or usual_size,
        seed_text=seed,
        levels=levels,
        format=name,
        rounds=format_.rounds_asked(flags),
        acpc=acpc,
    )


def _usual_format(game: Game, flags: TournamentFlags) -> FormatName:
    """Everybody meets everybody where a table has two seats and no player goes out; else a freezeout."""
    pairs = game.in_games and game.table_seats[-1] == MIN_PLAYERS
    return "round-robin" if pairs and flags.series == 1 else "freezeout"


def _check_fit(game: Game, flags: TournamentFlags) -> None:
    """Whether the flags of the tournament fit the game.

    Raises:
        OptionError: one does not.
    """
    if flags.table_size is None:
        return
    if game.in_games:
        raise OptionError(f"--table-size is for games whose players move between tables; {game.name} has one table")
    if flags.table_size not in game.table_seats:
        seats = span(game.table_seats)
        raise OptionError(f"--table-size: a table of {game.name} has {seats} seats here, got {flags.table_size}")


def _check_levels(game: Game, options: Options, flags: TournamentFlags) -> None:
    """Whether stakes can rise as the flags say, until the tournament ends.

    Raises:
        OptionError: they cannot, or it would not end.
    """
    if not flags.rising:
        return
    if flags.levels is not None and flags.level_table is not None:
        raise OptionError("--level-table says how long each level is; leave out --levels")
    flag = "--levels" if flags.level_table is None else "--level-table"
    if game.stakes is None:
        raise OptionError(f"{flag} needs stakes that can rise; in {game.name} {game.fee} is fixed")
    if flags.levels is not None and not can_rise(game):
        raise OptionError("--levels needs blinds or an ante that can rise; in this game nobody pays before a hand")
    if "hands" not in options and never_ends(game):
        raise OptionError(
            f"{flag}: no player runs out of chips, since every hand begins with equal stacks, so the tournament would "
            "not end; give --hands, or leave out --reset-stacks"
        )
    if flags.games > 1:
        raise OptionError(f"{flag} plays a tournament to its end; give --series to play several, not --games")


def can_rise(game: Game) -> bool:
    """Whether a game asks for anything before a hand that can rise from level to level."""
    return game.stakes is not None and game.stakes.at_level(2) != game.stakes


def never_ends(game: Game) -> bool:
    """Whether no player ever runs out of chips, since every hand begins with equal stacks."""
    return game.start(2).can_play(0)


def most_players(settings: Settings) -> int:
    """How many can play a tournament: one table of a game whose players do not move, else as many as a school has."""
    one_table = format_class(settings).one_table(settings)
    return settings.game.table_seats[-1] if one_table else MOST_PLAYERS


def _hands(game: Game, options: Options, flags: TournamentFlags) -> int:
    if "hands" in options:
        return int(options["hands"])
    return UNTIL_ONE_IS_LEFT if flags.rising else game.hands


def agree_on_duplicate(
    game: str, options: Options, flags: TournamentFlags, seed: str, acpc: AcpcTerms | None = None
) -> Settings:
    """The settings of a duplicate tournament: a deal is one hand, or one game where the game is played in games.

    Raises:
        OptionError: see ``agree``; or a flag needs hands that depend on each other.
    """
    if flags.rising or flags.table_size is not None:
        raise OptionError(
            "a duplicate league has one table and fixed stakes: leave out --levels, --level-table and --table-size"
        )
    if flags.format not in (None, "freezeout") or flags.series != 1:
        raise OptionError("a duplicate league has a format of its own: leave out --format and --series")
    settings = agree(game, options, replace(flags, format="freezeout"), seed, acpc)
    settings = replace(settings, duplicate=True, table_size=settings.game.table_seats[-1])
    if settings.game.in_games:
        return settings
    if flags.games != 1:
        raise OptionError(f"in a duplicate league of {game} each deal is one hand: give --hands, not --games")
    # A deal of one hand sends nobody home, so there is no end to wait for, as there is in presets.
    deals = settings.hands if "hands" in options else min(settings.hands, load_game(game)().hands)
    return replace(settings, games=deals, hands=1)

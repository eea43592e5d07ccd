"""Read the level table of a tournament, from a TOML file or by the name of a built-in one."""

from collections.abc import Mapping
from typing import Any

from dealer.errors import OptionError
from protocol.games.game import Game
from protocol.games.level_file import parse_level_table, table_path, unreadable
from protocol.games.level_table import LevelTable


def read_level_table(name: str, game: Game, options: Mapping[str, Any]) -> tuple[LevelTable, Game]:
    """A level table, and the game with the stakes of its first level.

    Args:
        name: of a built-in table, or the path of a file.
        game: for which the table is meant.
        options: of the game, as far as they were given; the table sets those that are stakes.

    Raises:
        OptionError: the file cannot be read, is no table, or does not fit the game or its options.
    """
    try:
        return parse_level_table(name, table_path(name).read_bytes(), game, options)
    except OSError as error:
        raise OptionError(unreadable(name, error)) from None
    except ValueError as error:
        raise OptionError(str(error)) from None

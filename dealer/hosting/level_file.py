"""Read the level table of a tournament, from a TOML file or by the name of a built-in one."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dealer.errors import OptionError
from protocol.games.game import Game
from protocol.games.level_table import LevelTable, stake_options

_BUILT_IN = Path(__file__).parent / "level_tables"


def table_names() -> list[str]:
    """The names of the built-in tables."""
    return sorted(path.stem for path in _BUILT_IN.glob("*.toml"))


def read_level_table(name: str, game: Game, options: Mapping[str, Any]) -> tuple[LevelTable, Game]:
    """A level table, and the game with the stakes of its first level.

    Args:
        name: of a built-in table, or the path of a file.
        game: for which the table is meant.
        options: of the game, as far as they were given; the table sets those that are stakes.

    Raises:
        OptionError: the file cannot be read, is no table, or does not fit the game or its options.
    """
    for option in stake_options(game):
        if option in options:
            raise OptionError(f"--level-table sets the stakes of every level; leave out --{option.replace('_', '-')}")
    try:
        table = LevelTable.from_facts(_levels(_parsed(name)))
        return table, table.games(game)[0]
    except ValueError as error:
        raise OptionError(f"--level-table {name}: {error}") from None


def _parsed(name: str) -> dict[str, Any]:
    """The contents of a file.

    Raises:
        ValueError: it cannot be read, or is not TOML.
    """
    path = _BUILT_IN / f"{name}.toml" if name in table_names() else Path(name)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError("expected a TOML file, got bytes that are not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"expected a TOML file: {error}") from None
    except OSError as error:
        built_in = " or ".join(table_names())
        reason = error.strerror or type(error).__name__
        raise ValueError(f"cannot read the file ({reason}); give a TOML file, or the name {built_in}") from None


def _levels(contents: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The levels of a file.

    Raises:
        ValueError: it holds something else.
    """
    for key in contents:
        if key != "level":
            raise ValueError(f"unknown key {key!r}; a file holds levels alone, and each begins with [[level]]")
    levels = contents.get("level", [])
    if not isinstance(levels, list) or not all(isinstance(level, dict) for level in levels):
        raise ValueError("level: expected a list of levels; each begins with [[level]]")
    return levels

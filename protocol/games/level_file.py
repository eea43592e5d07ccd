"""The text of a level table: TOML, in a file of the user's own or in one of the built-in tables."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from protocol.files import parse_toml, read_bytes
from protocol.games.game import Game
from protocol.games.level_table import LevelTable, stake_options

#: The names of the built-in tables.
BUILT_IN = ("sit-and-go",)

FLAG = "--level-table"


def table_path(name: str) -> Path:
    """The file of a level table.

    Args:
        name: of a built-in table, or the path of a file.
    """
    return Path(__file__).parent / "level_tables" / f"{name}.toml" if name in BUILT_IN else Path(name)


def read_level_table(name: str, game: Game, options: Mapping[str, Any]) -> tuple[LevelTable, Game]:
    """A level table, and the game with the stakes of its first level.

    Args:
        name: of a built-in table, or the path of a file.
        options: of the game, as far as they were given; the table sets those that are stakes.

    Raises:
        ValueError: the file cannot be read, is no table, or does not fit the game or its options; the text begins with
            the flag.
    """
    for option in stake_options(game):
        if option in options:
            raise ValueError(f"{FLAG} sets the stakes of every level; leave out --{option.replace('_', '-')}")
    try:
        table = LevelTable.from_facts(_levels(_parsed(read_bytes(table_path(name)))))
        return table, table.games(game)[0]
    except OSError as error:
        reason, names = error.strerror or type(error).__name__, " or ".join(BUILT_IN)
        raise ValueError(
            f"{FLAG} {name}: cannot read the file ({reason}); give a TOML file, or the name {names}"
        ) from None
    except ValueError as error:
        raise ValueError(f"{FLAG} {name}: {error}") from None


def _parsed(contents: bytes) -> dict[str, Any]:
    """The contents of a file.

    Raises:
        ValueError: it is not TOML.
    """
    try:
        return parse_toml(contents)
    except UnicodeDecodeError:
        raise ValueError("expected a TOML file, got bytes that are not UTF-8") from None
    except ValueError as error:
        raise ValueError(f"expected a TOML file: {error}") from None


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

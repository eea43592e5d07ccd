"""Level tables: what each level of a tournament asks for, and after how many hands or minutes the next one begins.

Their text is TOML, in a file of the user's own or in one of the built-in tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from protocol.files import parse_toml, read_bytes
from protocol.games.game import MOST, Game
from protocol.games.stakes import Stakes

#: How long a level may be said to last: at most one of the two.
_LENGTHS = ("hands", "minutes")

#: What a level may ask for, by the names of a game's options.
_CHIPS = ("small_blind", "big_blind", "ante", "big_blind_ante", "straddle")


@dataclass(frozen=True, slots=True)
class TableLevel:
    """One level of a table. All but ``hands`` and ``minutes`` are chips, as in ``Blinds``.

    Attributes:
        hands: of a table, after which the next level begins; None where minutes count, or no level follows.
        minutes: of play, after which the next level begins; None where hands count, or no level follows.
        big_blind: the least bet as well; the small bet where bets are fixed.
    """

    hands: int | None = None
    minutes: int | None = None
    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0
    big_blind_ante: int = 0
    straddle: int = 0

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """The level with these fields, as a file or a start record names them.

        Raises:
            ValueError: there is no such field, a value is not a whole number in its range, or hands and minutes are
                both there.
        """
        for name, value in facts.items():
            if name not in cls.__slots__:
                raise ValueError(f"unknown key {name!r}; the keys are {', '.join(cls.__slots__)}")
            least = 1 if name in _LENGTHS else 0
            if type(value) is not int or not least <= value <= MOST:
                raise ValueError(f"{name}: expected a whole number from {least} to {MOST}, got {value!r}")
        if all(name in facts for name in _LENGTHS):
            raise ValueError("a level ends after hands or after minutes; leave out one of the two")
        return cls(**facts)

    @property
    def endless(self) -> bool:
        """Whether it is not said how long it lasts."""
        return self.hands is None and self.minutes is None

    @property
    def record(self) -> dict[str, int]:
        """The fields that are not left out, by name; ``from_facts`` reads them."""
        return {name: value for name, value in asdict(self).items() if value}

    def at(self, game: Game) -> Game:
        """A game with what this level asks for in place of its own stakes.

        Raises:
            ValueError: the game has no such stakes, needs others, or their values do not fit together.
        """
        options = {entry.name for entry in game.options()}
        for name in _CHIPS:
            if getattr(self, name) and name not in options:
                raise ValueError(f"{game.name} has no {name}; leave it out")
        for name in _needed(game):
            if not getattr(self, name):
                raise ValueError(f"{name} is missing or 0; {game.name} needs it at every level")
        for name in ("ante", "big_blind_ante"):
            if getattr(self, name) > self.big_blind > 0:
                raise ValueError(
                    f"{name}: expected at most the big blind of {self.big_blind}, got {getattr(self, name)}"
                )
        return game.from_facts({**game.facts, **{name: getattr(self, name) for name in _CHIPS}})


@dataclass(frozen=True, slots=True)
class LevelTable:
    """The levels of a tournament in their order, at least one; the last one stays until the end."""

    levels: tuple[TableLevel, ...]

    @classmethod
    def from_facts(cls, levels: Sequence[Mapping[str, Any]]) -> Self:
        """The table with these levels, as a file or a start record names their fields.

        Raises:
            ValueError: there is no level, one has a wrong field, or one that is not the last has no length.
        """
        if not levels:
            raise ValueError("expected at least one level, got none")
        made = []
        for number, facts in enumerate(levels, 1):
            with _naming_level(number):
                made.append(TableLevel.from_facts(facts))
                if made[-1].endless and number < len(levels):
                    raise ValueError("hands or minutes is missing; only the last level may leave both out")
        return cls(tuple(made))

    @property
    def record(self) -> list[dict[str, int]]:
        """The levels as the start record of a journal keeps them; ``from_facts`` reads them."""
        return [level.record for level in self.levels]

    def hands(self, level: int) -> int | None:
        """After how many hands of a table a level is over; None for the last, or if minutes count. The first is 1."""
        return None if level >= len(self.levels) else self.levels[level - 1].hands

    def minutes(self, level: int) -> int | None:
        """After how many minutes of play a level is over; None for the last, or if hands count. The first is 1."""
        return None if level >= len(self.levels) else self.levels[level - 1].minutes

    def games(self, game: Game) -> list[Game]:
        """A game with the stakes of each level.

        Raises:
            ValueError: a level does not fit the game, or asks for less than the one before it.
        """
        games = []
        before = self.levels[0]
        for number, level in enumerate(self.levels, 1):
            with _naming_level(number):
                games.append(level.at(game))
                for name in _needed(game):
                    least, chips = getattr(before, name), getattr(level, name)
                    if chips < least:
                        raise ValueError(f"{name}: expected at least the {least} of the level before, got {chips}")
            before = level
        return games

    def stakes(self, game: Game) -> list[Stakes]:
        """What each level asks for.

        Raises:
            ValueError: see ``games``; or nothing can rise in this game.
        """
        stakes = [at_level.stakes for at_level in self.games(game)]
        if None in stakes:
            raise ValueError(f"in {game.name} nothing can rise")
        return [each for each in stakes if each is not None]


def stake_options(game: Game) -> list[str]:
    """The options of a game that a level table sets."""
    return [entry.name for entry in game.options() if entry.name in _CHIPS]


def _needed(game: Game) -> tuple[str, ...]:
    """What every level of a game asks for, and never less than the level before it."""
    options = stake_options(game)
    needed = ("small_blind", "big_blind") if "big_blind" in options else ("ante",)
    return tuple(name for name in needed if name in options)


@contextmanager
def _naming_level(number: int) -> Iterator[None]:
    """Begin the text of each ``ValueError`` inside the block with the number of the level."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"level {number}: {error}") from None


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

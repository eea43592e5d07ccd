"""``casino.toml``: flags that the command line does not give.

The file has a table for each command, such as ``[serve]``, with flags without their dashes: ``seats = 6``. The file
that ``--config`` names is read, or else the one in the user's configuration folder; never both. A file that happens to
lie in the current folder is not read: the student whose program is checked there may have written it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Any, NoReturn, Union, get_args, get_origin

from cyclopts import App, CycloptsError
from cyclopts.argument import Argument, ArgumentCollection
from cyclopts.config import Dict
from platformdirs import user_config_path

from dealer.cli.output import complain_in_words
from protocol.files import parse_toml, read_bytes
from protocol.suggestions import nearest

NAME = "casino.toml"

#: What a value has to be, by the type of its flag. The first that is found counts.
_EXPECTED: Mapping[type, tuple[str, tuple[type, ...]]] = {
    bool: ("true or false", (bool,)),
    list: ("a list of texts", (list,)),
    tuple: ("a list of texts", (list,)),
    float: ("a number", (int, float)),
    int: ("a whole number", (int,)),
}
_TEXT = ("a text in quotes", (str,))

#: Commands that do not start beside a file that is not read, so that no tournament is played without its roster by
#: mistake.
_HOSTING = ("serve", "league", "resume")


@dataclass(frozen=True)
class ConfigFile:
    """A source of flags for the command line, which asks it for each command that runs.

    Attributes:
        commands: that may have a table in the file.
        named: what the flags of the command line named: a file, None for no file, an empty path for a missing name.
            The user's own file is read if they named nothing.
    """

    commands: Collection[str]
    named: Sequence[Path | None] = ()

    def __call__(self, app: App, commands: Sequence[str], arguments: ArgumentCollection) -> None:
        """Give the arguments that have no value yet those of the file, and say so on standard error.

        Raises:
            CycloptsError: the file cannot be read, or something in it cannot be used; the text names it. Or the
                command does not start while a file in the current folder is not read.
        """
        if len(self.named) > 1 or Path() in self.named:
            raise CycloptsError(msg="Give --config FILE once, or --no-config.")
        if len(commands) != 1 or commands[0] not in self.commands:
            if commands and self.named:
                raise CycloptsError(msg=f"casino {' '.join(commands)} takes no flags from a file; leave out --config.")
            return
        if (path := self.named[0] if self.named else _find_file(commands[0])) is None:
            return
        tables = _read(path)
        for name, table in tables.items():
            if name not in self.commands:
                _refuse(path, f"there is no command [{name}] that takes flags from a file", name, self.commands)
            if not isinstance(table, dict):
                raise CycloptsError(msg=f"{path}: {name} stands outside of a table such as [serve].")
        flags = tables.get(commands[0], {})
        known = {name[2:]: argument for argument in arguments for name in argument.names if name.startswith("--")}
        taken = []
        for key, value in flags.items():
            name = key.replace("_", "-")
            if name not in known:
                _refuse(path, f"[{commands[0]}] has no flag {key!r}", name, known)
            _check(path, key, value, known[name])
            taken += [] if known[name].tokens else [f"--{name}"]
        Dict({commands[0]: flags}, source=str(path))(app, tuple(commands), arguments)
        if taken:
            complain_in_words(f"{path} sets {', '.join(taken)}")


def _find_file(command: str) -> Path | None:
    """Return the path of the user's own file, or None; say so if one in the current folder is not read.

    Raises:
        CycloptsError: the command does not start while a file in the current folder is not read.
    """
    own, here = user_config_path("casino-day", appauthor=False) / NAME, Path(NAME)
    found = own if _is_file(own) else None
    if _is_file(here) and not (found and found.samefile(here)):
        if command in _HOSTING:
            raise CycloptsError(
                msg=f"{NAME} in this folder is not read. "
                f"Add --config {NAME} to take its flags, or --no-config to start without them."
            )
        complain_in_words(f"{NAME} in this folder is not read; --config {NAME} takes its flags")
    return found


def _is_file(path: Path) -> bool:
    """Whether there is a file; False in a folder that may not be entered."""
    try:
        return path.is_file()
    except PermissionError:
        return False


def _read(path: Path) -> dict[str, Any]:
    try:
        return parse_toml(read_bytes(path))
    except ValueError as error:
        raise CycloptsError(msg=f"{path} is no TOML: {error}.") from None
    except OSError as error:
        raise CycloptsError(msg=f"{path} cannot be read: {error.strerror}.") from None


def _refuse(path: Path, text: str, name: str, names: Collection[str]) -> NoReturn:
    near = nearest(name, names)
    raise CycloptsError(msg=f"{path}: {text}{f'; did you mean {near!r}?' if near else '.'}")


def _check(path: Path, key: str, value: object, argument: Argument) -> None:
    """Make sure that a value has the type of its flag; what it may be beyond that, the command line checks."""
    types = _types(argument.hint)
    text, accepted = next((_EXPECTED[kind] for kind in _EXPECTED if kind in types), _TEXT)
    if not isinstance(value, accepted) or (isinstance(value, bool) and bool not in accepted):
        raise CycloptsError(msg=f"{path}: {key} has to be {text}, got {value!r}.")


def _types(hint: Any) -> set[Any]:
    """The types that a hint allows: those of a union each, of a generic type its own."""
    if get_origin(hint) in (Union, UnionType):
        return set().union(*map(_types, get_args(hint)))
    return {get_origin(hint) or hint}

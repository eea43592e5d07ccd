"""What installed packages offer by name, read once: it does not change while a process runs.

A package offers something with an entry point: a group, a name, and where the object is. Nothing is imported before it
is asked for by its name. The groups are in ``pyproject.toml``.
"""

from functools import cache
from importlib.metadata import EntryPoints
from importlib.metadata import entry_points as read_entry_points  # noqa: TID251 - the one place that reads them
from typing import Any

_all_entry_points = cache(read_entry_points)


@cache
def entry_points(group: str, name: str | None = None) -> EntryPoints:
    """The entry points of a group, or those of that name in it."""
    points = _all_entry_points().select(group=group)
    return points if name is None else points.select(name=name)


def installed_names(group: str) -> list[str]:
    """The names in a group, in alphabetical order."""
    return sorted({point.name for point in entry_points(group=group)})


def load_installed(group: str, name: str, what: str, kind: type[Any] = object) -> Any:
    """What an installed package offers under a name in a group; None if none does.

    Args:
        group: of entry points, such as ``casino.bots``.
        name: as the user typed it.
        what: the object in words, for an error: "the bot 'alpha'".
        kind: the type that it must have.

    Raises:
        LookupError: its package cannot be imported, does not have it, or has something else there.
    """
    for point in entry_points(group=group, name=name):
        try:
            loaded = point.load()
        except (ImportError, AttributeError, SyntaxError) as error:
            raise LookupError(f"{what} ({point.value}) cannot be loaded: {error}") from error
        if not isinstance(loaded, kind):
            raise LookupError(f"{what} ({point.value}) cannot be loaded: it is no {kind.__name__}")  # noqa: TRY004
        return loaded
    return None

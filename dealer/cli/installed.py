"""What installed packages offer by name: bots, and what a game adds to a command.

A package offers something with an entry point: a group, a name, and where the object is. Nothing is imported before
it is asked for by its name.
"""

from typing import TypeVar

from dealer.errors import OptionError
from protocol.installed import entry_points

Loaded = TypeVar("Loaded")


def installed_names(group: str) -> list[str]:
    """The names of an entry point group, sorted."""
    return sorted({point.name for point in entry_points(group=group)})


def load_installed(group: str, name: str, what: str, kind: type[Loaded]) -> Loaded | None:
    """The object that is installed under ``name`` in an entry point group; None if there is none.

    Args:
        group: of entry points, such as ``casino.bots``.
        name: as the user typed it.
        what: the object in words, for an error: "the bot 'alpha'".
        kind: the type that it must have.

    Raises:
        OptionError: it is installed, but its package cannot be imported, does not have it, or has something else there.
    """
    for point in entry_points(group=group, name=name):
        try:
            loaded = point.load()
        except (ImportError, AttributeError, SyntaxError) as error:
            raise OptionError(f"{what} ({point.value}) cannot be loaded: {error}") from None
        if not isinstance(loaded, kind):
            raise OptionError(f"{what} ({point.value}) cannot be loaded: it is no {kind.__name__}")
        return loaded
    return None

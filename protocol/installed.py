"""What installed packages offer, read once: it does not change while a process runs."""

from functools import cache
from importlib.metadata import EntryPoints
from importlib.metadata import entry_points as read_entry_points  # noqa: TID251 - the one place that reads them
from typing import Any

_all_entry_points = cache(read_entry_points)


@cache
def entry_points(group: str, name: str | None = None) -> EntryPoints:
    """The entry points of a group, or those of that name in it. Nothing is imported before one of them is loaded."""
    points = _all_entry_points().select(group=group)
    return points if name is None else points.select(name=name)


def load_installed(group: str, name: str, what: str) -> Any:
    """What an installed package offers under a name in a group; None if none does.

    Raises:
        LookupError: it cannot be loaded; the text begins with ``what``.
    """
    for point in entry_points(group=group, name=name):
        try:
            return point.load()
        except (ImportError, AttributeError, SyntaxError) as error:
            raise LookupError(f"{what} ({point.value}) cannot be loaded: {error}") from error
    return None

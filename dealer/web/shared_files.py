"""The files of the page that other pages use, too: they draw cards and tables in the same way everywhere."""

from collections.abc import Mapping
from importlib.resources import files

#: Their names. What they import must be among them.
NAMES = ("frame.css", "table.css", "colours.css", "dom.js", "colours.js", "places.js", "theme.js", "icon.svg")


def shared_files() -> Mapping[str, bytes]:
    """The files, by name."""
    folder = files("dealer.web").joinpath("page")
    return {name: folder.joinpath(name).read_bytes() for name in NAMES}

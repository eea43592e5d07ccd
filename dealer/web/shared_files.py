"""The files of the page that other pages use, too: they draw cards and tables in the same way everywhere."""

from collections.abc import Mapping
from importlib.resources import files

#: Their names. What they import must be among them.
NAMES = ("frame.css", "table.css", "colours.css", "dom.js", "colours.js", "places.js", "theme.js", "icon.svg")

#: Content types by the ending of a file's name.
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def shared_files() -> Mapping[str, bytes]:
    """The files, by name."""
    folder = files("dealer.web").joinpath("page")
    return {name: folder.joinpath(name).read_bytes() for name in NAMES}

"""Files of pages, and those of the projector's page that others use, too: all draw cards and tables in the same way."""

import gzip
from collections.abc import Mapping
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

#: The names of the files that others use. What they import must be among them.
NAMES = ("frame.css", "table.css", "colours.css", "dom.js", "colours.js", "places.js", "theme.js", "icon.svg")

#: Content types by the ending of a file's name.
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


class PageFiles:
    """The files of a page. All are in memory, as they are and compressed, so no request can reach any other file.

    Args:
        contents: by name.
        headers: of each answer.
    """

    def __init__(self, contents: Mapping[str, bytes], headers: Mapping[str, str]) -> None:
        self._contents = {name: (data, gzip.compress(data, mtime=0)) for name, data in contents.items()}
        self._headers = {**headers, "cache-control": "no-cache", "vary": "accept-encoding"}

    def answer(self, request: Request, name: str) -> Response:
        """Answer a request for a file."""
        if name not in self._contents:
            return PlainTextResponse("There is no such page here.\n", 404)
        plain, packed = self._contents[name]
        headers = self._headers | {"content-type": TYPES[name.rpartition(".")[2]]}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(plain, headers=headers)
        return Response(packed, headers=headers | {"content-encoding": "gzip"})


def shared_files() -> Mapping[str, bytes]:
    """The files that others use, by name."""
    folder = files("dealer.web").joinpath("page")
    return {name: folder.joinpath(name).read_bytes() for name in NAMES}

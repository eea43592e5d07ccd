"""Files of pages, and those of the projector's page that others use, too: all draw cards and tables in the same way."""

import gzip
from collections.abc import Mapping, Sequence
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

#: The names of the files that others use. What they import must be among them.
NAMES = (
    "frame.css", "table.css", "colours.css", "dom.js", "colours.js", "places.js", "sound.js", "theme.js", "icon.svg",
)  # fmt: skip

#: Content types by the ending of a file's name.
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def file_routes(
    contents: Mapping[str, bytes], path: str, first: str, headers: Mapping[str, str] = {}
) -> Sequence[Route]:
    """The routes of a page's files. All are in memory, as they are and compressed, so none reaches any other file.

    Args:
        contents: of the files, by name.
        path: of the page; its files lie below.
        first: the name of the file that is the page.
        headers: of each answer.
    """
    packed = {name: gzip.compress(data, mtime=0) for name, data in contents.items()}

    async def answer(request: Request) -> Response:
        name = request.path_params.get("name", first)
        if name not in contents:
            return PlainTextResponse("There is no such page here.\n", 404)
        own = {"cache-control": "no-cache", "content-type": TYPES[name.rpartition(".")[2]], "vary": "accept-encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(contents[name], headers={**headers, **own})
        return Response(packed[name], headers={**headers, **own, "content-encoding": "gzip"})

    return [Route(path, answer), Route(f"{path.rstrip('/')}/{{name}}", answer)]


def shared_files() -> Mapping[str, bytes]:
    """The files that others use, by name."""
    folder = files("dealer.web").joinpath("page")
    return {name: folder.joinpath(name).read_bytes() for name in NAMES}

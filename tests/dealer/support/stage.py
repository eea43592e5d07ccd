"""A dealer on loopback with its page, and viewers that are tasks of the test."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import trio
from starlette.routing import BaseRoute

from dealer.feed.page_stream import PageStream
from dealer.feed.told import One, Told
from dealer.lobby.failed_logins import RefusalKind
from dealer.net.limits import USUAL, Limits
from dealer.settings import OpenPorts, Settings
from dealer.tournament.scene import Scene
from dealer.web.board import Board
from dealer.web.serving import PagePlace, addresses, listen, serve_board
from tests.dealer.support.rig import HOST, Rig, open_rig

GET = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


class NearPages(PageStream):
    """Tells boards in the same process what pages are told."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._boards: list[Callable[[Told], None]] = []

    def join(self, hear: Callable[[Told], None]) -> None:
        """Tell a board the state as it is now, and from now on all that changes."""
        hear(self.state())
        self._boards.append(hear)

    def look(self) -> None:
        self._look()

    def _tell(self, *all_told: One) -> None:
        for told in all_told:
            for hear in self._boards:
                hear(told)


class NearBoard(Board):
    """The board of a dealer in the same process, at which it looks whenever it is looked at."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(lambda _: scene.settings.game)
        self._view = NearPages(scene)
        self._view.join(self.hear)

    def look(self) -> None:
        """Show what has changed."""
        self._view.look()
        super().look()


@asynccontextmanager
async def open_page(
    scene: Scene, place: PagePlace, say: Callable[[str], None] = print, routes: Sequence[BaseRoute] = ()
) -> AsyncIterator[Board]:
    """The projector's page of a dealer in the same process, which costs a test less than a process of its own."""
    board, sock = NearBoard(scene), await listen(place, say)
    scene.page_port, scene.pages = sock.getsockname()[1], addresses(sock, place.host)
    board.pages = scene.pages

    def note(peer: str, kind: RefusalKind, reason: str, sent: bytes) -> None:
        scene.note_misdirected(peer, scene.page_port or 0, kind, reason, sent)

    async with serve_board(board, sock, note, routes):
        yield board


@dataclass(frozen=True)
class Stage:
    rig: Rig
    scene: Scene
    board: Board
    port: int
    close_page: Callable[[], Awaitable[None]]

    def begin(self) -> None:
        """Close the lobby; the tournament is in the scene."""
        self.scene.tournament = self.rig.begin()


@asynccontextmanager
async def open_stage(settings: Settings, *, open_cards: bool = False, limits: Limits = USUAL) -> AsyncIterator[Stage]:
    """A dealer whose lobby is open, and its page; everything in it ends with the block."""
    async with open_rig(settings, limits=limits) as rig:
        scene = Scene(rig.opening, open_cards, (HOST,), OpenPorts(HOST, {"port": rig.listener.port}))
        async with AsyncExitStack() as stack:
            board = await stack.enter_async_context(open_page(scene, PagePlace(HOST, 0)))
            assert scene.page_port is not None
            yield Stage(rig, scene, board, scene.page_port, stack.aclose)


@dataclass
class Viewer:
    """A viewer of the page.

    Attributes:
        events: name and facts of each event, in order.
        head: the status line and the headers.
    """

    stream: trio.SocketStream
    events: list[tuple[str, Any]] = field(default_factory=list)
    head: bytes = b""
    _rest: bytearray = field(default_factory=bytearray)

    async def until(self, wanted: Callable[[str, Any], bool]) -> Any:
        """Read until an event is wanted, and return its facts; fails if the stream ends before."""
        while True:
            for name, facts in await self.next_events():
                if wanted(name, facts):
                    return facts

    async def until_named(self, name: str) -> Any:
        return await self.until(lambda found, _: found == name)

    async def next_events(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        while not found:
            data = await self._chunk()
            assert data, "the stream has ended"
            for message in data.decode().split("\n\n"):
                fields = dict(line.split(": ", 1) for line in message.splitlines() if not line.startswith(":"))
                if "event" in fields:
                    found.append((fields["event"], json.loads(fields["data"])))
        self.events += found
        return found

    async def _chunk(self) -> bytes:
        """One chunk of the body, which is what the dealer sent at once; empty at the end."""
        size = int(await self._line(), 16)
        while len(self._rest) < size + 2:
            await self._more()
        return self._taken(size, 2)

    async def _line(self) -> bytes:
        while b"\r\n" not in self._rest:
            await self._more()
        return self._taken(self._rest.index(b"\r\n"), 2)

    async def _more(self) -> None:
        data = await self.stream.receive_some(65536)
        assert data, "the dealer hung up"
        self._rest += data

    async def read_head(self) -> None:
        while b"\r\n\r\n" not in self._rest:
            await self._more()
        self.head = self._taken(self._rest.index(b"\r\n\r\n"), 4)

    def _taken(self, size: int, gap: int) -> bytes:
        """So many bytes off the buffer, and then a gap that is forgotten."""
        data = bytes(self._rest[:size])
        del self._rest[: size + gap]
        return data


async def ask(port: int, request: str) -> trio.SocketStream:
    """A connection on which a request was sent."""
    stream = await trio.open_tcp_stream(HOST, port)
    await stream.send_all(request.encode())
    return stream


class Watch:
    """Opens viewers; the owner of the ``Watch`` closes all of them at the end."""

    def __init__(self) -> None:
        self._streams: list[trio.SocketStream] = []

    async def __call__(self, port: int, table: int | None = None) -> Viewer:
        query = "" if table is None else f"?table={table}"
        viewer = Viewer(await ask(port, f"GET /events{query} HTTP/1.1\r\nHost: here\r\n\r\n"))
        self._streams.append(viewer.stream)
        await viewer.read_head()
        assert viewer.head.startswith(b"HTTP/1.1 200"), viewer.head
        return viewer

    async def close(self) -> None:
        for stream in self._streams:
            await trio.aclose_forcefully(stream)


async def fetch(port: int, request: str) -> bytes:
    """All that is answered to a request, until the dealer hangs up."""
    async with await ask(port, request) as stream:
        answer = b""
        async for data in stream:
            answer += data
        return answer


async def served(port: int) -> bool:
    """Whether the page is served on a new connection, which may be refused without a word."""
    with suppress(OSError):
        async with await trio.open_tcp_stream(HOST, port) as stream:
            with suppress(trio.BrokenResourceError):
                await stream.send_all(GET)
                return await stream.receive_some(12) == b"HTTP/1.1 200"
    return False

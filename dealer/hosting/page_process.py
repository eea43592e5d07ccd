"""The page of a dealer, in a process of its own: it is started here, and again whenever it dies."""

import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from socket import socket
from typing import Any

import msgspec
import structlog
import trio

from dealer.desk.desk import Desk
from dealer.feed.port import LOOPBACK, OpenFeed
from dealer.tournament.scene import Scene
from dealer.web.own_process import PageOrders, handed
from dealer.web.serving import PagePlace, addresses, listen

log = structlog.get_logger()

#: Seconds until a page that was killed is started again, and one that failed by itself, which may fail again.
KILLED_SECONDS, FAILED_SECONDS = 0.1, 1.0

#: Seconds that the page has at the end, to let its viewers read the last of it.
GOODBYE_SECONDS = 3.0

#: Seconds in which the last complaints of a page that failed are passed on.
LAST_WORDS_SECONDS = 0.1

#: The addresses by which a dealer that listens at all of its machine's is reached from this machine.
_ALL = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}


@asynccontextmanager
async def open_page(
    scene: Scene, place: PagePlace, say: Callable[[str], None], feed: OpenFeed, desk: Desk
) -> AsyncIterator[None]:
    """Serve the page of a dealer while the block runs.

    Args:
        scene: what is shown; its ``pages``, ``page_port`` and ``page_token`` are filled in.
        place: where browsers find it.
        say: tells the host if that is not the usual port.
        feed: which the page follows.
        desk: whose token the page gets.

    Raises:
        PortError: the port cannot be opened.
    """
    assert feed.page_port is not None, "there is a desk"
    with await listen(place, say) as sock:
        scene.page_port, scene.pages, scene.page_token = (
            sock.getsockname()[1],
            addresses(sock, place.host),
            desk.token.text,
        )

        def orders(process: int) -> bytes:
            assert feed.page_port is not None
            players, cockpit = _ALL.get(place.host, place.host), scene.desk
            told = PageOrders(
                (LOOPBACK, feed.page_port), desk.token.text, handed(sock, process), scene.pages, players, cockpit
            )
            return msgspec.json.encode(told) + b"\n"

        async with trio.open_nursery() as nursery:
            over = trio.Event()
            nursery.start_soon(_keep, sock, orders, over)
            try:
                yield
            finally:
                feed.feed.part_with_pages()
                over.set()


async def _keep(sock: socket, orders: Callable[[int], bytes], over: trio.Event) -> None:
    """Run the page's process, and start it again when it dies, until ``over`` is set."""
    with trio.CancelScope(shield=True):  # it is the end of the block that ends it
        while not over.is_set():
            code = await _run(sock, orders, over)
            if over.is_set():
                return
            log.error("the page's process died, and is started again; the tournament goes on", code=code)
            with trio.move_on_after(KILLED_SECONDS if code < 0 else FAILED_SECONDS):
                await over.wait()


async def _run(sock: socket, orders: Callable[[int], bytes], over: trio.Event) -> int:
    """Run the page's process until it dies, or until it has ended because ``over`` is set; its exit code."""
    own: dict[str, Any] = {}
    if sys.platform != "win32":  # Ctrl-C is for the dealer, which then ends the page
        own = {"pass_fds": (sock.fileno(),), "start_new_session": True}
    command = [sys.executable, "-P", "-m", "dealer.web.own_process"]
    process = await trio.lowlevel.open_process(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **own
    )
    assert process.stdin is not None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_pass_on_complaints, process)
            with suppress(trio.BrokenResourceError):
                await process.stdin.send_all(orders(process.pid))
            nursery.start_soon(_end, process, over)
            code: int = await process.wait()
            if code:  # it may have said why
                await trio.sleep(LAST_WORDS_SECONDS)
            nursery.cancel_scope.cancel()
    finally:
        process.kill()
    return code


async def _end(process: trio.Process, over: trio.Event) -> None:
    """End the process when it is over: by a second line on its standard input, or if need be with force."""
    await over.wait()
    assert process.stdin is not None
    with suppress(trio.BrokenResourceError):
        await process.stdin.send_all(b"\n")
    await trio.sleep(GOODBYE_SECONDS)
    process.kill()


async def _pass_on_complaints(process: trio.Process) -> None:
    """Write what the page complains of where the dealer's own log lines go."""
    assert process.stderr is not None
    async for piece in process.stderr:
        sys.stderr.write(piece.decode(errors="replace"))

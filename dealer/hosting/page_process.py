"""The page of a dealer, in a process of its own: it is started here, and again whenever it dies."""

import signal
import subprocess
import sys
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from socket import socket
from typing import Any

import msgspec
import structlog
import trio

from dealer.desk.desk import Desk
from dealer.feed.feed import Feed
from dealer.feed.port import OpenFeed
from dealer.tournament.scene import Scene
from dealer.web.own_process import PageOrders, handed
from dealer.web.serving import PagePlace, addresses, listen

log = structlog.get_logger()

#: Seconds until a page that was killed is started again.
KILLED_SECONDS = 0.1

#: Seconds until one that failed by itself is started again, at first and at most: they are doubled each time that it
#: fails before it has lived for ``LIVED_SECONDS``.
FAILED_SECONDS, MOST_SECONDS, LIVED_SECONDS = 1.0, 30.0, 5.0

#: Seconds that the page has at the end, to let its viewers read the last of it.
GOODBYE_SECONDS = 3.0

#: Seconds in which the last complaints of a page that failed are passed on.
LAST_WORDS_SECONDS = 0.1

#: The addresses by which a dealer that listens at all of its machine's is reached from this machine.
_ALL = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}


@asynccontextmanager
async def open_page(
    scene: Scene, place: PagePlace, say: Callable[[str], None], feed: OpenFeed, desk: Desk, log_level: str = "warning"
) -> AsyncIterator[None]:
    """Serve the page of a dealer while the block runs.

    Args:
        scene: what is shown; its ``pages``, ``page_port`` and ``page_token`` are filled in.
        place: where browsers find it.
        say: tells the host if that is not the usual port.
        feed: which the page follows.
        desk: whose token the page gets.
        log_level: what the page logs, where the dealer does.

    Raises:
        PortError: the port cannot be opened.
    """
    with await listen(place, say) as sock:
        scene.page_port, scene.pages = sock.getsockname()[1], addresses(sock, place.host)
        scene.page_token = token = desk.token.text

        def orders(process: int) -> bytes:
            assert feed.page_place is not None, "there is a desk"
            handed_on, players = handed(sock, process), _ALL.get(place.host, place.host)
            told = PageOrders(feed.page_place, token, handed_on, scene.pages, players, scene.desk, log_level)
            return msgspec.json.encode(told) + b"\n"

        async with trio.open_nursery() as nursery:
            over = trio.Event()
            nursery.start_soon(_keep, sock, orders, over, feed.feed)
            try:
                yield
            finally:
                feed.feed.part_with_pages()
                over.set()


async def _keep(sock: socket, orders: Callable[[int], bytes], over: trio.Event, feed: Feed) -> None:
    """Run the page's process, and start it again when it dies, until ``over`` is set; it ends no tournament."""
    wait = FAILED_SECONDS
    with trio.CancelScope(shield=True):  # it is the end of the block that ends it
        while not over.is_set():
            began = trio.current_time()
            killed = False
            try:
                code = await _run(sock, orders, over, feed)
                killed = sys.platform != "win32" and code == -signal.SIGKILL
                if not over.is_set():
                    log.error("the page's process died, and is started again; the tournament goes on", code=code)
            except Exception:  # such as a system that is short of files or memory
                log.exception("the page's process cannot be started; the tournament goes on")
            if killed or trio.current_time() > began + LIVED_SECONDS:
                wait = FAILED_SECONDS
            with trio.move_on_after(KILLED_SECONDS if killed else wait):
                await over.wait()
            wait = min(2 * wait, MOST_SECONDS)


async def _run(sock: socket, orders: Callable[[int], bytes], over: trio.Event, feed: Feed) -> int:
    """Run the page's process until it dies, or until it has ended because ``over`` is set; its exit code."""
    own: dict[str, Any] = {}
    if sys.platform != "win32":
        # A group of its own, because Ctrl-C is for the dealer, which then ends the page. No session of its own: among
        # sessions, some systems share the processor as if nobody had stepped back.
        own = {"pass_fds": (sock.fileno(),), "process_group": 0}
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
            nursery.start_soon(_end, process, over, feed)
            code: int = await process.wait()
            if code:  # it may have said why
                await trio.sleep(LAST_WORDS_SECONDS)
            nursery.cancel_scope.cancel()
    finally:
        process.kill()
    return code


async def _end(process: trio.Process, over: trio.Event, feed: Feed) -> None:
    """End the process when it is over: by a second line on its standard input, or with force."""
    await over.wait()
    if feed.pages.pages:  # else it is still starting, and shows nobody anything
        assert process.stdin is not None
        with suppress(trio.BrokenResourceError):
            await process.stdin.send_all(b"\n")
        await trio.sleep(GOODBYE_SECONDS)
    process.kill()


async def _pass_on_complaints(process: trio.Process) -> None:
    """Write what the page complains of where the dealer's own log lines go."""
    assert process.stderr is not None
    decoder = getincrementaldecoder("utf-8")(errors="replace")
    async for piece in process.stderr:
        with suppress(OSError):  # nobody reads them
            sys.stderr.write(decoder.decode(bytes(piece)))

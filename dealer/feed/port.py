"""The port of the feed. Subscribers are sent events and asked nothing; what they send is for ``host.py``."""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import NamedTuple

import structlog
import trio

from dealer.desk.desk import Desk
from dealer.errors import PortError
from dealer.feed.feed import GOODBYE_SECONDS, Feed
from dealer.feed.host import HostSide, Inbox, Refused
from dealer.feed.subscriber import Subscriber, pack
from dealer.net.acceptor import accept_in_bursts, drop, port_trouble
from dealer.net.admission import Admission, Entry
from dealer.net.limits import Limits, descriptors_for
from dealer.net.stalls import SWEEP_SECONDS, Stalls
from dealer.tournament.scene import Scene

log = structlog.get_logger()

#: Connections in all, and from one address.
LIMITS = Limits(connections=128, per_address=64)

LOOPBACK = "127.0.0.1"

#: Characters of the longest path of a socket, on any system.
LONGEST_PATH = 100

#: Connections of the dealer's own page: one for what it shows, and one for each request under way.
PAGE_LIMITS = Limits(connections=64, per_address=64, connects=10_000)

#: Seconds in which a connection that is for the dealer's own page must give the token.
TOKEN_SECONDS = 5.0

#: Connections accepted without a pause.
BURST = 8

#: Seconds for which events gather before a send. Fast tables finish thousands of hands in a second; one send for each
#: hand and each of fifty subscribers would cost more than the hands.
GATHER_SECONDS = 0.02

#: Seconds a subscriber may take to read what waits for it; those in which the dealer itself stood still do not count.
STALLED_SECONDS = 30.0

#: Bytes that the system holds for one subscriber, in addition to its buffer.
SYSTEM_BYTES = 128 * 1024

#: Milliseconds without a sign from the other machine after which the system ends the connection.
UNACKNOWLEDGED_MILLISECONDS = 10_000

#: What a subscriber sent is read so often at its end; more is a flood.
GOODBYE_READS = 16

#: What reading or sending may raise when the other side has left.
_LEFT = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)


class _Waits:
    """Waits for subscribers, each of which is cancelled when it has taken ``STALLED_SECONDS``.

    One task looks at all of them, because a deadline of trio would count the time in which the dealer stood still.
    """

    def __init__(self) -> None:
        self._stalls = Stalls(told=inf)  # the watchdog tells the host
        self._since: dict[trio.CancelScope, float] = {}

    @contextmanager
    def limited(self) -> Iterator[trio.CancelScope]:
        with trio.CancelScope() as scope:
            self._since[scope] = self._stalls.clock()
            try:
                yield scope
            finally:
                del self._since[scope]

    async def watch(self) -> None:
        """Cancel what takes too long, until cancelled."""
        while True:
            await trio.sleep(SWEEP_SECONDS)
            now = self._stalls.clock()
            for scope, since in self._since.items():
                if now - since >= STALLED_SECONDS:
                    scope.cancel()


class OpenFeed(NamedTuple):
    """A feed that is served.

    Attributes:
        feed: what is told.
        port: for everybody; None where there is no such port.
        page_place: where the dealer's own page connects, as ``Place`` has it; None where nobody has a token.
    """

    feed: Feed
    port: int | None
    page_place: tuple[str, int] | None


@asynccontextmanager
async def open_feed(scene: Scene, host: str, port: int | None, desk: Desk | None = None) -> AsyncIterator[OpenFeed]:
    """Serve a feed while the block runs.

    Args:
        scene: what is told.
        host: the local address.
        port: for everybody; 0 takes any free one, and None opens none.
        desk: where those who know its token give orders; None where nobody can.

    Raises:
        PortError: the port cannot be opened.
    """
    everybody = [] if port is None else await _listen(host, port)
    own, place = ([], None) if desk is None else await _listen_for_page(desk.files.folder)
    feed, waits = Feed(scene, None if desk is None else desk.view), _Waits()
    host_side = HostSide(scene, feed, desk)
    with (
        descriptors_for(LIMITS.connections if everybody else 0) as public,
        descriptors_for(PAGE_LIMITS.connections if own else 0) as private,
    ):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(waits.watch)
            nursery.start_soon(feed.pages.look_again)
            for listeners, limits, most, is_page in (
                (everybody, LIMITS, public, False),
                (own, PAGE_LIMITS, private, True),
            ):
                admission = Admission(replace(limits, connections=min(limits.connections, most)))
                take = partial(_take, nursery, partial(_serve, feed, host_side, waits, is_page), admission)
                for listener in listeners:
                    nursery.start_soon(accept_in_bursts, listener, BURST, take, admission)
            try:
                yield OpenFeed(feed, everybody[0].socket.getsockname()[1] if everybody else None, place)
                feed.close()
                await feed.deserted_by(feed.everybody)
            finally:
                nursery.cancel_scope.cancel()


async def _listen_for_page(folder: Path) -> tuple[list[trio.SocketListener], tuple[str, int]]:
    """Listen where the dealer's own page connects: at a socket in a folder into which only its user may look.

    No other user of the machine can keep the page out there. Where there are no such sockets, it is a port of loopback.
    """
    path = str(folder / "page")
    if not hasattr(socket, "AF_UNIX") or len(path) > LONGEST_PATH:
        listeners = await _listen(LOOPBACK, 0)
        return listeners, (LOOPBACK, listeners[0].socket.getsockname()[1])
    Path(path).unlink(missing_ok=True)  # that of an earlier feed
    sock = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    await sock.bind(path)
    sock.listen(PAGE_LIMITS.connections)
    return [trio.SocketListener(sock)], (path, 0)


async def _listen(host: str, port: int) -> list[trio.SocketListener]:
    """Open the port, with small system buffers and short timeouts: a stalled subscriber must not hold memory."""
    try:
        listeners = await trio.open_tcp_listeners(port, host=host)
    except OSError as error:
        reason = port_trouble(error, port, "--feed-port")
        raise PortError(f"cannot serve the feed on port {port} of {host}: {reason}") from None
    for listener in listeners:  # sockets that it accepts inherit all of this
        listener.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BYTES)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLISECONDS)
            listener.socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            listener.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, UNACKNOWLEDGED_MILLISECONDS // 1000)
    return listeners


#: Serves an admitted connection.
_Serve = Callable[[Entry, trio.SocketStream], Awaitable[None]]


def _take(nursery: trio.Nursery, serve: _Serve, admission: Admission, stream: trio.SocketStream) -> None:
    """Count a connection, and start its task or drop it."""
    try:
        peer = stream.socket.getpeername()  # empty at a socket in a folder
        entry = admission.enter(peer[0] if peer else LOOPBACK)
    except OSError:  # the peer has gone already
        stream.socket.close()
        return
    if entry is None:
        drop(socket.socket(fileno=stream.socket.detach()))
    else:
        nursery.start_soon(_welcome, serve, admission, entry, stream)


async def _welcome(serve: _Serve, admission: Admission, entry: Entry, stream: trio.SocketStream) -> None:
    """Handle one connection; no failure of it reaches the feed."""
    try:
        async with stream:
            with suppress(*_LEFT):
                await serve(entry, stream)
    finally:
        admission.leave(entry)


async def _serve(
    feed: Feed, host_side: HostSide, waits: _Waits, is_page: bool, entry: Entry, stream: trio.SocketStream
) -> None:
    """Send events to a new subscriber until it leaves, or tell it why it is refused.

    Where only the dealer's own page belongs, ``is_page``, a stranger is told nothing, and does not stay.
    """
    if entry.refusal is not None:
        if not is_page:
            with trio.move_on_after(1.0):
                await stream.send_all(pack({"type": "refused", "reason": entry.refusal}))
        return
    subscriber = feed.join_silently() if is_page else await feed.join()
    hear = partial(host_side.hear, address=entry.address, patience=TOKEN_SECONDS if is_page else inf)
    await _exchange(feed, waits, subscriber, stream, hear)


async def _exchange(
    feed: Feed,
    waits: _Waits,
    subscriber: Subscriber,
    stream: trio.SocketStream,
    take: Callable[[Subscriber, Inbox], Awaitable[None]],
) -> None:
    """Send what a subscriber is told, and take what it sends, until it leaves."""
    inbox, refused = Inbox(stream, waits.limited), False
    try:
        async with trio.open_nursery() as nursery:

            async def hear() -> None:
                nonlocal refused
                try:
                    with suppress(*_LEFT):
                        await take(subscriber, inbox)
                    nursery.cancel_scope.cancel()
                except Refused as why:
                    refused = True
                    feed.end(subscriber, str(why))
                except Exception:
                    log.exception("the host's side of the feed failed")
                    refused = True
                    feed.end(subscriber, "something is wrong with the host's side; the dealer's log says what")

            nursery.start_soon(hear)
            try:
                await _send(feed, waits, subscriber, stream)
            except _LEFT:
                pass
            except Exception:
                log.exception("a subscriber of the feed cannot be told the state")
            nursery.cancel_scope.cancel()
        if refused:
            await _hear_out(stream)
    finally:
        feed.leave(subscriber)


async def _send(feed: Feed, waits: _Waits, subscriber: Subscriber, stream: trio.SocketStream) -> None:
    """Send events until the feed ends, or the subscriber has read nothing for ``STALLED_SECONDS``."""
    while not subscriber.finished:
        await subscriber.wait()
        if subscriber.missed:
            await feed.catch_up(subscriber)
        with waits.limited() as sending:
            await stream.send_all(subscriber.take())
        if sending.cancelled_caught:
            return
        await trio.sleep(GATHER_SECONDS)


async def _hear_out(stream: trio.SocketStream) -> None:
    """Read what a subscriber has sent: closing over unread bytes could take back its last message."""
    with trio.move_on_after(GOODBYE_SECONDS):
        await stream.send_eof()
        for _ in range(GOODBYE_READS):
            if not await stream.receive_some(SYSTEM_BYTES):
                return

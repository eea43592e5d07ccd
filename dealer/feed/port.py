"""Where programs come to listen. They are sent events and asked nothing; who speaks is not heard, but closed."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import trio

from dealer.errors import PortError
from dealer.feed.feed import Feed, pack
from dealer.feed.subscriber import Subscriber
from dealer.journal.writer import Journal
from dealer.net.admission import Admission, Entry
from dealer.net.limits import Limits
from dealer.tournament.scene import Scene

LIMITS = Limits(connections=128, per_address=64)

GATHER_SECONDS = 0.02
"""How long events gather for one send. Fast tables finish thousands of hands a second: a send for each of them, to
each of fifty listeners, would cost more than the hands."""

STALLED_SECONDS = 30.0
"""How long a listener may take for what waits for it."""

SYSTEM_BYTES = 128 * 1024
"""What the system holds for one listener, beside its buffer."""

UNACKNOWLEDGED_MILLISECONDS = 10_000
"""After so long without a sign from the other machine, the system gives the connection up."""

GOODBYE_SECONDS = 0.5
"""How long listeners have for the last events."""

_LEFT = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)


@asynccontextmanager
async def open_feed(scene: Scene, journal: Journal, host: str, port: int) -> AsyncIterator[tuple[Feed, int]]:
    """A feed that programs can listen to while the block runs, and the port it is at; port 0 takes any free one.

    Raises:
        PortError: the port cannot be opened.
    """
    listeners = await _listen(host, port)
    feed, admission = Feed(scene, journal), Admission(LIMITS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(feed.watch_lobby)
        nursery.start_soon(partial(trio.serve_listeners, partial(_welcome, feed, admission), listeners))
        try:
            yield feed, listeners[0].socket.getsockname()[1]
            await _say_goodbye(feed)
        finally:
            admission.log.flush()
            nursery.cancel_scope.cancel()


async def _listen(host: str, port: int) -> list[trio.SocketListener]:
    try:
        listeners = await trio.open_tcp_listeners(port, host=host)
    except OSError as error:
        raise PortError(f"cannot serve the feed on port {port} of {host}: {error.strerror or error}") from None
    for listener in listeners:  # sockets that it accepts inherit all of this
        listener.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BYTES)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLISECONDS)
            listener.socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            listener.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, UNACKNOWLEDGED_MILLISECONDS // 1000)
    return listeners


async def _say_goodbye(feed: Feed) -> None:
    feed.close()
    with trio.move_on_after(GOODBYE_SECONDS):
        while feed.listeners:
            await trio.sleep(GOODBYE_SECONDS / 50)


async def _welcome(feed: Feed, admission: Admission, stream: trio.SocketStream) -> None:
    async with stream:
        with suppress(*_LEFT):
            entry = admission.enter(stream.socket.getpeername()[0])
            if entry is not None:
                try:
                    await _serve(feed, entry, stream)
                finally:
                    admission.leave(entry)


async def _serve(feed: Feed, entry: Entry, stream: trio.SocketStream) -> None:
    if entry.refusal is not None:
        with trio.move_on_after(1.0):
            await stream.send_all(pack({"type": "refused", "reason": entry.refusal}))
        return
    listener = await feed.join()
    try:
        async with trio.open_nursery() as nursery:

            async def leave() -> None:
                with suppress(*_LEFT):
                    await stream.receive_some(1)  # that it has left, or something that nobody asked for
                nursery.cancel_scope.cancel()

            nursery.start_soon(leave)
            with suppress(*_LEFT):
                await _send(feed, listener, stream)
            nursery.cancel_scope.cancel()
    finally:
        feed.listeners.discard(listener)


async def _send(feed: Feed, listener: Subscriber, stream: trio.SocketStream) -> None:
    """Send what comes, until there is an end of it, or the other side takes nothing any more."""
    while not listener.finished:
        await listener.wait()
        if listener.missed:
            await feed.catch_up(listener)
        with trio.move_on_after(STALLED_SECONDS) as sending:
            await stream.send_all(listener.take())
        if sending.cancelled_caught:
            return
        await trio.sleep(GATHER_SECONDS)

"""The dealer's own door for people: connections from the page that people play on, without a port between."""

import socket
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import trio

#: Connections that may wait until the listener takes them.
WAITING = 64


class Visitor(NamedTuple):
    """A connection that waits to be taken.

    Attributes:
        sock: the dealer's end.
        host: address of the browser, for which it counts.
        port: of the browser.
    """

    sock: socket.socket
    host: str
    port: int


class PeopleDoor:
    """Makes connections for browsers, and passes their dealer's ends to the listener for people."""

    def __init__(self) -> None:
        self._send, self._receive = trio.open_memory_channel[Visitor](WAITING)

    def connect(self, peer: tuple[str, int]) -> socket.socket:
        """The far end of a new connection, at which the dealer asks for a login.

        Args:
            peer: address and port of the browser, for limits and logs.

        Raises:
            OSError: no pair of sockets is left, too many connections wait, or the listener has ended.
        """
        ours, theirs = socket.socketpair()
        try:
            self._send.send_nowait(Visitor(ours, *peer))
        except trio.WouldBlock:
            ours.close()
            theirs.close()
            raise OSError("too many people come at once; try again in a moment") from None
        except trio.BrokenResourceError:
            ours.close()
            theirs.close()
            raise OSError("it is over, and nobody is let in any more") from None
        return theirs

    async def pass_on(self, take: Callable[[Visitor], None]) -> None:
        """Give each connection to ``take``, which must not wait, until cancelled; those that still wait are closed."""
        with self._receive:
            try:
                async for visitor in self._receive:
                    take(visitor)
            finally:
                self._close_waiting()

    def _close_waiting(self) -> None:
        with suppress(trio.WouldBlock):
            while True:
                self._receive.receive_nowait().sock.close()

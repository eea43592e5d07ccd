"""One bot at the end of a socket: ``ask`` it, ``tell`` it, or learn that the seat is lost.

This is the dealer's hot path, so it goes around trio's streams: a raw non-blocking socket and
``trio.lowlevel.wait_readable``, with no cancel scope, nursery or channel per question (a third of the time of
``SocketStream`` with ``move_on_after``). The deadline of every seat is kept by one ``Watchdog``.
"""

import select
import socket
import sys

if sys.platform == "linux":
    import fcntl
    import termios

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from typing import overload

import trio

from dealer.faults import FaultKind, SeatLost
from dealer.net.limits import USUAL, Limits
from protocol.games.base import Action, Status, Turn
from protocol.wire.connection import DealerConnection, Flood, UnaskedReply
from protocol.wire.framing import FrameTooLong, Framing
from protocol.wire.messages import Done, GameInfo, Login, Name, ProtocolError, QuitGame, Reply, SecretLogin

READ_BYTES = 4096
CLOSING_SECONDS = 1.0
"""How long a peer may take to read its ``done:`` and close its own end."""

CLOSING_READS = 16
"""Pages read and forgotten from a peer that talks on after its ``done:``, lest it keep the dealer busy."""

_FAILURES = (ProtocolError, trio.ClosedResourceError, OSError)

_MEANINGS: tuple[tuple[type[ProtocolError], FaultKind, bool], ...] = (
    (FrameTooLong, FaultKind.OVERSIZED, False),
    (Flood, FaultKind.FLOOD, False),
    (UnaskedReply, FaultKind.UNASKED, True),
    (QuitGame, FaultKind.QUIT, False),
    (ProtocolError, FaultKind.MALFORMED, True),
)
"""What each mistake is called, and whether the session can go on after it; the first that fits counts."""


class Seat:
    """A connected bot. Its socket belongs to the ``Watchdog`` that made it.

    Attributes:
        limit: seconds within which each reply is due.
        deadline: the trio time at which the question under way is lost; infinite while none is.
        reply_seconds: how long the last reply took, from the last byte sent to the last received.
    """

    def __init__(self, sock: socket.socket, framing: Framing, limit: float, limits: Limits = USUAL) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._descriptor = sock.fileno()
        self._connection = DealerConnection(framing, limits.bytes_per_second, limits.frames_per_second)
        self._gone = trio.Event()
        self._now = trio.lowlevel.current_clock().current_time
        self._outgoing = b""
        self._has_input = _input_probe(sock)
        self.limit = limit
        self.deadline = inf
        self.reply_seconds = 0.0

    @overload
    async def ask(self, question: Login | SecretLogin) -> Name: ...

    @overload
    async def ask(self, question: Turn) -> Action: ...

    async def ask(self, question: Login | SecretLogin | Turn) -> Reply:
        """Put a question, and wait for the answer; an action that the rules forbid is for the caller to find.

        Raises:
            SeatLost: the answer is late or unreadable, or the bot spoke unasked, stopped reading or left.
        """
        try:
            while self._has_input():  # what came before the question must not pass for its answer
                self._connection.receive(self._received())
            self._outgoing += self._connection.send(question)
            if not self._send_some():
                await self._send_rest()
            asked = self._now()
            self.deadline = asked + self.limit
            reply = None
            while reply is None:
                await trio.lowlevel.wait_readable(self._descriptor)
                reply = self._connection.receive(self._received())
            self.reply_seconds = self._now() - asked
        except _FAILURES as error:
            raise self._lost(error) from None
        finally:
            self.deadline = inf
        if self.reply_seconds > self.limit:
            raise SeatLost(FaultKind.LATE, f"the reply took {self.reply_seconds:.3f} s; {self._rule}", connected=True)
        return reply

    def tell(self, message: Status | GameInfo) -> None:
        """Say something that needs no reply; it travels with the next question, or with the next sweep."""
        self._outgoing += self._connection.send(message)

    async def wait_gone(self) -> SeatLost:
        """Wait, while nothing is asked, until the bot leaves or speaks out of turn; say which."""
        try:
            while True:
                await trio.lowlevel.wait_readable(self._sock)
                self._connection.receive(self._received())
        except SeatLost as lost:
            return lost
        except _FAILURES as error:
            return self._lost(error)

    async def close(self, reason: str) -> None:
        """Say ``done:`` with the reason, half-close, give the bot a moment to close its end, then close.

        A peer that already left is no error.
        """
        with trio.move_on_after(CLOSING_SECONDS), suppress(OSError, trio.ClosedResourceError):
            self._outgoing += self._connection.send(Done(reason))
            await self._send_rest()
            self.deadline = inf  # from here on only the moment counts, also when replies are due sooner
            self._sock.shutdown(socket.SHUT_WR)
            # Bytes left unread would turn our close into a reset, which can overtake the reason.
            for _ in range(CLOSING_READS):
                if not await self._discard_input():
                    break
            else:
                await trio.sleep_forever()  # for the moment; a reset now could overtake the reason
        self.abort()

    def abort(self) -> None:
        """Close the socket now, saying nothing."""
        if not self.closed:
            trio.lowlevel.notify_closing(self._sock)
            self._sock.close()
            self._gone.set()

    async def wait_closed(self) -> None:
        """Wait until the socket is closed."""
        await self._gone.wait()

    @property
    def hung_up(self) -> bool:
        """Whether the bot has ended the connection, as far as can be seen without asking."""
        if self.closed:
            return True
        try:
            return self._sock.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    @property
    def closed(self) -> bool:
        """Whether the socket is closed."""
        return self._sock.fileno() < 0

    def sweep(self, now: float) -> None:
        """Called by the watchdog: wake a question that is past its deadline, send what still waits."""
        if now > self.deadline:
            trio.lowlevel.notify_closing(self._sock)
        elif self._outgoing and self.deadline == inf:
            with suppress(OSError):  # whoever asks next meets the same error, and can act on it
                self._send_some()

    def refill(self) -> None:
        """Called by the watchdog every second, for which bytes and frames are counted."""
        self._connection.refill()

    def _lost(self, error: Exception) -> SeatLost:
        """What a failure to hear from the bot means."""
        if isinstance(error, trio.ClosedResourceError):  # the watchdog woke us
            return self._late()
        for type_, kind, connected in _MEANINGS:
            if isinstance(error, type_):
                return SeatLost(kind, str(error), connected)
        return SeatLost(FaultKind.GONE, f"the connection broke: {error}", connected=False)

    def _late(self) -> SeatLost:
        if self.closed:  # by us: its player has come back on another connection
            return SeatLost(FaultKind.GONE, "the connection was given up", connected=False)
        if self._outgoing:
            return SeatLost(FaultKind.LATE, f"the program stopped reading; {self._rule}", connected=False)
        self._connection.give_up()
        reached = not _unacknowledged(self._sock)
        return SeatLost(FaultKind.LATE, f"no complete reply came; {self._rule}", connected=True, reached=reached)

    def _received(self) -> bytes:
        try:
            data = self._sock.recv(READ_BYTES)
        except BlockingIOError:
            return b""
        if not data:
            raise SeatLost(FaultKind.GONE, "the program closed the connection", connected=False)
        return data

    async def _discard_input(self) -> bool:
        """Read and forget; whether there may be more."""
        await trio.lowlevel.wait_readable(self._sock)
        return bool(self._sock.recv(READ_BYTES))

    async def _send_rest(self) -> None:
        """Send all that waits, to a peer whose buffers may be full."""
        self.deadline = self._now() + self.limit
        while not self._send_some():
            await trio.lowlevel.wait_writable(self._sock)

    def _send_some(self) -> bool:
        """Send what the socket takes now; whether that was everything."""
        try:
            sent = self._sock.send(self._outgoing)
        except BlockingIOError:
            return False
        self._outgoing = self._outgoing[sent:]
        return not self._outgoing

    @property
    def _rule(self) -> str:
        return f"every reply is due within {self.limit:g} s"


def _unacknowledged(sock: socket.socket) -> int:
    """Bytes sent that the other machine has not yet received, where the system tells (Linux does); else 0.

    A program that is merely slow has a system that takes bytes for it; one behind a pulled cable has not.
    """
    if sys.platform != "linux":
        return 0
    queued = fcntl.ioctl(sock, termios.TIOCOUTQ, bytes(4))
    return int.from_bytes(queued, sys.byteorder)


def _input_probe(sock: socket.socket) -> Callable[[], object]:
    """A function that says, without waiting, whether there is something to read."""
    if sys.platform == "win32":
        return lambda: select.select([sock], [], [], 0)[0]
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return partial(poll.poll, 0)

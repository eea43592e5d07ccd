"""A person's seat at a dealer elsewhere: plays over a socket, in the event loop of the screen or of the page."""

import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress

import anyio

from bots.human.guest import Guest
from bots.human.updates import BACK_AGAIN, CutOff, Ended, News, Said
from protocol.games.base import Action
from protocol.wire.framing import Framing
from protocol.wire.messages import TRY_AGAIN, Name

READ_BYTES = 65_536

#: Seconds for which a page tries to reach the dealer again, which keeps a person's seat for as long, and between two
#: attempts.
AGAIN_SECONDS = 60.0
RETRY_SECONDS = 0.5

#: How long a dealer may take to close after the person has left, in seconds.
GOODBYE_SECONDS = 2.0

#: Reasons that are shown.
LEFT = "You have left the table."
CLOSED = "The dealer closed the connection without saying why."


class DealerSeat:
    """Plays until the dealer says ``done``, the connection ends for good, or the person leaves.

    Args:
        sock: connected; it is closed at the end.
        framing: how messages travel there.
        name: who the person is.
        post: takes news; it does not wait.
        watches: see ``Guest``.
        again: connects once more after the connection broke, or raises ``OSError``; for a page, for whose people the
            dealer keeps seats. None where the game ends then.

    Attributes:
        left: whether the person has left.
    """

    def __init__(
        self,
        sock: socket.socket,
        framing: Framing,
        name: Name,
        post: Callable[[News], object],
        *,
        watches: bool = False,
        again: Callable[[], Awaitable[socket.socket]] | None = None,
    ) -> None:
        self.left = self._stays = False
        self._sock = sock
        self._post = post
        self._again = again
        self._guest = Guest(name, framing, post, page=again is not None, watches=watches)
        self._waits: anyio.CancelScope | None = None  # for the dealer, or to reach it

    async def run(self) -> None:
        """Play; the last news tells why it is over."""
        self._post(Ended(await self._run()))

    async def _run(self) -> str:
        give_up = 0.0  # the time of the loop until which a connection that broke is made again
        while True:
            with self._sock:
                self._sock.setblocking(False)
                reason = await self._play()
            if self.left:
                return LEFT
            if reason is None and self._again is None:
                return CLOSED
            if reason is None:
                give_up = anyio.current_time() + AGAIN_SECONDS
                self._post(CutOff())
            elif reason.startswith(TRY_AGAIN) and anyio.current_time() < give_up:
                await anyio.sleep(RETRY_SECONDS)  # the dealer takes the connection that broke for an open one
            else:
                return reason.removeprefix(TRY_AGAIN)
            trouble = await self._connect(give_up)
            if self.left or trouble:
                return trouble or LEFT
            self._guest.begin_connection()
            if reason is None:
                self._post(Said(BACK_AGAIN))

    async def _play(self) -> str | None:
        """Play on one connection; why the dealer or its messages ended it, None if it only broke."""
        guest = self._guest
        with anyio.CancelScope() as self._waits:
            while not self.left and guest.reason is None and (data := await self._received()):
                self._send(guest.receive(data))
        if guest.failed:
            self._say_goodbye()
        if (self.left or guest.failed) and not self._stays:
            with anyio.move_on_after(GOODBYE_SECONDS):  # the dealer closes first, so that it reads the last word
                while guest.said_goodbye and await self._received():
                    pass
        return guest.reason

    async def _connect(self, give_up: float) -> str | None:
        """Connect once more; why that did not succeed, None if it did, or if the person left meanwhile."""
        assert self._again is not None
        with anyio.CancelScope() as self._waits:
            while not self.left:
                try:
                    self._sock = await self._again()
                except OSError as error:
                    if anyio.current_time() > give_up:
                        return f"The connection to the dealer broke, and it cannot be reached: {error}."
                    await anyio.sleep(RETRY_SECONDS)
                else:
                    break
        if self.left:
            self._sock.close()
        return None

    def answer(self, number: int, action: Action | None) -> None:
        """Answer question ``number``; nothing happens if that is not open any more."""
        if action is not None:
            self._send(self._guest.answer(number, action))

    def hurry(self) -> None:
        """A dealer makes its own pauses."""

    def leave(self, *, stays: bool = False) -> None:
        """Let the person leave; ``run`` ends soon. See ``Play.leave``."""
        if not self.left:
            self.left, self._stays = True, stays
            self._say_goodbye()
            if self._waits is not None:
                self._waits.cancel()

    def _say_goodbye(self) -> None:
        """Tell the dealer that nobody comes back, or it would keep the seat of a page's connection that only ends."""
        if not self._stays:
            self._send(self._guest.goodbye())

    async def _received(self) -> bytes:
        """The bytes that came; empty once the connection has ended."""
        try:
            await anyio.wait_readable(self._sock)
            return self._sock.recv(READ_BYTES)
        except OSError:
            return b""

    def _send(self, data: bytes) -> None:
        """Send a few bytes. A connection that does not take them has ended, which is noticed when it is read."""
        if data:
            with suppress(OSError):
                self._sock.send(data)

"""A connection of which nothing is lost: every message is written down with its bytes and its time."""

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

import trio

from protocol.wire.framing import FrameTooLong, Framing
from protocol.wire.messages import ProtocolError

READ_BYTES = 65536

GLANCE_SECONDS = 0.001
"""To read what is known to be there; less would be cancelled before it has read anything."""


class Kind(StrEnum):
    """What an entry of a tape is, as transcripts name it."""

    DEALER = "dealer"
    YOU = "you"
    BYTES = "bytes"
    CLOSED = "closed"
    NOTE = "--"


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened on a connection.

    Attributes:
        kind: a message of the dealer's or of the program's, bytes that are none, the end, or a remark.
        text: of the message or the remark; bytes as hexadecimal digits.
        seconds: behind the last byte of the last question; None where that means nothing.
    """

    kind: Kind
    text: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Came:
    """One message of the program's.

    Attributes:
        raw: its bytes, with those that say where it ends.
        text: what it says; None if its bytes are no text.
        wrong: why they are not.
        seconds: from the last byte of the last message sent to its own last byte.
    """

    raw: bytes
    text: str | None
    wrong: str
    seconds: float

    def known(self) -> str:
        """What it says.

        Raises:
            ProtocolError: its bytes are no text.
        """
        if self.text is None:
            raise ProtocolError(self.wrong)
        return self.text


class PeerGone(Exception):
    """The program has ended the connection; ``left`` holds bytes behind its last whole message."""

    def __init__(self, left: bytes) -> None:
        super().__init__("the program closed the connection")
        self.left = left


class Unframed(Exception):
    """What came, and is still unread, is no message of this port's framing; nothing behind it can be trusted."""


class Wire:
    """The dealer's end of a connection.

    Attributes:
        tape: everything that has happened on it.
        gone: whether the program is known to have ended it.
    """

    def __init__(self, stream: trio.SocketStream, framing: Framing) -> None:
        self.tape: list[Entry] = []
        self.gone = False
        self.framing = framing
        self._stream = stream
        self._buffer = b""
        self._sent_at = trio.current_time()

    async def send(self, text: str) -> None:
        """Send a message; a program that has hung up will be noticed when it is next listened to."""
        self.tape.append(Entry(Kind.DEALER, text))
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self._stream.send_all(self.framing.encode(text))
        self._sent_at = trio.current_time()

    async def hear(self, seconds: float) -> Came | None:
        """The next message, or None if none is complete within ``seconds``.

        Raises:
            PeerGone: the program has ended the connection.
            Unframed: what came is longer than any message.
        """
        with trio.move_on_after(seconds):
            while (came := self._split()) is None:
                self._buffer += await self._read()
            return came
        return self._split()

    async def linger(self, seconds: float) -> bytes:
        """Read for ``seconds``, or until the program ends the connection; all bytes that wait then, still unread."""
        with trio.move_on_after(seconds), suppress(PeerGone):
            while True:
                self._buffer += await self._read()
        return self._buffer

    async def unasked(self, seconds: float = 0.0) -> list[Came]:
        """Whole messages that are here although nothing was asked, or come within ``seconds``.

        Raises:
            Unframed: see ``hear``.
        """
        if seconds or self._stream.socket.is_readable():
            await self.linger(seconds or GLANCE_SECONDS)
        messages = []
        while (came := self._split()) is not None:
            messages.append(came)
        return messages

    def drop_rest(self) -> bytes:
        """Forget, and return, bytes that are no whole message."""
        rest, self._buffer = self._buffer, b""
        if rest:
            self._write_down(rest)
        return rest

    def note(self, text: str) -> None:
        """Write a remark beside the messages."""
        self.tape.append(Entry(Kind.NOTE, text))

    @property
    def pending(self) -> bytes:
        """Bytes that were read and are not taken as a message yet."""
        return self._buffer

    @property
    def since_sent(self) -> float:
        """Seconds since the last byte of the last message was sent."""
        return trio.current_time() - self._sent_at

    def _write_down(self, data: bytes) -> None:
        self.tape.append(Entry(Kind.BYTES, data.hex(" "), self.since_sent))

    def close(self) -> None:
        """Close it."""
        self._stream.socket.close()

    async def _read(self) -> bytes:
        try:
            data = await self._stream.receive_some(READ_BYTES)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            data = b""
        if not data:
            self._end()
            raise PeerGone(self._buffer)
        return bytes(data)

    def _end(self) -> None:
        if not self.gone:
            self.gone = True
            self.tape.append(Entry(Kind.CLOSED, "", self.since_sent))

    def _split(self) -> Came | None:
        try:
            body, rest = self.framing.split(self._buffer)
        except FrameTooLong as error:
            raise Unframed(str(error)) from None
        if body is None:
            return None
        raw, self._buffer = self._buffer[: len(self._buffer) - len(rest)], rest
        return self._taken(raw, body, self.since_sent)

    def _taken(self, raw: bytes, body: bytes, seconds: float) -> Came:
        try:
            text, wrong = self.framing.decode(body), ""
        except ProtocolError as error:
            self.tape.append(Entry(Kind.BYTES, raw.hex(" "), seconds))
            return Came(raw, None, str(error), seconds)
        if text.isprintable() and text == text.strip() and text:
            self.tape.append(Entry(Kind.YOU, text, seconds))
        else:
            self.tape.append(Entry(Kind.BYTES, raw.hex(" "), seconds))
        return Came(raw, text, wrong, seconds)

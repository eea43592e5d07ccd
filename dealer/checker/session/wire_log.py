"""A connection that is logged completely: every message with its bytes and its time."""

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

import trio

from dealer.net.stalls import NO_TIME, Stalls
from protocol.wire.framing import FrameTooLong, Framing
from protocol.wire.messages import ProtocolError

#: Bytes read at once, at most.
READ_BYTES = 65536

#: Seconds to read what is known to be there. With less, the read would be cancelled before it has read anything.
GLANCE_SECONDS = 0.001


class Kind(StrEnum):
    """The kind of an entry, by the name it has in transcripts."""

    #: A message that the program was sent.
    DEALER = "dealer"
    #: A message of the program.
    YOU = "you"
    #: Bytes of the program that cannot be shown as text.
    BYTES = "bytes"
    #: The program ended the connection.
    CLOSED = "closed"
    #: A remark.
    NOTE = "--"


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened on a connection.

    Attributes:
        kind: what happened.
        text: of the message or the remark; bytes as hexadecimal digits.
        seconds: since the last byte of the last message sent; None for messages sent and for remarks.
    """

    kind: Kind
    text: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """One message of the program.

    Attributes:
        raw: its bytes, framing included.
        text: its text; None if its bytes are no text.
        wrong: why its bytes are no text.
        seconds: from the last byte of the last message sent to its own last byte.
    """

    raw: bytes
    text: str | None
    wrong: str
    seconds: float

    def known(self) -> str:
        """Its text.

        Raises:
            ProtocolError: its bytes are no text.
        """
        if self.text is None:
            raise ProtocolError(self.wrong)
        return self.text


class PeerGone(Exception):
    """The program has ended the connection; ``left`` are the bytes after its last whole message."""

    def __init__(self, left: bytes) -> None:
        super().__init__("the program closed the connection")
        self.left = left


class Unframed(Exception):
    """The unread bytes are no message in the framing of this port, so nothing after them can be read either."""


class LoggedWire:
    """The dealer's end of a logged connection. Its times leave out those in which the checker itself did not run.

    Args:
        stream: the connection.
        framing: how messages are cut out of the stream.
        stalls: notices when the checker did not run; its ``look_forever`` must run meanwhile.

    Attributes:
        tape: everything that has happened on it, in order.
        gone: whether the program is known to have ended it.
    """

    def __init__(self, stream: trio.SocketStream, framing: Framing, stalls: Stalls) -> None:
        self.tape: list[Entry] = []
        self.gone = False
        self.framing = framing
        self._stream = stream
        self._stalls = stalls
        self._buffer = b""
        self._sent_at = stalls.clock()

    async def send(self, text: str) -> None:
        """Send a message. That the program has ended the connection is noticed at the next ``hear``."""
        self.tape.append(Entry(Kind.DEALER, text))
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self._stream.send_all(self.framing.encode(text))
        self._sent_at = self._stalls.clock()

    async def hear(self, seconds: float) -> Received | None:
        """The next message, or None if none is complete within ``seconds``.

        Raises:
            PeerGone: the program has ended the connection.
            Unframed: what came is longer than any message.
        """
        until = self._stalls.clock() + seconds
        while (came := self._split()) is None:
            if not await self._read_more(until):
                break
        return came

    async def linger(self, seconds: float) -> bytes:
        """Read for ``seconds``, or until the program ends the connection; return all bytes of no message yet."""
        until = self._stalls.clock() + seconds
        with suppress(PeerGone):
            while await self._read_more(until):
                pass
        return self._buffer

    async def unasked(self, seconds: float = 0.0) -> list[Received]:
        """Whole messages that came although nothing was asked, or come within ``seconds``.

        Raises:
            Unframed: what came is longer than any message.
        """
        if seconds or self._stream.socket.is_readable():
            await self.linger(seconds or GLANCE_SECONDS)
        messages = []
        while (came := self._split()) is not None:
            messages.append(came)
        return messages

    def drop_rest(self) -> bytes:
        """Remove and return the bytes that are no whole message."""
        rest, self._buffer = self._buffer, b""
        if rest:
            self.tape.append(Entry(Kind.BYTES, rest.hex(" "), self.since_sent))
        return rest

    def note(self, text: str) -> None:
        """Add a remark to the tape."""
        self.tape.append(Entry(Kind.NOTE, text))

    @property
    def pending(self) -> bytes:
        """Bytes that were read and are not taken as a message yet."""
        return self._buffer

    @property
    def since_sent(self) -> float:
        """Seconds since the last byte of the last message was sent."""
        return self._stalls.clock() - self._sent_at

    def close(self) -> None:
        """Close the connection."""
        self._stream.socket.close()

    async def _read_more(self, until: float) -> bool:
        """Read what comes next into the buffer; False if nothing comes until a time of the clock without stalls."""
        while (left := until - self._stalls.clock()) > NO_TIME:
            with trio.move_on_after(left):
                self._buffer += await self._read()
                return True
        return False

    async def _read(self) -> bytes:
        try:
            data = await self._stream.receive_some(READ_BYTES)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            data = b""
        if data:
            return bytes(data)
        if not self.gone:
            self.gone = True
            self.tape.append(Entry(Kind.CLOSED, "", self.since_sent))
        raise PeerGone(self._buffer)

    def _split(self) -> Received | None:
        try:
            body, rest = self.framing.split(self._buffer)
        except FrameTooLong as error:
            raise Unframed(str(error)) from None
        if body is None:
            return None
        raw, self._buffer = self._buffer[: len(self._buffer) - len(rest)], rest
        seconds = self.since_sent
        try:
            text = self.framing.decode(body)
        except ProtocolError as error:
            self.tape.append(Entry(Kind.BYTES, raw.hex(" "), seconds))
            return Received(raw, None, str(error), seconds)
        if text.isprintable() and text == text.strip() and text:
            self.tape.append(Entry(Kind.YOU, text, seconds))
        else:
            self.tape.append(Entry(Kind.BYTES, raw.hex(" "), seconds))
        return Received(raw, text, "", seconds)

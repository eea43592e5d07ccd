r"""How a message travels: as a frame of Java's ``DataOutputStream.writeUTF``, or as a line. Sans-IO.

A framing turns text into bytes and takes the first message off a buffer. It keeps no state, so any
split of the bytes gives the same messages.

*Modified* UTF-8 (the specification of ``java.io.DataInput``) differs from UTF-8 twice: NUL travels as
``C0 80``, and a character beyond U+FFFF as its two UTF-16 surrogates, three bytes each.
"""

import re
from dataclasses import dataclass
from typing import Protocol

from protocol.wire.messages import ProtocolError

#: The most that the two length bytes of a writeUTF frame can announce.
MAX_UTF_BYTES = 65535

_SURROGATE = re.compile("[\ud800-\udfff]")


class FrameTooLong(ProtocolError):
    """A frame longer than the reader accepts; what follows on this stream cannot be trusted."""


class Framing(Protocol):
    """Where messages begin and end."""

    @property
    def limit(self) -> int:
        """The longest message read, in bytes."""

    def encode(self, text: str) -> bytes:
        """The bytes of one message, framed."""

    def split(self, buffer: bytes) -> tuple[bytes | None, bytes]:
        """The bytes of the first message in ``buffer``, and those behind it; None while it is not complete.

        Raises:
            FrameTooLong: the message is, or announces itself, longer than ``limit``.
        """

    def decode(self, body: bytes) -> str:
        """The text of a message that ``split`` found.

        Raises:
            ProtocolError: the bytes are no text.
        """

    def __hash__(self) -> int:
        """Equal framings have equal hashes."""


@dataclass(frozen=True, slots=True)
class UtfFraming:
    """Two length bytes, most significant first, then that many bytes of modified UTF-8."""

    limit: int = MAX_UTF_BYTES

    def encode(self, text: str) -> bytes:
        """The frame that ``writeUTF`` writes.

        Raises:
            ValueError: the text needs more than 65535 bytes.
        """
        data = text.encode() if text.isascii() and "\0" not in text else encode_modified_utf8(text)
        if len(data) > MAX_UTF_BYTES:
            raise ValueError(f"a frame holds {MAX_UTF_BYTES} bytes, the message has {len(data)}")
        return len(data).to_bytes(2, "big") + data

    def split(self, buffer: bytes) -> tuple[bytes | None, bytes]:
        if len(buffer) < 2:
            return None, buffer
        end = 2 + (buffer[0] << 8 | buffer[1])
        if end - 2 > self.limit:
            raise FrameTooLong(
                f"the two length bytes {buffer[:2].hex(' ')} announce {end - 2} bytes, more than the "
                f"{self.limit} accepted; this port expects messages written with writeUTF"
            )
        if len(buffer) < end:
            return None, buffer
        return buffer[2:end], buffer[end:]

    def decode(self, body: bytes) -> str:
        try:
            return body.decode("ascii") if body.isascii() else decode_modified_utf8(body)
        except ValueError as error:
            raise ProtocolError(f"the message is not modified UTF-8: {error}") from None


@dataclass(frozen=True, slots=True)
class LineFraming:
    """UTF-8 text that ends with LF; a CR before it is not part of the text."""

    limit: int = MAX_UTF_BYTES

    def encode(self, text: str) -> bytes:
        """The line.

        Raises:
            ValueError: the text holds a line break, which would end the message early.
        """
        if "\n" in text:
            raise ValueError("a line cannot hold a line break")
        return text.encode() + b"\n"

    def split(self, buffer: bytes) -> tuple[bytes | None, bytes]:
        end = buffer.find(b"\n")
        if (len(buffer) if end < 0 else end) > self.limit:
            raise FrameTooLong(f"a line of more than the {self.limit} bytes accepted; end each message with a newline")
        if end < 0:
            return None, buffer
        return buffer[:end].removesuffix(b"\r"), buffer[end + 1 :]

    def decode(self, body: bytes) -> str:
        try:
            return body.decode()
        except ValueError as error:
            raise ProtocolError(f"the line is not UTF-8: {error}") from None


def encode_modified_utf8(text: str) -> bytes:
    """Text as modified UTF-8.

    Raises:
        ValueError: the text holds half of a surrogate pair.
    """
    units = text.encode("utf-16-be")
    surrogates_apart = "".join(chr(high << 8 | low) for high, low in zip(units[::2], units[1::2], strict=True))
    return surrogates_apart.encode("utf-8", "surrogatepass").replace(b"\0", b"\xc0\x80")


def decode_modified_utf8(data: bytes) -> str:
    """Text from modified UTF-8. A zero byte is read as NUL, as Java's own reader does.

    Raises:
        ValueError: other bytes that ``writeUTF`` never writes, among them UTF-8's own four-byte characters;
            or half of a surrogate pair, which is no text although Java can send it.
    """
    if max(data, default=0) >= 0xF0:
        raise ValueError("a four-byte character; beyond U+FFFF two surrogates of three bytes each are sent")
    text = data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    if _SURROGATE.search(text):
        return text.encode("utf-16-be", "surrogatepass").decode("utf-16-be")
    return text

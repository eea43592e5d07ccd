r"""What a program speaks that does not speak as its port expects, and how to tell it. Sans-IO.

A dealer has a port for each framing, one for browsers, and perhaps one for programs of the ACPC. A program at the wrong
one understands nothing of what it hears: ``readUTF`` takes the letters ``lo`` of the line ``login`` for a length of
27,759 bytes, and waits for so many; a program that reads lines waits for the end of a line that a frame never has. So
the reason is told in both framings, one behind the other, in a way that each kind of reader finds its own. A program of
the ACPC speaks first, so it is known and is told in a comment alone.
"""

import re
from enum import StrEnum

from protocol.wire.framing import Framing, LineFraming, UtfFraming


class Speech(StrEnum):
    """Name a peer's protocol by its first bytes."""

    FRAMES = "frames of writeUTF"
    LINES = "lines of text"
    HTTP = "HTTP"
    TLS = "TLS"
    ACPC = "the text of the ACPC"


_METHOD = re.compile(rb"(GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|CONNECT|TRACE|PRI) ")

#: The first two bytes of a TLS handshake.
_HANDSHAKE = b"\x16\x03"

#: The first line of a program of the ACPC, in any version.
_ACPC_VERSION = re.compile(rb"VERSION:\d")

#: The first byte of a frame: no login is so long that this byte of its length is larger.
_LARGEST_FIRST_BYTE = 1


def recognise(sent: bytes) -> Speech | None:
    """What a program that should log in speaks; None if the bytes do not tell.

    Args:
        sent: the first bytes of the connection.
    """
    if not sent:
        return None
    if _METHOD.match(sent):
        return Speech.HTTP
    if sent.startswith(_HANDSHAKE):
        return Speech.TLS
    if _ACPC_VERSION.match(sent):
        return Speech.ACPC
    if sent[0] <= _LARGEST_FIRST_BYTE:
        return Speech.FRAMES
    return Speech.LINES if 0x20 <= sent[0] < 0x7F or sent[0] >= 0x80 else None


def expected(framing: Framing) -> Speech:
    """What a port with this framing expects."""
    return Speech.LINES if isinstance(framing, LineFraming) else Speech.FRAMES


def in_the_other_framing(framing: Framing, sent: bytes, message: str) -> bytes:
    """The bytes that tell a message to a program at a port with ``framing`` that reads the other one.

    A program that reads as the port expects has heard the message already, and does not read them.

    Args:
        framing: of the port.
        sent: everything that the dealer has sent on this connection.
        message: its text, without a line break.
    """
    if isinstance(framing, LineFraming):
        # ``readUTF`` has taken the first two bytes for a length. Zeros fill that message up: a terminal shows nothing
        # of them, and the frame stands where the program looks for its next message.
        missing = 2 + int.from_bytes(sent[:2], "big") - len(sent) if len(sent) >= 2 else 0
        return b"\0" * max(missing, 0) + UtfFraming().encode(message)
    return b"\n" + LineFraming().encode(message)


def as_comment(framing: Framing, message: str) -> bytes:
    """The bytes that tell a message to a program of the ACPC, which skips comments and people can read them.

    Args:
        framing: of the port.
        message: its text, without a line break.
    """
    # A frame that was sent before has no end of a line, and would be part of the comment's line.
    before = b"" if isinstance(framing, LineFraming) else b"\n"
    return before + f"# {message}\r\n".encode()


def with_length_in_ascii(message: str) -> str:
    """The message, with spaces behind it where a frame's length would else have a byte that is no ASCII.

    A program that reads lines as UTF-8 takes that byte for a broken character, and many end with an error there.
    """
    low_byte = len(message.encode()) % 256
    return message + " " * (256 - low_byte if low_byte >= 0x80 else 0)

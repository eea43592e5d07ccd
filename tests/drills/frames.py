"""What attackers send: real sessions gone wrong, messages that hypothesis made up, and plain noise.

Traitors log in, play correctly for a while, and then do one thing wrong.
"""

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from random import Random

import msgpack

from protocol.wire.framing import Framing, LineFraming, UtfFraming


@dataclass(frozen=True, slots=True)
class Arsenal:
    """Framed messages for one door.

    Attributes:
        recorded: every message of a real session, in both directions.
        generated: messages that hypothesis made, right and wrong ones.
    """

    framing: Framing
    recorded: Sequence[bytes]
    generated: Sequence[bytes]


def open_arsenals(recording: Path, made_up: Path) -> tuple[Arsenal, Arsenal]:
    """The ammunition for the door of frames and for that of lines: what a ``table`` has recorded, and made up texts."""
    recorded = msgpack.unpackb(recording.read_bytes())
    made = msgpack.unpackb(made_up.read_bytes())
    frames, lines = UtfFraming(), LineFraming()
    return (
        Arsenal(frames, [data for is_line, data in recorded if not is_line], [frames.encode(text) for text in made]),
        Arsenal(
            lines,
            [data for is_line, data in recorded if is_line],
            [lines.encode(text.replace("\n", " ")) for text in made],
        ),
    )


def mutated(data: bytes, rng: Random) -> bytes:
    """``data`` with one thing changed: bits flipped, bytes lost, doubled, put in or put elsewhere."""
    start, end = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    piece = data[start:end]
    match rng.randrange(5):
        case 0:
            return data[:start] + bytes([rng.randrange(256)]) + data[start + 1 :]
        case 1:
            return data[:start] + data[end:]
        case 2:
            return data[:end] + piece + data[end:]
        case 3:
            return data[:start] + rng.randbytes(rng.randrange(1, 9)) + data[start:]
        case _:
            return data[end:] + piece + data[:start]


def volley(frames: Sequence[bytes], count: int, rng: Random) -> bytes:
    """``count`` messages in a row from a place in a session, each mutated or not."""
    first = rng.randrange(len(frames))
    chosen = (frames[(first + number) % len(frames)] for number in range(count))
    return b"".join(mutated(frame, rng) if rng.random() < 0.5 else frame for frame in chosen)


def noise(framing: Framing, count: int, rng: Random) -> bytes:
    """``count`` frames of random bytes; those of lines may hold more line ends."""
    bodies = (rng.randbytes(rng.randrange(40)) for _ in range(count))
    if isinstance(framing, UtfFraming):
        return b"".join(len(body).to_bytes(2, "big") + body for body in bodies)
    return b"".join(body + b"\n" for body in bodies)


#: The value of ``SO_LINGER`` with which a close is a reset.
LINGER_ZERO = struct.pack("ii", 1, 0)


class Ending(Enum):
    """What a misdeed does to its connection."""

    LISTEN = auto()
    HALF_CLOSE = auto()
    RESET = auto()


@dataclass(frozen=True, slots=True)
class Misdeed:
    """One thing done wrong when asked.

    Attributes:
        fault: what the dealer calls it.
        reply: the bytes sent in place of an answer, given how messages travel and the chips owed.
        ending: what happens after that.
    """

    fault: str
    reply: Callable[[Framing, int], bytes]
    ending: Ending = Ending.LISTEN


def _nothing(_framing: Framing, _owed: int) -> bytes:
    return b""


MISDEEDS = {
    "flood": Misdeed("unasked", lambda framing, _: framing.encode("fold") * 2000),
    "malformed": Misdeed("malformed", lambda framing, _: framing.encode("call")),
    "illegal": Misdeed("illegal", lambda framing, owed: framing.encode(f"bet:{owed + 11}")),
    "oversized": Misdeed("oversized", lambda framing, _: framing.encode("x" * 600)),
    "answers-twice": Misdeed("unasked", lambda framing, _: framing.encode("fold") * 2),
    "reset": Misdeed("gone", _nothing, Ending.RESET),
    "half-close": Misdeed("gone", _nothing, Ending.HALF_CLOSE),
    "silent": Misdeed("late", _nothing),
    "half-a-frame": Misdeed("late", lambda framing, _: framing.encode("bet:0")[:-1]),
}

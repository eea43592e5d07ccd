"""Players that log in, play correctly for a while, and then do one thing wrong."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from protocol.wire.framing import Framing

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

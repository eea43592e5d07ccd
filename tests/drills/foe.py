"""An attacker's end of a connection, and the count of what all of them did and what came back."""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import trio

from tests.drills.frames import Arsenal
from tests.drills.traitors import LINGER_ZERO

SHOWN = 60

_VARIABLE = re.compile(r"'.*|[0-9a-f]{2} [0-9a-f]{2}(?= announce)|\d+(\.\d+)?")


@dataclass(slots=True)
class Tally:
    """What attackers did, by kind, and how their connections ended."""

    connections: Counter[str] = field(default_factory=Counter)
    frames: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)
    endings: dict[str, Counter[str]] = field(default_factory=dict)

    def ended(self, kind: str, how: str) -> None:
        self.endings.setdefault(kind, Counter())[how] += 1

    def facts(self) -> dict[str, Any]:
        return {
            "connections": self.connections,
            "frames": self.frames,
            "bytes": self.bytes,
            "endings": self.endings,
        }


@dataclass(slots=True)
class Foe:
    """One connection with bad intentions.

    Attributes:
        names: ids that the roster has for attackers.
    """

    stream: trio.SocketStream
    arsenal: Arsenal
    rng: Random
    tally: Tally
    kind: str
    names: Sequence[str]
    _heard: bytes = b""

    async def send(self, data: bytes, frames: int = 1) -> None:
        """Send any bytes, that hold so many messages; a dealer that has hung up is no error."""
        self.tally.frames[self.kind] += frames
        self.tally.bytes[self.kind] += len(data)
        with suppress(trio.BrokenResourceError):
            await self.stream.send_all(data)

    async def say(self, text: str) -> None:
        """Send one message, as the door wants it."""
        await self.send(self.arsenal.framing.encode(text))

    async def hear(self) -> bool:
        """Take what comes next; whether the dealer is still there."""
        try:
            data = await self.stream.receive_some(4096)
        except trio.BrokenResourceError:
            data = b""
        self._heard += data
        return bool(data)

    async def log_in(self) -> None:
        """Take the question, and give a name that the roster knows."""
        await self.hear()
        await self.say(f"{self.rng.choice(self.names)}:Thief")

    async def hear_out(self) -> None:
        """Listen until the dealer ends the session, and note how it did."""
        while await self.hear():
            pass
        self.tally.ended(self.kind, self._last_word())

    def half_close(self) -> None:
        """Say no more, but listen."""
        with suppress(OSError):  # the dealer may have hung up
            self.stream.socket.shutdown(trio.socket.SHUT_WR)

    async def leave(self, *, reset: bool = False) -> None:
        """Hang up without waiting for anything."""
        if reset:
            self.stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, LINGER_ZERO)
        await self.stream.aclose()
        self.tally.ended(self.kind, "reset by the attacker" if reset else "left by the attacker")

    def _last_word(self) -> str:
        _, done, reason = self._heard.partition(b"done:")
        if not done:
            return "closed without a word"
        return "done: " + _VARIABLE.sub("…", reason.decode("utf-8", "replace")).strip()[:SHOWN]

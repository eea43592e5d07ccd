"""What an attacker can do with a connection. Each takes one that is open, and ends it."""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import trio

from tests.drills.frames import LINGER_ZERO, Arsenal, noise, volley

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


#: Messages that a connection sends at most, but for a flood.
VOLLEY = 200
FLOOD = 2000

Attack = Callable[[Foe], Awaitable[None]]


async def leave(foe: Foe) -> None:
    """Connects and is gone."""
    await foe.leave()


async def reset(foe: Foe) -> None:
    """Connects, and breaks the connection."""
    await foe.leave(reset=True)


async def stall(foe: Foe) -> None:
    """Connects and says nothing."""
    await foe.hear_out()


async def trickle(foe: Foe) -> None:
    """Sends a login byte by byte: some are done in time, some are not."""
    pause = foe.rng.uniform(0.01, 0.2)
    for byte in foe.arsenal.framing.encode("trickle:Trickle"):
        await foe.send(bytes([byte]), frames=0)
        await trio.sleep(pause)
    await foe.hear_out()


async def flood(foe: Foe) -> None:
    """Sends without end, and does not listen meanwhile."""
    for _ in range(4):
        await foe.send(foe.arsenal.framing.encode("fold") * (FLOOD // 4), frames=FLOOD // 4)
    await foe.hear_out()


async def random_bytes(foe: Foe) -> None:
    """Sends noise in frames."""
    count = foe.rng.randint(1, VOLLEY)
    await foe.send(noise(foe.arsenal.framing, count, foe.rng), count)
    await foe.hear_out()


async def mutated_sessions(foe: Foe) -> None:
    """Sends a piece of a real session, of both sides, with changes."""
    count = foe.rng.randint(1, VOLLEY)
    await foe.send(volley(foe.arsenal.recorded, count, foe.rng), count)
    await foe.hear_out()


async def made_up_messages(foe: Foe) -> None:
    """Sends what hypothesis makes up, with changes."""
    count = foe.rng.randint(1, VOLLEY)
    await foe.send(volley(foe.arsenal.generated, count, foe.rng), count)
    await foe.hear_out()


async def half_close(foe: Foe) -> None:
    """Says that it will say no more, now or after half a message, and listens."""
    await foe.send(foe.arsenal.framing.encode("half:Half")[: foe.rng.randrange(8)], frames=0)
    foe.half_close()
    await foe.hear_out()


async def reset_in_flight(foe: Foe) -> None:
    """Breaks the connection right behind a volley."""
    count = foe.rng.randint(1, VOLLEY)
    await foe.send(volley(foe.arsenal.recorded, count, foe.rng), count)
    await foe.leave(reset=True)


async def deaf(foe: Foe) -> None:
    """Sends, and reads nothing for a while."""
    await foe.send(foe.arsenal.framing.encode("deaf:Deaf") * VOLLEY, VOLLEY)
    await trio.sleep(foe.rng.uniform(0.0, 1.5))
    await foe.hear_out()


async def wrong_protocol(foe: Foe) -> None:
    """Is a browser, or wants TLS, or sends to the port for frames what belongs to that for lines."""
    await foe.send(foe.rng.choice((b"GET / HTTP/1.1\r\nHost: casino\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"fold\n")))
    await foe.hear_out()


async def thief(foe: Foe) -> None:
    """Logs in as a student on the roster, where the lobby is open, and then behaves badly there."""
    await foe.log_in()
    match foe.rng.randrange(5):
        case 0:
            await foe.leave()
        case 1:
            await foe.leave(reset=True)
        case 2:
            foe.half_close()
            await foe.hear_out()
        case 3:
            await foe.send(volley(foe.arsenal.recorded, VOLLEY, foe.rng), VOLLEY)
            await foe.hear_out()
        case _:
            await foe.say("fold")
            await foe.hear_out()


ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        leave,
        reset,
        stall,
        trickle,
        flood,
        random_bytes,
        mutated_sessions,
        made_up_messages,
        half_close,
        reset_in_flight,
        deaf,
        wrong_protocol,
        thief,
    )
}

#: Attacks that send nothing but noise, messages made up, and real sessions with changes.
DAMAGED = tuple(
    attack.__name__ for attack in (random_bytes, mutated_sessions, made_up_messages, reset_in_flight, thief)
)

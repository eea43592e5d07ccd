"""The buffer of one subscriber of the feed, and how a message is packed."""

from collections.abc import Mapping
from typing import Any

import msgspec
import trio

from protocol.events import Event

#: Bytes that wait for one subscriber, at most; some hundreds of hands.
BUFFER_BYTES = 256 * 1024


class Subscriber:
    """A bounded buffer. A program that reads too slowly loses events, is told how many, and gets the state instead.

    Attributes:
        missed: events lost since the last ``caught_up``. While there are any, all further events are lost too, because
            events after a gap would make no sense without the state.
        stays: whether it has given the host's token, and is told one tournament after another.
        is_host: whether it is told whole events.
        room: bytes that may wait for it.
    """

    def __init__(self) -> None:
        self.missed = 0
        self.stays = False
        self.is_host = False
        self.room = BUFFER_BYTES
        self._waiting: list[bytes] = []
        self._size = 0
        self._events = 0
        self._answer = b""
        self._taken = trio.Event()
        self._more = trio.Event()
        self._more.set()
        self._closed = False

    @property
    def finished(self) -> bool:
        """Whether nothing is left to send and nothing will come."""
        return self._closed and not self._waiting and not self.missed and not self._answer

    def put(self, event: bytes) -> None:
        """Add an event; if there is no room for it, drop it and everything that waits."""
        if self.missed or self._size + len(event) > self.room:
            self.missed += self._events + 1
            self._waiting.clear()
            self._size = self._events = 0
        else:
            self._waiting.append(event)
            self._size += len(event)
            self._events += 1
        self._more.set()

    def put_state(self, state: bytes) -> None:
        """Add what is no event, and has room whatever waits; nothing where ``caught_up`` will tell as much."""
        if not self.missed:
            self._waiting.append(state)
            self._size += len(state)
            self._more.set()

    def begin_with(self, state: bytes) -> None:
        """Replace all that waits, and what was missed, by a state."""
        self._hold(state)
        self._more.set()

    def caught_up(self, told: bytes) -> None:
        """Replace what was missed by ``told``, which says how many events were lost and holds the state."""
        if self.missed:  # else it has ended meanwhile
            self._hold(told)

    async def answer(self, answer: bytes) -> None:
        """Tell this subscriber alone, and wait until that is taken out. It is not in the buffer, so it is never lost.

        Called by one task at a time.
        """
        self._answer, self._taken = answer, trio.Event()
        self._more.set()
        await self._taken.wait()

    def take(self) -> bytes:
        """Take everything that waits, an answer behind the events that came before it."""
        data = b"".join([*self._waiting, self._answer])
        self._waiting, self._size, self._events, self._answer = [], 0, 0, b""
        self._taken.set()
        return data

    async def wait(self) -> None:
        """Wait until there is something to send, or nothing will come any more."""
        if not (self._waiting or self.missed or self._answer or self._closed):
            self._more = trio.Event()
            await self._more.wait()

    def end_with(self, *last: bytes) -> None:
        """Replace all that waits by the last message, or by none."""
        self._hold(*last)
        self._answer = b""
        self.close()

    def _hold(self, *messages: bytes) -> None:
        self.missed = self._events = 0
        self._waiting, self._size = [*messages], sum(map(len, messages))

    def close(self) -> None:
        """Expect no further events."""
        self._closed = True
        self._more.set()


def pack(facts: Mapping[str, Any] | Event) -> bytes:
    """The bytes of a message: its length in four bytes, most significant first, then a MessagePack map."""
    body = msgspec.msgpack.encode(facts)
    return len(body).to_bytes(4, "big") + body

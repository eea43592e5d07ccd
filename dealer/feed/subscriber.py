"""A subscriber of the feed: the events that one program has not been sent yet, in a bounded buffer."""

import trio

#: Bytes that wait for one subscriber, at most; some hundreds of hands.
BUFFER_BYTES = 256 * 1024


class Subscriber:
    """A bounded buffer. A program that reads too slowly loses events, is told how many, and gets the state instead.

    Attributes:
        missed: events lost since the last ``caught_up``. While there are any, all further events are lost too, because
            events after a gap would make no sense without the state.
    """

    def __init__(self, first: bytes) -> None:
        self.missed = 0
        self._waiting = [first]
        self._size = len(first)
        self._more = trio.Event()
        self._more.set()
        self._closed = False

    @property
    def finished(self) -> bool:
        """Whether nothing is left to send and nothing will come."""
        return self._closed and not self._waiting and not self.missed

    def put(self, event: bytes) -> None:
        """Add an event; if there is no room for it, drop it and everything that waits."""
        if self.missed or self._size + len(event) > BUFFER_BYTES:
            self.missed += len(self._waiting) + 1
            self._waiting.clear()
            self._size = 0
        else:
            self._waiting.append(event)
            self._size += len(event)
        self._more.set()

    def caught_up(self, told: bytes) -> None:
        """Replace what was missed by ``told``, which says how many events were lost and holds the state."""
        self.missed = 0
        self._waiting, self._size = [told], len(told)

    def take(self) -> bytes:
        """Take everything that waits out of the buffer."""
        data = b"".join(self._waiting)
        self._waiting, self._size = [], 0
        return data

    async def wait(self) -> None:
        """Wait until there is something to send, or nothing will come any more."""
        if not (self._waiting or self.missed or self._closed):
            self._more = trio.Event()
            await self._more.wait()

    def close(self) -> None:
        """Expect no further events."""
        self._closed = True
        self._more.set()

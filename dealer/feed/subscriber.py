"""One program that listens: what it has not been sent yet, as far as there is room."""

import trio

BUFFER_BYTES = 256 * 1024
"""What waits for one listener at most; some hundreds of hands."""


class Subscriber:
    """A bounded buffer. Who reads too slowly loses events, is told how many, and begins again with the state.

    Attributes:
        missed: events that found no room since the last ``caught_up``; while there are any, all others are missed too.
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
        """Whether nothing is left to send, and nothing will come."""
        return self._closed and not self._waiting and not self.missed

    def put(self, event: bytes) -> None:
        """Take an event, or drop it and all that waits."""
        if self.missed or self._size + len(event) > BUFFER_BYTES:
            self.missed += len(self._waiting) + 1
            self._waiting.clear()
            self._size = 0
        else:
            self._waiting.append(event)
            self._size += len(event)
        self._more.set()

    def caught_up(self, told: bytes) -> None:
        """What was missed is made good by ``told``."""
        self.missed = 0
        self._waiting, self._size = [told], len(told)

    def take(self) -> bytes:
        """All that waits."""
        data = b"".join(self._waiting)
        self._waiting, self._size = [], 0
        return data

    async def wait(self) -> None:
        """Wait until there is something to send, or an end."""
        if not (self._waiting or self.missed or self._closed):
            self._more = trio.Event()
            await self._more.wait()

    def close(self) -> None:
        """Nothing more will come."""
        self._closed = True
        self._more.set()

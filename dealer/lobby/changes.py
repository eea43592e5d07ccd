"""Waiting for others: whoever waits between two hands looks again whenever something has changed."""

import trio


class Changes:
    """Says that something has changed, not what: whoever is woken looks for itself."""

    def __init__(self) -> None:
        self._changed = trio.Event()

    async def changed(self) -> None:
        """Wait until the next change."""
        await self._changed.wait()

    def announce(self) -> None:
        """Wake everybody who waits."""
        self._changed.set()
        self._changed = trio.Event()

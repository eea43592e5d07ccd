"""The desk as the routes of the host know it, and that of a dealer in the same process."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import trio

from dealer.desk.desk import Desk
from dealer.desk.files import Making, Wanted
from dealer.desk.orders import Order, OrderRefused

Facts = Mapping[str, Any]

#: The share of the dealer's time that looking for hosts may take.
SHARE = 0.02

#: Bytes of a piece of a file.
PIECE_BYTES = 128 * 1024


@dataclass(frozen=True, slots=True)
class Found:
    """A file that can be sent.

    Attributes:
        name: under which the host keeps it.
        read: the next piece; empty at the end. Raises ``StreamError`` if the rest does not come.
        source: is to be closed behind the last piece.
    """

    name: str
    read: Callable[[], Awaitable[bytes]]
    source: trio.abc.AsyncResource


class HostDesk(Protocol):
    """Carries out what a host orders. Each method raises ``StreamError`` where the dealer does not answer."""

    async def obey(self, order: Order) -> Facts:
        """Carry out an order; the ``state`` after it, and what was ``said``, or the ``error`` if it cannot be done.

        Raises:
            BadOrderError: it cannot be sent to the dealer.
        """

    async def look(self) -> Facts:
        """All that a host sees."""

    async def take(self, wanted: Wanted) -> Facts | Found:
        """A file, or how far it is made.

        Raises:
            OrderRefused: it cannot be made.
        """


class LocalDesk:
    """The desk of a dealer in this process."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._next_look = 0.0

    async def obey(self, order: Order) -> Facts:
        """Carry out an order, see ``HostDesk``."""
        try:
            said = await self._desk.obey(order)
        except OrderRefused as refusal:
            return {"error": str(refusal), "state": self._desk.view.look()}
        return {"said": said, "state": self._desk.view.look(order.command)}

    async def look(self) -> Facts:
        """All that a host sees. It is told the later, the longer the last look took."""
        await trio.sleep_until(self._next_look)
        began = time.perf_counter()
        seen = self._desk.view.look(None)
        self._next_look = trio.current_time() + (time.perf_counter() - began) / SHARE
        return seen

    async def take(self, wanted: Wanted) -> Facts | Found:
        """A file, or how far it is made, see ``HostDesk``."""
        found = await self._desk.files.take(wanted)
        if isinstance(found, Making):
            return found.facts
        try:
            file = await trio.open_file(found.path, "rb")
        except OSError as error:
            raise OrderRefused(f"the file cannot be read: {error.strerror}") from None
        return Found(found.name, partial(file.read, PIECE_BYTES), file)

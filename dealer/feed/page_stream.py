"""What pages in processes of their own are told: everything of ``HostView``, packed once for all of them.

A page that reads too slowly loses what waits for it, and gets the state instead. The dealer waits for none.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
import trio

from dealer.feed.host_view import HostView
from dealer.feed.subscriber import Subscriber, pack
from dealer.feed.teller import Teller
from dealer.feed.told import Told
from dealer.tournament.scene import Scene

log = structlog.get_logger()

#: Seconds between two looks at the tournament, at least and at most.
LOOK_SECONDS, MOST_SECONDS = 0.25, 2.0

#: Seconds after which a page is sent an empty message, so that it knows that the dealer is there.
PING_SECONDS = 5.0

#: Bytes that wait for one page, at most: some states of a thousand players.
ROOM_BYTES = 4 * 1024 * 1024

#: Tells a page nothing.
PING = pack({"type": "ping"})

#: The share of the dealer's time that looking is to take; where there is more to see, it is done less often.
SHARE = 0.01


@contextmanager
def _logged() -> Iterator[None]:
    """Log what fails in the block: no look at a tournament may end it."""
    try:
        yield
    except Exception:
        log.exception("pages are told nothing new; the tournament goes on")


class PageStream:
    """Tells pages what a scene shows.

    Args:
        scene: see above.

    Attributes:
        pages: who is told.
    """

    def __init__(self, scene: Scene) -> None:
        self.pages: set[Subscriber] = set()
        self._view = HostView(scene)
        self._view.join(self._hear)

    def let_in(self, page: Subscriber) -> None:
        """Tell a page the state, and from now on all that changes, instead of what waits for it."""
        page.room = ROOM_BYTES
        page.begin_with(self.state())
        self.pages.add(page)

    def begin(self, teller: Teller) -> None:
        """Follow the tournament that the scene shows from its lobby on, also before there are pages."""
        with _logged():
            self._view.begin(teller)

    async def look_again(self) -> None:
        """Look at the tournament again and again while there are pages, until cancelled."""
        pinged = trio.current_time()
        while True:
            began = time.perf_counter()
            self.look()
            took = time.perf_counter() - began
            if trio.current_time() > pinged + PING_SECONDS:
                pinged = trio.current_time()
                for page in self.pages:
                    page.put(PING)
            await trio.sleep(min(max(LOOK_SECONDS, took / SHARE), MOST_SECONDS))

    def look(self) -> None:
        """Tell all pages what has changed."""
        if self.pages:
            with _logged():
                self._view.look()

    def state(self) -> bytes:
        """The state as it is now, packed."""
        return pack(self._view.state())

    def _hear(self, told: Told) -> None:
        if self.pages:
            packed = pack(told)
            for page in self.pages:
                page.put(packed)

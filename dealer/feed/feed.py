"""The feed: packs every event once, and puts it into the buffer of every subscriber. It never waits for one.

Subscribers are told what everybody may know, see ``Event.public``; hosts are told the whole of it (``host.py``).
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import trio

from dealer.desk.view import DeskView
from dealer.feed import VERSION
from dealer.feed.page_stream import PageStream
from dealer.feed.subscriber import Subscriber, pack
from dealer.feed.teller import Finished, Teller
from dealer.journal.writer import Journal
from dealer.telling.record_events import agreed
from dealer.tournament.scene import Scene
from protocol.events import AtTable, Event, Resumed, type_of
from protocol.shuffle import commitment

#: Seconds from one telling of the figures to the next.
FIGURES_SECONDS = 1.0

#: Seconds that subscribers have to read the last events.
GOODBYE_SECONDS = 0.5

#: The share of the dealer's time that states for slow readers may take.
SHARE = 0.05


class _Turns:
    """Turns in which one after the other is told the state, so that this takes a small share of the dealer's time."""

    def __init__(self, settled: Callable[[], Awaitable[None]]) -> None:
        self._settled = settled
        self._lock = trio.Lock()
        self._next = 0.0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, which is the block and must not wait. It comes the later the longer the last ones took."""
        async with self._lock:
            await trio.sleep_until(self._next)
            await self._settled()
            began = time.perf_counter()
            yield
            self._next = trio.current_time() + (time.perf_counter() - began) / SHARE


class Feed:
    """Tells all subscribers what happens, as far as everybody may know it, and hosts the whole of it.

    It is open for the whole run of a dealer, and tells one tournament after another (``telling``). Between two of them
    hosts and pages stay. All others have been let go, and whoever comes meanwhile waits for the next one's ``hello``.

    Args:
        scene: what is told.
        view: what a host sees of it; None where there is no desk.

    Attributes:
        everybody: all who are connected.
        subscribers: those of them who are told events.
        pages: tells those of them that are pages of their own.
    """

    def __init__(self, scene: Scene, view: DeskView | None = None) -> None:
        self.everybody: set[Subscriber] = set()
        self.subscribers: set[Subscriber] = set()
        self.pages = PageStream(scene)
        self._waiting: set[Subscriber] = set()
        self._view = view
        self._scene = scene
        self._teller: Teller | None = None  # of the tournament that is told, or was told last
        self._tells = False
        self._count = 0
        self._closed = self._parted = False
        self._turns = _Turns(self._settled)
        self._host_turns = _Turns(self._settled)  # strangers who read too slowly must not keep a host waiting

    @asynccontextmanager
    async def telling(self, journal: Journal) -> AsyncIterator[None]:
        """Tell the tournament of the scene, from its lobby on, while the block runs.

        Args:
            journal: whose records are told.
        """
        self._begin(Teller(self._scene, journal))
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch_lobby, self._its_teller)
                nursery.start_soon(self._tell_figures, self._its_teller)
                yield
                nursery.cancel_scope.cancel()
            self.pages.look()
            await self._part()
        finally:
            self._tells = False

    def _begin(self, teller: Teller) -> None:
        for host in self.subscribers:
            if host.missed:
                host.caught_up(self._pack("lost", {"missed": host.missed}))
        self._teller, self._count, self._tells = teller, 0, True
        teller.listeners.append(self._hear)
        self.pages.begin(teller)
        self.subscribers |= self._waiting
        self._waiting.clear()
        for subscriber in self.subscribers:
            self._greet(subscriber)

    async def _part(self) -> None:
        """End the connections that tell one tournament, when the last events are read, or cannot be read."""
        self._tells = False
        leaving = {subscriber for subscriber in self.subscribers if not subscriber.stays}
        self.subscribers -= leaving
        for subscriber in leaving:
            subscriber.close()
        await self.deserted_by(leaving)
        for subscriber in leaving:
            subscriber.end_with()

    async def deserted_by(self, leaving: set[Subscriber]) -> None:
        """Wait until subscribers who were let go have read the last events, but not longer than a moment."""
        with trio.move_on_after(GOODBYE_SECONDS):
            while not leaving.isdisjoint(self.everybody):
                await trio.sleep(GOODBYE_SECONDS / 50)

    def _greet(self, subscriber: Subscriber) -> None:
        """Tell a subscriber which tournament is told, and its state as it is now."""
        scene = self._scene
        settings, state = scene.settings, self._its_teller.state()
        about = {"game": settings.game.name, "agreed": agreed(settings), "commitment": commitment(settings.seed)}
        hello = {"feed": VERSION, "tournament": scene.number, **about, "state": state}
        subscriber.put_state(self._pack("hello", hello))
        if subscriber.is_host:
            subscriber.put_state(self._host_state())

    @property
    def _its_teller(self) -> Teller:
        assert self._teller is not None, "nobody is told an event before the first tournament is told"
        return self._teller

    async def _settled(self) -> None:
        if self._teller is not None:
            await self._teller.settled()

    async def _watch_lobby(self, teller: Teller) -> None:
        """Tell who is in the lobby, whenever that changes, until the tournament begins."""
        shown = teller.here()
        while self._scene.tournament is None:
            await self._scene.lobby.changed()
            before, shown = shown, teller.here()
            if shown != before and self._scene.tournament is None:
                self._publish("lobby", {"players": shown})

    async def _tell_figures(self, teller: Teller) -> None:
        """Tell how everybody stands, once a second while anybody listens, until the tournament is over."""
        while True:
            await trio.sleep(FIGURES_SECONDS)
            tournament = self._scene.tournament
            if tournament is None or not tournament.started or not self.subscribers:
                continue
            if tournament.ended:
                return
            self._tell(teller.figures(tournament))

    async def join(self) -> Subscriber:
        """Add a subscriber, whose first message is the state as it is now, or as the next tournament's lobby opens."""
        await self._settled()
        subscriber = self.join_silently()
        (self.subscribers if self._tells else self._waiting).add(subscriber)
        if self._tells:
            self._greet(subscriber)
        return subscriber

    def join_silently(self) -> Subscriber:
        """Add a connection that is told nothing before it gives the token."""
        subscriber = Subscriber()
        self.everybody.add(subscriber)
        if self._closed:
            subscriber.close()
        return subscriber

    def part_with_pages(self) -> None:
        """Tell pages the last of it, and end their connections once they have been sent it."""
        self._parted = True
        self.pages.look()
        for page in self.pages.pages:
            page.close()

    async def catch_up(self, subscriber: Subscriber) -> None:
        """Tell a subscriber how many events it has missed, and the state as it is now."""
        turns = self._host_turns if subscriber.is_host else self._turns
        async with turns.turn():
            if subscriber in self.pages.pages:
                subscriber.caught_up(pack(self.pages.state()))
                return
            lost = self._pack("lost", {"missed": subscriber.missed})
            state = self._pack("state", self._its_teller.state())
            subscriber.caught_up(lost + state + (self._host_state() if subscriber.is_host else b""))

    async def let_in(self, subscriber: Subscriber) -> None:
        """Make a subscriber a host: it is told what a host sees, and whole events from now on."""
        async with self._host_turns.turn():
            subscriber.is_host = True
            subscriber.put_state(self._host_state())

    async def let_page_in(self, subscriber: Subscriber) -> None:
        """Make a subscriber a page: it is told what pages are told, and nothing else."""
        async with self._host_turns.turn():
            subscriber.is_host = True
            self.subscribers.discard(subscriber)
            self._waiting.discard(subscriber)
            self.pages.let_in(subscriber)
            if self._parted:
                subscriber.close()

    def let_desk_in(self, subscriber: Subscriber) -> None:
        """Make a subscriber the desk of a page: it is told answers, and nothing else."""
        subscriber.is_host = True
        self.subscribers.discard(subscriber)
        self._waiting.discard(subscriber)

    def leave(self, subscriber: Subscriber) -> None:
        """Forget a subscriber."""
        for those in (self.everybody, self.subscribers, self._waiting, self.pages.pages):
            those.discard(subscriber)

    async def answer(self, subscriber: Subscriber, make: Callable[[], Mapping[str, Any]]) -> None:
        """Answer a host with what ``make`` returns, which may take a look at the whole tournament."""
        async with self._host_turns.turn():
            answer = pack({"type": "answer", **make()})
        await subscriber.answer(answer)

    def end(self, subscriber: Subscriber, reason: str) -> None:
        """Tell a subscriber why its connection ends, and nothing more."""
        self.leave(subscriber)
        subscriber.end_with(pack({"type": "refused", "reason": reason}))

    def close(self) -> None:
        """Let every subscriber go once it has been sent what waits for it."""
        self._closed = True
        self.pages.look()
        for subscriber in self.everybody:
            subscriber.close()

    def _pack(self, type_: str, facts: Mapping[str, Any]) -> bytes:
        """Pack a message for one subscriber alone; its ``n`` is the number of the last event for all."""
        return pack({"type": type_, "n": self._count, **facts})

    def _host_state(self) -> bytes:
        """What a host sees, in addition to the state that everybody is told."""
        assert self._view is not None, "there are hosts only where there is a desk"
        tables = [] if self._teller is None else self._teller.tables(whole=True)
        return self._pack("host", {"state": self._view.look(None), "tables": tables})

    def _publish(self, type_: str, facts: Mapping[str, Any], whole: Mapping[str, Any] | None = None) -> None:
        """Tell an event.

        Args:
            type_: of the event.
            facts: what everybody may know of it.
            whole: what hosts are told instead; None for the same.
        """
        self._count += 1
        packed = for_hosts = self._pack(type_, facts)
        if whole is not None and any(subscriber.is_host for subscriber in self.subscribers):
            for_hosts = self._pack(type_, whole)
        for subscriber in self.subscribers:
            subscriber.put(for_hosts if subscriber.is_host else packed)

    def _tell(self, event: Event) -> None:
        public = event.public()
        whole = None if public is event else msgspec.structs.asdict(event)
        self._publish(type_of(event), msgspec.structs.asdict(public), whole)

    def _hear(self, event: Event | Finished) -> None:
        """Tell an event, but not what happens in hands whose cards are dealt again to others."""
        if isinstance(event, Finished):
            if self.subscribers:
                self._tell(self._its_teller.hand_over(event))
            else:
                self._count += 1
        elif not isinstance(event, AtTable) or (self.subscribers and not self._scene.settings.duplicate):
            self._tell(event)
        if isinstance(event, Resumed):
            self._publish("state", self._its_teller.state())
            for host in [subscriber for subscriber in self.subscribers if subscriber.is_host]:
                host.put_state(self._host_state())

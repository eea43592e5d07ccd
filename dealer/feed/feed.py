"""The feed: packs every event once, and puts it into the buffer of every subscriber. It never waits for one.

Subscribers are told what everybody may know, see ``Event.public``; hosts are told the whole of it (``host.py``).
"""

import time
from collections.abc import AsyncIterator, Callable, Mapping
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
from dealer.settings import Settings
from dealer.telling.record_events import agreed
from dealer.tournament.scene import Scene
from protocol.events import AtTable, Event, Resumed, type_of
from protocol.shuffle import commitment

#: Seconds from one telling of the figures to the next.
FIGURES_SECONDS = 1.0

#: The share of the dealer's time that states for slow readers may take.
SHARE = 0.05


class _Turns:
    """Turns in which one after the other is told the state, so that this takes a small share of the dealer's time."""

    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        self._lock = trio.Lock()
        self._next = 0.0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, which is the block and must not wait. It comes the later the longer the last ones took."""
        async with self._lock:
            await trio.sleep_until(self._next)
            await self._teller.settled()
            began = time.perf_counter()
            yield
            self._next = trio.current_time() + (time.perf_counter() - began) / SHARE


class Feed:
    """Tells all subscribers what happens, as far as everybody may know it, and hosts the whole of it.

    Args:
        scene: what is told.
        journal: whose records are told.
        view: what a host sees of it; None where there is no desk.

    Attributes:
        subscribers: the programs that are connected now.
        pages: tells those of them that are pages of their own.
    """

    def __init__(self, scene: Scene, journal: Journal, view: DeskView | None = None) -> None:
        self.subscribers: set[Subscriber] = set()
        self.pages = PageStream(scene)
        self._view = view
        self._scene = scene
        self._teller = Teller(scene, journal)
        self._teller.listeners.append(self._hear)
        self._count = 0
        self._closed = False
        self._turns = _Turns(self._teller)
        self._host_turns = _Turns(self._teller)  # strangers who read too slowly must not keep a host waiting

    async def watch_lobby(self) -> None:
        """Tell who is in the lobby, whenever that changes, until the tournament begins."""
        shown = self._teller.here()
        while self._scene.tournament is None:
            await self._scene.lobby.changed()
            before, shown = shown, self._teller.here()
            if shown != before and self._scene.tournament is None:
                self._publish("lobby", {"players": shown})

    async def tell_figures(self) -> None:
        """Tell how everybody stands, once a second while anybody listens, until the tournament is over."""
        while True:
            await trio.sleep(FIGURES_SECONDS)
            tournament = self._scene.tournament
            if tournament is None or not tournament.started or not self.subscribers:
                continue
            if tournament.ended:
                return
            self._tell(self._teller.figures(tournament))

    async def join(self) -> Subscriber:
        """Add a subscriber, whose first message is the state as it is now."""
        await self._teller.settled()
        scene = self._scene
        hello = {"tournament": scene.number, **_about(scene.settings), "state": self._teller.state()}
        subscriber = Subscriber(self._pack("hello", {"feed": VERSION, **hello}))
        self.subscribers.add(subscriber)
        if self._closed:
            subscriber.close()
        return subscriber

    async def catch_up(self, subscriber: Subscriber) -> None:
        """Tell a subscriber how many events it has missed, and the state as it is now."""
        turns = self._host_turns if subscriber.is_host else self._turns
        async with turns.turn():
            if subscriber in self.pages.pages:
                subscriber.caught_up(self.pages.state())
                return
            lost = self._pack("lost", {"missed": subscriber.missed})
            state = self._pack("state", self._teller.state())
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
            self.pages.let_in(subscriber)

    def leave(self, subscriber: Subscriber) -> None:
        """Forget a subscriber."""
        self.subscribers.discard(subscriber)
        self.pages.pages.discard(subscriber)

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

    @property
    def everybody(self) -> set[Subscriber]:
        """All subscribers, pages among them."""
        return self.subscribers | self.pages.pages

    def _pack(self, type_: str, facts: Mapping[str, Any]) -> bytes:
        """Pack a message for one subscriber alone; its ``n`` is the number of the last event for all."""
        return pack({"type": type_, "n": self._count, **facts})

    def _host_state(self) -> bytes:
        """What a host sees, in addition to the state that everybody is told."""
        assert self._view is not None, "there are hosts only where there is a desk"
        return self._pack("host", {"state": self._view.look(None), "tables": self._teller.tables(whole=True)})

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
                self._tell(self._teller.hand_over(event))
            else:
                self._count += 1
        elif not isinstance(event, AtTable) or (self.subscribers and not self._scene.settings.duplicate):
            self._tell(event)
        if isinstance(event, Resumed):
            self._publish("state", self._teller.state())
            for host in [subscriber for subscriber in self.subscribers if subscriber.is_host]:
                host.put_state(self._host_state())


def _about(settings: Settings) -> Mapping[str, Any]:
    """The game, what is agreed about it, and the commitment to its seed."""
    return {"game": settings.game.name, "agreed": agreed(settings), "commitment": commitment(settings.seed)}

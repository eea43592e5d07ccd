"""The feed: packs every event once, and puts it into the buffer of every subscriber. It never waits for one.

Subscribers are told what everybody may know, see ``Event.public``.
"""

import time
from collections.abc import Mapping
from typing import Any

import msgspec
import trio

from dealer.feed import VERSION
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


def pack(facts: Mapping[str, Any]) -> bytes:
    """The bytes of a message: its length in four bytes, most significant first, then a MessagePack map."""
    body = msgspec.msgpack.encode(facts)
    return len(body).to_bytes(4, "big") + body


class Feed:
    """Tells all subscribers what happens, as far as everybody may know it.

    Attributes:
        subscribers: the programs that are connected now.
    """

    def __init__(self, scene: Scene, journal: Journal) -> None:
        self.subscribers: set[Subscriber] = set()
        self._scene = scene
        self._teller = Teller(scene, journal)
        self._teller.listeners.append(self._hear)
        self._count = 0
        self._closed = False
        self._catching_up = trio.Lock()

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
        """Tell a subscriber how many events it has missed, and the state as it is now.

        Many who read too slowly wait for each other, so that making states takes a small share of the dealer's time.
        """
        async with self._catching_up:
            await self._teller.settled()
            began = time.perf_counter()
            lost = self._pack("lost", {"missed": subscriber.missed})
            subscriber.caught_up(lost + self._pack("state", self._teller.state()))
            await trio.sleep((time.perf_counter() - began) / SHARE)

    def close(self) -> None:
        """Let every subscriber go once it has been sent what waits for it."""
        self._closed = True
        for subscriber in self.subscribers:
            subscriber.close()

    def _pack(self, type_: str, facts: Mapping[str, Any]) -> bytes:
        """Pack a message for one subscriber alone; its ``n`` is the number of the last event for all."""
        return pack({"type": type_, "n": self._count, **facts})

    def _publish(self, type_: str, facts: Mapping[str, Any]) -> None:
        self._count += 1
        packed = self._pack(type_, facts)
        for subscriber in self.subscribers:
            subscriber.put(packed)

    def _tell(self, event: Event) -> None:
        self._publish(type_of(event), msgspec.structs.asdict(event.public()))

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


def _about(settings: Settings) -> Mapping[str, Any]:
    """The game, what is agreed about it, and the commitment to its seed."""
    return {"game": settings.game.name, "agreed": agreed(settings), "commitment": commitment(settings.seed)}

"""A dealer with a feed, and programs that listen to it."""

import socket
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import trio
from trio.testing import wait_all_tasks_blocked

from dealer.audit.rebuild import LedgerRebuild
from dealer.desk.desk import Desk, open_desk
from dealer.feed.feed import Feed
from dealer.feed.port import GATHER_SECONDS, open_feed
from dealer.feed.subscriber import pack
from dealer.journal.batches import read_journal
from dealer.journal.records import Record
from dealer.journal.writer import Journal
from dealer.settings import Settings
from dealer.telling.hand_events import HandEvents
from dealer.telling.record_events import RecordEvents
from dealer.tournament.opening import Opening
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from protocol import events
from tests.dealer.support.rig import HOST, Rig, Thinker, call, good_clients, open_rig

Event = dict[str, Any]

#: The types of all events. Classes that others are derived from have their own names in place of a type.
EVENT_TYPES = {
    events.type_of(kind)
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, events.Event) and events.type_of(kind).islower()
}


def read_back(path: Path) -> list[events.Event]:
    """All that a journal tells, in its order, and each hand action by action."""
    return list(events_of(LedgerRebuild(path), read_journal(path)))


def events_of(rebuild: LedgerRebuild, records: Iterable[Record]) -> Iterator[events.Event]:
    """All that records tell, see ``read_back``."""
    of: RecordEvents | None = None
    for record in records:
        hand = rebuild.take(record)
        of = of or RecordEvents(rebuild.ledger)
        if hand is not None:
            yield from HandEvents.of(hand).steps(hand.steps, hand.last)
        event = of.of(record, hand)
        if event is not None:
            yield event


def as_told(event: events.Event) -> Event:
    """A public event as a subscriber reads it, but for its number."""
    told: Event = msgpack.unpackb(msgspec.msgpack.encode(event.public()))
    return told


def unpack(data: bytes) -> tuple[list[Event], bytes]:
    """The whole events at the beginning of ``data``, and the bytes behind them."""
    events = []
    while len(data) >= 4 and len(data) >= (end := 4 + int.from_bytes(data[:4], "big")):
        events.append(msgpack.unpackb(data[4:end]))
        data = data[end:]
    return events, data


@dataclass
class Reader:
    """A program that listens.

    Attributes:
        events: all it has read.
        raw: their bytes.
    """

    stream: trio.SocketStream
    events: list[Event] = field(default_factory=list)
    raw: bytes = b""
    _rest: bytes = b""
    _more: trio.Event = field(default_factory=trio.Event)

    async def read(self) -> bool:
        """Read what comes next; whether there was anything."""
        try:
            data = bytes(await self.stream.receive_some(65536))
        except trio.BrokenResourceError:
            return False
        self.raw += data
        events, self._rest = unpack(self._rest + data)
        self.events += events
        self._more.set()
        self._more = trio.Event()
        return bool(data)

    async def send(self, **facts: Any) -> None:
        """Send one framed message."""
        await self.stream.send_all(pack(facts))

    async def ask(self, id_: int, **facts: Any) -> Event:
        """Send a message with this id and read until its answer has come."""
        await self.send(id=id_, **facts)
        while not (found := [event for event in self.of("answer") if event["id"] == id_]):
            assert await self.read(), "no answer came"
        return found[0]

    async def read_all(self) -> list[Event]:
        while await self.read():
            pass
        assert self._rest == b""
        return self.events

    async def until(self, type_: str) -> Event:
        """Read until there is an event of that type; the last one."""
        while not (found := self.of(type_)):
            assert await self.read(), f"no {type_} came"
        return found[-1]

    async def has(self, type_: str, count: int) -> None:
        """Wait until another task has read so many events of a type."""
        while len(self.of(type_)) < count:
            await self._more.wait()

    def of(self, type_: str) -> list[Event]:
        return [event for event in self.events if event["type"] == type_]


@dataclass
class FeedRig:
    rig: Rig
    scene: Scene
    feed: Feed
    port: int
    desk: Desk | None
    page_place: tuple[str, int] | None

    def begin(self) -> Tournament:
        """Close the lobby."""
        self.scene.tournament = tournament = self.rig.begin()
        return tournament

    @asynccontextmanager
    async def next_tournament(self, opening: Opening) -> AsyncIterator[None]:
        """Open the lobby of another tournament, and tell it while the block runs."""
        self.scene.open_again(opening)
        self.scene.journal = Journal(None)
        async with self.feed.telling(self.scene.journal):
            yield

    @asynccontextmanager
    async def host(self, receive_bytes: int | None = None) -> AsyncIterator[Reader]:
        """A program that has given the token, and has read all that a host is told first."""
        assert self.desk is not None
        async with self.reader(receive_bytes) as reader:
            await reader.send(type="host", token=self.desk.token.text)
            await reader.until("host")
            yield reader

    @asynccontextmanager
    async def reader(self, receive_bytes: int | None = None, source: str = HOST) -> AsyncIterator[Reader]:
        """A program that has connected; the system may hold only so many bytes for it."""
        sock = trio.socket.socket()
        if receive_bytes is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        await sock.bind((source, 0))
        await sock.connect((HOST, self.port))
        async with trio.SocketStream(sock) as stream:
            yield Reader(stream)


@asynccontextmanager
async def open_feed_rig(
    settings: Settings, journal: Journal | None = None, *, desk: bool = False, telling: bool = True
) -> AsyncIterator[FeedRig]:
    """A dealer whose lobby and feed are open, and whose desk is, if there is to be one.

    Args:
        settings: of the tournament.
        journal: of the tournament; None keeps nothing.
        desk: whether there is a desk.
        telling: whether the feed tells the tournament; else the test says when.
    """
    journal = journal or Journal(None)
    async with open_rig(settings, journal=journal) as rig:
        scene = Scene(rig.opening, journal=journal, desk=desk)
        async with open_desk(scene, None) if desk else nullcontext() as open_:
            async with open_feed(scene, HOST, 0, open_) as (feed, port, page_place):
                assert port is not None
                async with feed.telling(journal) if telling else nullcontext():
                    yield FeedRig(rig, scene, feed, port, open_, page_place)


@asynccontextmanager
async def in_third_hand(settings: Settings, *, desk: bool = False) -> AsyncIterator[tuple[FeedRig, Reader, Tournament]]:
    """A dealer in the third hand of a tournament, in which a program thinks, and who has heard all before that hand."""
    async with open_feed_rig(settings, desk=desk) as dealer, dealer.reader() as reader:
        thinker = await dealer.rig.start(Thinker(hand=3, seconds=0.9))
        while not dealer.rig.lobby.players:
            await dealer.rig.lobby.changed()
        await dealer.rig.admit(*good_clients(2, call))
        tournament = dealer.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            while tournament.hand_number < 3:
                await reader.read()
            yield dealer, reader, tournament
            nursery.cancel_scope.cancel()
        assert thinker.done is None


async def stuffed(dealer: FeedRig, journal: Journal, count: int) -> None:
    """Let a great deal happen while nobody waits for subscribers."""
    await wait_all_tasks_blocked()  # until all has been told of the lobby
    dealer.scene.tournament = dealer.rig.begin()
    await stuff(journal, count)


async def stuff(journal: Journal, count: int) -> None:
    """Record so many orders, in little time."""
    for number in range(count):
        journal.record(events.HostSaid("pace", None, number / 1000, "x" * 50))
        await journal.saved()
        if number % 50 == 0:
            await trio.sleep(2 * GATHER_SECONDS)


class Fold:
    """What a program knows that listens: the chips and presence of everybody, from events alone."""

    def __init__(self) -> None:
        self.stack = 0
        self.chips: dict[int, int] = {}
        self.presence: dict[int, str] = {}

    def take(self, event: Event) -> None:
        match event["type"]:
            case "hello":
                self.stack = event["agreed"]["stack"]
                self._state(event["state"])
            case "state":
                self._state(event)
            case "start":
                self.chips = dict.fromkeys(range(len(event["players"])), event["agreed"]["stack"])
                self.presence = dict.fromkeys(self.chips, "in")
            case "game" if event["game"] > 1:  # tests play several games at one table only
                self.chips = dict.fromkeys(self.chips, self.stack)
            case "hand":
                for player, before, payoff in zip(event["players"], event["stacks"], event["payoffs"], strict=True):
                    self.chips[player] = before + payoff
            case "out" | "away":
                self.presence[event["player"]] = event["type"]
            case "back":
                self.presence[event["player"]] = "in"

    def _state(self, state: Event) -> None:
        rows = state["figures"]["rows"] if state["figures"] else ()
        self.chips = {row["player"]: row["stack"] for row in rows}
        self.presence = {row["player"]: row["state"] for row in rows}


def folded(events: list[Event]) -> Fold:
    """What the events come to."""
    fold = Fold()
    for event in events:
        fold.take(event)
    return fold

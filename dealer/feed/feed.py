"""The feed: packs every event once, and puts it into the buffer of every subscriber. It never waits for one.

Subscribers are told what everybody may know, see ``Event.public``.
"""

import time
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import msgspec
import trio
from msgspec import to_builtins

from dealer.audit.hands import play_so_far
from dealer.feed import VERSION
from dealer.journal.records import FinishedHandRecord, Record
from dealer.journal.writer import Journal
from dealer.ledger.table_state import TableState
from dealer.settings import Settings
from dealer.telling.hand_events import HandEvents
from dealer.telling.record_events import RecordEvents, agreed
from dealer.tournament.figures import FiguresReader
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from protocol.events import AtTable, Event, Figures, HandOver, Resumed, type_of
from protocol.shuffle import commitment

#: Seconds from one telling of the figures to the next.
FIGURES_SECONDS = 1.0

#: Seconds between two looks at a table whose chips move in a moment, or when a disk takes its record.
SETTLE_SECONDS = 0.002

#: Numbers in the curves of all players together, at most; a number takes five bytes where stacks are large.
CURVE_NUMBERS = 50_000

#: Where more tables play, a state leaves out the hands under way: it is to stay below a megabyte.
TABLES = 20

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


def _tables(tournament: Tournament) -> list[Mapping[str, Any]]:
    return [
        {
            "table": table.number,
            "game": table.game,
            "hand": table.hand_number,
            "players": [player.number for player in (*table.seated, *(arrival.player for arrival in table.arriving))],
            "events": _under_way(tournament, table),
        }
        for table in tournament.tables
    ]


def _curve(tournament: Tournament) -> Mapping[str, Any]:
    """Chips of every player over hands, in so few points that the message stays small for any number of players."""
    tournament.curves.look()
    points = tournament.curves.points
    step = ceil(len(points) * len(tournament.players) / CURVE_NUMBERS) or 1
    kept = [*points[:-1:step], points[-1]]
    return {"hands": [point.hand for point in kept], "chips": [point.chips for point in kept]}


def _under_way(tournament: Tournament, table: TableState) -> list[Mapping[str, Any]]:
    """The events of the hand under way, for those who come in the middle of it."""
    run = tournament.runs.get(table.number)
    record = None if run is None else run.in_play
    if record is None or tournament.settings.duplicate or len(tournament.tables) > TABLES:
        return []
    steps, hand = play_so_far(record.deal.begin(tournament.settings.game), record)
    events = HandEvents.of_deal(record.deal, table.game).steps(steps, hand)
    return [to_builtins(event.public()) for event in events]


def pack(facts: Mapping[str, Any]) -> bytes:
    """The bytes of a message: its length in four bytes, most significant first, then a MessagePack map."""
    body = msgspec.msgpack.encode(facts)
    return len(body).to_bytes(4, "big") + body


class Feed:
    """Tells all subscribers what happens: hands while they are played, all else as soon as its record is saved.

    Attributes:
        subscribers: the programs that are connected now.
    """

    def __init__(self, scene: Scene, journal: Journal) -> None:
        self.subscribers: set[Subscriber] = set()
        self._scene = scene
        self._count = 0
        self._closed = False
        self._told: dict[int, int] = {}
        self._catching_up = trio.Lock()
        self._events: RecordEvents | None = None
        self._figures: FiguresReader | None = None
        journal.tell(self._hear)

    async def watch_lobby(self) -> None:
        """Tell who is in the lobby, whenever that changes, until the tournament begins."""
        shown = self._here()
        while self._scene.tournament is None:
            await self._scene.lobby.changed()
            before, shown = shown, self._here()
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
            self._tell(self._figures_of(tournament))

    def _figures_of(self, tournament: Tournament) -> Figures:
        reader = self._figures = self._figures or FiguresReader(tournament)
        reader.note(trio.current_time())
        return reader.read(tournament.standings())

    def _state(self) -> Mapping[str, Any]:
        """The phase, the players, how they stand, and who sits at which table."""
        tournament = self._scene.tournament
        if tournament is None:
            return {"phase": "lobby", "players": self._here(), "figures": None, "tables": [], "curve": None}
        return {
            "phase": "over" if tournament.over else "playing",
            "players": [player.avatar for player in tournament.players],
            "figures": self._figures_of(tournament),
            "tables": _tables(tournament),
            "curve": _curve(tournament),
        }

    def _here(self) -> list[str]:
        return [player.avatar for player in self._scene.lobby.players]

    async def join(self) -> Subscriber:
        """Add a subscriber, whose first message is the state as it is now."""
        await self._settle()
        scene = self._scene
        hello = {"tournament": scene.number, **_about(scene.settings), "state": self._state()}
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
            await self._settle()
            began = time.perf_counter()
            lost = self._pack("lost", {"missed": subscriber.missed})
            subscriber.caught_up(lost + self._pack("state", self._state()))
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

    def _hear(self, records: Sequence[Record]) -> None:
        """Tell records. Called by the journal when they are saved, before their tables go on."""
        tournament = self._scene.tournament
        assert tournament is not None
        if self._events is None:
            self._events = RecordEvents(tournament.ledger)
            tournament.listeners.append(self._hear_hand)
        tournament.curves.follow()
        for record in records:
            if isinstance(record, FinishedHandRecord):
                self._told[record.table] = record.hand
                if self.subscribers:
                    self._tell(self._hand_over(record, tournament, self._events.games[record.table]))
                else:
                    self._count += 1
                continue
            event = self._events.of(record)
            if event is not None:
                self._tell(event)
            if isinstance(event, Resumed):
                self._publish("state", self._state())

    def _hear_hand(self, event: AtTable) -> None:
        """Tell what happens in a hand, but not where its cards are dealt again to others."""
        if self.subscribers and not self._scene.settings.duplicate:
            self._tell(event)

    def _hand_over(self, record: FinishedHandRecord, tournament: Tournament, game: int) -> HandOver:
        played = tournament.runs[record.table].last
        assert played is not None, "a hand is recorded after it was played"
        deal, settings = played.deal, tournament.settings
        return HandEvents.of_deal(deal, game).end(record, settings, deal.begin(settings.game), played.settlement)

    async def _settle(self) -> None:
        """Wait until every hand that was told is also in the ledger.

        A hand is told at the moment its record is saved, and its table moves the chips a moment later. A state
        read in between would lack a hand that the subscriber was never sent.
        """
        while self._scene.tournament is not None and any(
            table.in_hand and table.hand_number == self._told.get(table.number)
            for table in self._scene.tournament.tables
        ):
            await trio.sleep(SETTLE_SECONDS)


def _about(settings: Settings) -> Mapping[str, Any]:
    """The game, what is agreed about it, and the commitment to its seed."""
    return {"game": settings.game.name, "agreed": agreed(settings), "commitment": commitment(settings.seed)}

"""The feed: packs every event once, and puts it into the buffer of every subscriber. It never waits for one.

An event is the public part of a record of the journal. Left out is what identifies a player (ids, secrets, addresses,
programs), cards that may still be played with, and all text that a program has sent. The reason of a fault quotes such
text, and a confused program may have sent its login.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgpack
import trio
from msgspec import to_builtins

from dealer.faults import FaultKind
from dealer.feed import VERSION
from dealer.journal.records import EndRecord, FinishedHandRecord, OutRecord, Record, ResumeRecord, StartRecord, type_of
from dealer.journal.writer import Journal
from dealer.ledger.columns import COLUMNS
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from protocol.games.base import Hand
from protocol.shuffle import commitment

#: The keys and values of an event; ``type`` names its kind.
Event = Mapping[str, Any]


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


def state_of(scene: Scene) -> Mapping[str, Any]:
    """The phase, all players with chips and places, and who sits at which table."""
    tournament = scene.tournament
    if tournament is None:
        here = [player.avatar for player in scene.lobby.players]
        nothing = {"players": [], "tables": [], "paused": False, "pace": 0.0, "round": 0, "level": 0}
        return {"phase": "lobby", "lobby": here, **nothing}
    ledger, tempo = tournament.ledger, tournament.tempo
    return {
        "phase": "over" if tournament.over else "playing",
        "lobby": [],
        "players": _players(ledger),
        "tables": _tables(tournament),
        "paused": tempo.paused,
        "pace": round(tempo.seconds, 3),
        "round": ledger.seating.round,
        "level": ledger.levels.level,
    }


def _players(ledger: Ledger) -> list[Mapping[str, Any]]:
    chips = ledger.stacks()
    places = {standing.player: standing.place for standing in ledger.standings()}
    return [
        {
            "avatar": player.avatar,
            "chips": chips.get(player, 0),
            "place": places[player],
            "is": _presence(ledger, player),
        }
        for player in ledger.players
    ]


def _presence(ledger: Ledger, player: Player) -> str:
    if not ledger.seating.still_in(player):
        return "out"
    return "away" if player.seat is None else "playing"


def _tables(tournament: Tournament) -> list[Mapping[str, Any]]:
    return [
        {
            "table": table.number,
            "game": table.game,
            "hand": table.hand_number,
            "players": [player.number for player in (*table.seated, *(arrival.player for arrival in table.arriving))],
        }
        for table in tournament.tables
    ]


def pack(event: Event) -> bytes:
    """The bytes of an event: its length in four bytes, most significant first, then a MessagePack map."""
    body: bytes = msgpack.packb(event)
    return len(body).to_bytes(4, "big") + body


class Feed:
    """Tells all subscribers each record that is saved.

    Attributes:
        subscribers: the programs that are connected now.
    """

    def __init__(self, scene: Scene, journal: Journal) -> None:
        self.subscribers: set[Subscriber] = set()
        self._scene = scene
        self._count = 0
        self._closed = False
        self._told: dict[int, int] = {}
        journal.tell(self._tell)

    async def watch_lobby(self) -> None:
        """Tell who is in the lobby, whenever that changes, until the tournament begins."""
        shown = self._here()
        while self._scene.tournament is None:
            await self._scene.lobby.changed()
            before, shown = shown, self._here()
            if shown != before and self._scene.tournament is None:
                self._publish({"type": "lobby", "players": shown})

    def _here(self) -> list[str]:
        return [player.avatar for player in self._scene.lobby.players]

    async def join(self) -> Subscriber:
        """Add a subscriber, whose first message is the state as it is now."""
        await self._settle()
        scene = self._scene
        hello = {"tournament": scene.number, **about(scene.settings), "state": state_of(scene)}
        subscriber = Subscriber(self._pack("hello", {"feed": VERSION, **hello}))
        self.subscribers.add(subscriber)
        if self._closed:
            subscriber.close()
        return subscriber

    async def catch_up(self, subscriber: Subscriber) -> None:
        """Tell a subscriber how many events it has missed, and the state as it is now."""
        await self._settle()
        lost = self._pack("lost", {"missed": subscriber.missed})
        subscriber.caught_up(lost + self._pack("state", state_of(self._scene)))

    def close(self) -> None:
        """Let every subscriber go once it has been sent what waits for it."""
        self._closed = True
        for subscriber in self.subscribers:
            subscriber.close()

    def _pack(self, type_: str, facts: Event) -> bytes:
        """Pack a message for one subscriber alone; its ``n`` is the number of the last event for all."""
        return pack({"type": type_, "n": self._count, **facts})

    def _publish(self, event: Event) -> None:
        self._count += 1
        packed = pack({"type": event["type"], "n": self._count, **event})
        for subscriber in self.subscribers:
            subscriber.put(packed)

    def _tell(self, records: Sequence[Record]) -> None:
        """Publish records. Called by the journal when they are saved, before their tables go on."""
        for record in records:
            for event in self._events(record):
                self._publish(event)

    def _events(self, record: Record) -> Iterator[Event]:
        tournament = self._scene.tournament
        assert tournament is not None
        settings, players = tournament.settings, tournament.players
        match record:
            case StartRecord():
                yield start_event(settings, players)
            case ResumeRecord():
                yield {"type": "resume", "state": state_of(self._scene)}
            case FinishedHandRecord():
                self._told[record.table] = record.hand
                run = tournament.runs.get(record.table)
                in_play = run and run.in_play
                yield hand_event(record, settings, in_play.deal.begin(settings.game) if in_play else None)
            case OutRecord():
                yield out_event(record)
            case EndRecord():
                yield end_event(record, settings, {player.id: number for number, player in enumerate(players)})
            case _ if type_of(record) in PUBLIC:
                yield plain_event(record)

    async def _settle(self) -> None:
        """Wait until every hand that was told is also in the ledger.

        A hand is told at the moment its record is saved, and its table moves the chips a moment later. A state
        read in between would lack a hand that the subscriber was never sent.
        """
        while self._scene.tournament is not None and any(
            table.in_hand and table.hand_number == self._told.get(table.number)
            for table in self._scene.tournament.tables
        ):
            await trio.lowlevel.checkpoint()


#: The fields that are public as they are, for each type of record with such fields.
PUBLIC: Mapping[str, tuple[str, ...]] = {
    "game": ("table", "game", "hand"),
    "corrected": ("player", "hand"),
    "away": ("player", "hand"),
    "back": ("player", "hand"),
    "desk": ("command", "player", "seconds", "reason"),
    "void": ("table", "hand"),
    "stall": ("seconds",),
    "stopped": (),
    "move": ("player", "table"),
    "level": ("level",),
    "out": ("player", "hand", "chips", "kind"),
    "readmitted": ("player", "table"),
    "round": ("round", "tables", "readmitted"),
}


def agreed(settings: Settings) -> Event:
    """What is agreed before the first hand, without the seed: from the seed follow all cards."""
    return {
        "hands": settings.hands,
        **settings.game.facts,
        "games": settings.games,
        "limit": settings.limit,
        "lives": settings.lives,
        "table_size": settings.table_size,
        "duplicate": settings.duplicate,
        "rejoin": settings.rejoin,
        "levels": settings.levels_record,
        "format": settings.format,
        "rounds": settings.rounds,
    }


def about(settings: Settings) -> Event:
    """The game, what is agreed about it, and the commitment to its seed."""
    return {"game": settings.game.name, "agreed": agreed(settings), "commitment": commitment(settings.seed)}


def start_event(settings: Settings, players: Iterable[Player]) -> Event:
    """The event of a tournament that begins. All later events call a player by its place in ``players``."""
    return {"type": "start", **about(settings), "players": [player.avatar for player in players]}


def hand_event(record: FinishedHandRecord, settings: Settings, dealt: Hand | None = None) -> Event:
    """The event of a finished hand.

    A duplicate tournament deals the same cards again, so its events leave them out.

    Args:
        record: of the hand.
        settings: of the tournament.
        dealt: the hand before its first action, with which games with a button are told; None if it is not known.
    """
    layout = settings.game.layout(settings.game.chance.outcome(record.deck), len(record.players))
    told: dict[str, Any] = {"cards": None}
    if not settings.duplicate:
        told = {"cards": [[card.text for card in owned] for owned in layout.seats]}
        if layout.board:  # games without a board keep the keys that they had before there were games with one
            told["board"] = [card.text for card in layout.board]
    button = None if dealt is None else dealt.public().button
    if dealt is not None and button is not None:  # games without a button keep the keys that they had, too
        posted = [before - left for before, left in zip(dealt.starting, dealt.stacks, strict=True)]
        told |= {"button": button, "posted": posted}
    return {
        "type": "hand",
        "table": record.table,
        "hand": record.hand,
        "level": record.level,
        "players": record.players,
        "stacks": record.stacks,
        **told,
        "actions": record.actions,
        "faults": [(seat, kind) for seat, kind, _ in record.faults],
        "pot": record.pot,
        "payoffs": record.payoffs,
    }


def out_event(record: OutRecord) -> Event:
    """The event of a player who is out. Its reason is left out where it may quote what a program has sent."""
    own = record.kind in (None, FaultKind.REMOVED)
    return {**plain_event(record), "reason": record.reason if own else None}


def end_event(record: EndRecord, settings: Settings, numbers: Mapping[str, int]) -> Event:
    """The event of a tournament that has ended: standings, and the seed with which everybody may check the cards.

    Args:
        record: of the end.
        settings: of the tournament.
        numbers: of players, by id.
    """
    return {
        "type": "end",
        "standings": [_standing(standing, numbers) for standing in record.standings],
        "seed": settings.seed.hex(),
        "seed_text": settings.seed_text,
    }


def _standing(standing: Mapping[str, Any], numbers: Mapping[str, int]) -> Event:
    return {
        "player": numbers[standing["id"]],
        **{column.key: standing[column.key] for column in COLUMNS if column.public},
        "faults": [fault["kind"] for fault in standing["faults"]],
        "out": standing["left"] is not None,
    }


def plain_event(record: Record) -> Event:
    """The event of a record of a type that has fields to be told as they are."""
    told = to_builtins(record)  # without fields that are left out of records, too
    return {"type": told["type"], **{name: told[name] for name in PUBLIC[told["type"]] if name in told}}

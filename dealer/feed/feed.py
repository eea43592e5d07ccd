"""The feed: packs every event once, and puts it into the buffer of every subscriber. It never waits for one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgpack
import trio

from dealer.feed import VERSION
from dealer.feed.events import (
    Event,
    about,
    end_event,
    hand_event,
    out_event,
    plain_event,
    start_event,
)
from dealer.feed.subscriber import Subscriber
from dealer.journal.records import EndRecord, FinishedHandRecord, OutRecord, Record, ResumeRecord, StartRecord
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament


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
            case _:
                event = plain_event(record)
                if event is not None:
                    yield event

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

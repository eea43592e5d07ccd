"""The teller: makes the events of a tournament while it is played, and its state for those who come late.

Whoever tells others what happens listens to it: the feed sends events to programs, the page draws them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import trio
from msgspec import to_builtins

from dealer.audit.hands import play_so_far
from dealer.journal.records import FinishedHandRecord, Record
from dealer.journal.writer import Journal
from dealer.ledger.played_hand import PlayedHand
from dealer.ledger.table_state import TableState
from dealer.telling.hand_events import HandEvents
from dealer.telling.record_events import RecordEvents
from dealer.tournament.figures import FiguresReader
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from protocol.events import Acted, Dealt, Event, Figures, HandOver, StreetDealt

#: Seconds between two looks at a table whose chips move in a moment, or when a disk takes its record.
SETTLE_SECONDS = 0.002

#: Seconds for which chips that are to move are waited for, at most: where a disk is in trouble, its host must get in.
SETTLE_PATIENCE = 1.0

#: Numbers in the curves of all players together, at most; a number takes five bytes where stacks are large.
CURVE_NUMBERS = 50_000

#: Where more tables play, a state leaves out the hands under way: it is to stay below a megabyte.
TABLES = 20


class Finished(NamedTuple):
    """A finished hand, as its record and as it was played.

    Most who listen need little of it; its event is made by ``Teller.hand_over`` for those who need all.
    """

    record: FinishedHandRecord
    played: PlayedHand


#: Is told what happens. It must neither wait nor raise.
Listener = Callable[[Event | Finished], None]


class Teller:
    """Tells what happens: hands while they are played, all else as soon as its record is saved.

    Args:
        scene: whose tournament is told.
        journal: where it is recorded.

    Attributes:
        listeners: are told everything, in its order. Others may be added and removed at any time.
    """

    def __init__(self, scene: Scene, journal: Journal) -> None:
        self.listeners: list[Listener] = []
        self._scene = scene
        self._told: dict[int, int] = {}
        self._events: RecordEvents | None = None
        self._figures: FiguresReader | None = None
        journal.tell(self._hear)
        if scene.tournament is not None:
            self._follow(scene.tournament)

    def state(self) -> Mapping[str, Any]:
        """The phase, the players, how they stand, and who sits at which table: values for MessagePack."""
        tournament = self._scene.tournament
        if tournament is None:
            return {"phase": "lobby", "players": self.here(), "figures": None, "tables": [], "curve": None}
        return {
            "phase": "over" if tournament.over else "playing",
            "players": [player.avatar for player in tournament.players],
            "figures": self.figures(tournament),
            "tables": self.tables(),
            "curve": _curve(tournament),
        }

    def tables(self, *, whole: bool = False) -> list[Mapping[str, Any]]:
        """Who sits at which table, and what happened in the hands under way, in public or the whole of it."""
        tournament = self._scene.tournament
        if tournament is None:
            return []
        hides = tournament.settings.duplicate or len(tournament.tables) > TABLES

        def under_way(table: TableState) -> list[Any]:
            """The events of the hand under way, for those who come in the middle of it."""
            events = () if hides else hand_under_way(tournament, table)
            return [to_builtins(event if whole else event.public()) for event in events]

        return [
            {
                "table": table.number,
                "game": table.game,
                "hand": table.hand_number,
                "players": [player.number for player in (*table.seated, *(come.player for come in table.arriving))],
                "events": under_way(table),
            }
            for table in tournament.tables
        ]

    def here(self) -> list[str]:
        """The avatars of those who wait in the lobby."""
        return [player.avatar for player in self._scene.lobby.players]

    def figures(self, tournament: Tournament) -> Figures:
        """How everybody in the tournament stands now."""
        reader = self._figures = self._figures or FiguresReader(tournament)
        reader.note(trio.current_time())
        return reader.read(tournament.standings())

    def hand_over(self, finished: Finished) -> HandOver:
        """The event of a finished hand that was told last at its table."""
        assert self._events is not None, "a record was told"
        record, played = finished
        maker = HandEvents.of_deal(played.deal, self._events.games[record.table])
        settings = self._scene.settings
        return maker.end(record, settings, played.deal.begin(settings.game), played.settlement)

    async def settled(self) -> None:
        """Wait until every hand that was told is also in the ledger, for ``SETTLE_PATIENCE`` at most.

        A hand is told at the moment its record is saved, and its table moves the chips a moment later. A state
        read in between would lack a hand that its reader was never sent.
        """
        with trio.move_on_after(SETTLE_PATIENCE):
            while self._scene.tournament is not None and any(
                table.in_hand and table.hand_number == self._told.get(table.number)
                for table in self._scene.tournament.tables
            ):
                await trio.sleep(SETTLE_SECONDS)

    def _hear(self, records: Sequence[Record]) -> None:
        """Tell records. Called by the journal when they are saved, before their tables go on."""
        tournament = self._scene.tournament
        assert tournament is not None
        events = self._events or self._follow(tournament)
        tournament.curves.follow()
        for record in records:
            if isinstance(record, FinishedHandRecord):
                self._told[record.table] = record.hand
                played = tournament.runs[record.table].last
                assert played is not None, "a hand is recorded after it was played"
                self._tell(Finished(record, played))
            else:
                event = events.of(record)
                if event is not None:
                    self._tell(event)

    def _follow(self, tournament: Tournament) -> RecordEvents:
        self._events = events = RecordEvents(tournament.ledger)
        tournament.listeners.append(self._tell)
        return events

    def _tell(self, event: Event | Finished) -> None:
        for listener in self.listeners:
            listener(event)


def _curve(tournament: Tournament) -> Mapping[str, Any]:
    """Chips of every player over hands, in so few points that the message stays small for any number of players."""
    tournament.curves.look()
    points = tournament.curves.points
    step = ceil(len(points) * len(tournament.players) / CURVE_NUMBERS) or 1
    kept = [*points[:-1:step], points[-1]]
    return {"hands": [point.hand for point in kept], "chips": [point.chips for point in kept]}


def hand_under_way(tournament: Tournament, table: TableState) -> Iterator[Dealt | StreetDealt | Acted]:
    """The events of the hand under way at a table, from its deal on; nothing between two hands."""
    run = tournament.runs.get(table.number)
    record = None if run is None else run.in_play
    if record is not None:
        steps, hand = play_so_far(record.deal.begin(tournament.settings.game), record)
        yield from HandEvents.of_deal(record.deal, table.game).steps(steps, hand)

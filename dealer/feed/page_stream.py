"""What pages in processes of their own are told of a dealer: the state of its lobby and tournament, and every hand.

The state is told in a few parts, each whole when it has changed. A finished hand comes with all that it takes to draw
it, and to show it again. It is told to the host's own page alone, which knows hole cards while a hand is played, and
decides who may see them. All is packed once for all pages. A page that reads too slowly loses what waits for it, and
gets the state instead. The dealer waits for none.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
import trio
from msgspec import structs

from dealer.feed import public_facts
from dealer.feed.subscriber import Subscriber, pack
from dealer.feed.teller import TABLES, Finished, Teller, hand_under_way
from dealer.feed.told import One, Opened, PageState, Part, Played
from dealer.ledger.table_state import TableState
from dealer.telling.moments import BestHands
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from protocol.events import Acted, Dealt, Event, Figures, Left, Readmitted, RoundBegun, StreetDealt

log = structlog.get_logger()

#: Seconds between two looks at the tournament, at least and at most.
LOOK_SECONDS, MOST_SECONDS = 0.25, 2.0

#: The share of the dealer's time that looking is to take; where there is more to see, it is done less often.
SHARE = 0.01

#: Seconds between two versions of the curves, which are most of the bytes.
CURVE_SECONDS = 2.0

#: Players who have a curve; nobody can tell more lines apart.
CURVES = 12

#: Seconds after which a page is sent an empty message, so that it knows that the dealer is there.
PING_SECONDS = 5.0

#: Bytes that wait for one page, at most: some states of a thousand players.
ROOM_BYTES = 4 * 1024 * 1024

#: Tells a page nothing.
PING = pack({"type": "ping"})


@contextmanager
def _logged() -> Iterator[None]:
    """Log what fails in the block: a page may show nonsense, but never hold up a table or end a tournament."""
    try:
        yield
    except Exception:
        log.exception("pages are told nothing new; the tournament goes on")


class PageStream:
    """Looks at a scene when it is told to, and tells pages what has changed and what has been played.

    Args:
        scene: what is shown.

    Attributes:
        pages: who is told.
    """

    def __init__(self, scene: Scene) -> None:
        self.pages: set[Subscriber] = set()
        self._scene = scene
        self._open()

    def _open(self) -> None:
        scene, self._opening = self._scene, self._scene.opening
        self._teller: Teller | None = None
        self._parts: dict[str, One] = {}
        self._drawn = float("-inf")
        self._best: BestHands[Played] = BestHands()
        self._live: dict[int, int] = {}
        self._in_play: dict[int, tuple[int, int]] = {}
        self._told: dict[int, tuple[int, int]] = {}
        settings = scene.settings
        self._opened = Opened(settings.game.name, settings.game.facts, settings.duplicate, scene.open_cards)

    def let_in(self, page: Subscriber) -> None:
        """Tell a page the state, and from now on all that changes, instead of what waits for it."""
        page.room = ROOM_BYTES
        page.begin_with(pack(self.state()))
        self.pages.add(page)

    def begin(self, teller: Teller) -> None:
        """Follow the tournament that the scene shows, from its lobby on, also before there are pages.

        Args:
            teller: tells it.
        """
        with _logged():
            if self._scene.opening is not self._opening or self._teller is not None:
                self._open()
                self._tell(self._opened)
            self._hear_from(teller)
            self._look()

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
                self._look()

    def state(self) -> PageState:
        """The state as it is now, for those who come late or have lost something."""
        self._look()
        tournament = self._scene.tournament
        opened = structs.replace(self._opened, hands=0 if tournament is None else tournament.hands_finished)
        best = [structs.replace(played, why="best") for played in self._best.hands]
        return PageState([opened, *self._parts.values(), *best, *self._hands()])

    def _look(self) -> None:
        scene, now = self._scene, trio.current_time()
        if scene.opening is not self._opening:
            self._open()
            self._tell(self._opened)
        tournament = scene.tournament
        journal = scene.journal if tournament is None else tournament.journal
        if journal is not None and self._teller is None:  # a page is there before its journal
            self._hear_from(Teller(scene, journal))
        self._change("scene", Part("scene", public_facts.scene_facts(scene)))
        if tournament is None:
            self._change("lobby", Part("lobby", public_facts.lobby_facts(scene, now)))
            return
        assert self._teller is not None, "a tournament has a journal"
        figures = self._teller.figures(tournament)
        self._change("figures", figures)
        self._parts.pop("lobby", None)
        self._change("news", Part("news", public_facts.news_facts(tournament)))
        if now >= self._drawn + CURVE_SECONDS or tournament.ended:
            self._drawn = now
            self._change("curves", Part("curves", _curve_facts(tournament, figures)))
        for table in tournament.tables:
            self._tell_slow_hand(tournament, table)

    def _hear_from(self, teller: Teller) -> None:
        self._teller = teller
        teller.listeners.append(self._hear)
        self._tell(*self._hands())

    def _tell_slow_hand(self, tournament: Tournament, table: TableState) -> None:
        """Tell a hand that was under way at the last look and is not told live, as far as it has gone on.

        Tables at full speed tell few of their hands live, and any of these may meet a program, or a person, who thinks.
        """
        run = tournament.runs.get(table.number)
        record = None if run is None else run.record
        if record is None or self._live.get(table.number) == record.deal.number:
            return
        before, now = self._in_play.get(table.number), (record.deal.number, len(record.actions))
        self._in_play[table.number] = now
        if before is not None and before[0] == now[0] and self._told.get(table.number) != now:
            self._told[table.number] = now
            self._tell(*hand_under_way(tournament, table))

    def _change(self, name: str, told: One) -> None:
        if self._parts.get(name) != told:
            self._parts[name] = told
            self._tell(told)

    def _hear(self, event: Event | Finished) -> None:
        match event:
            case Finished():
                played = Played.of(event.played, "news")
                self._best.add(played)
                self._tell(played)
            case Dealt() | StreetDealt() | Acted():
                self._live[event.table] = event.hand
                self._tell(event)
            case Left():
                self._tell(public_facts.left(event, self._scene.players[event.player]))
            case Readmitted() | RoundBegun():
                self._tell(event)

    def _hands(self) -> Iterator[One]:
        """The last hand of each table, and the one under way; not of many tables, which would be many bytes."""
        tournament = self._scene.tournament
        if tournament is None or len(tournament.tables) > TABLES:
            return
        for table in tournament.tables:
            run = tournament.runs.get(table.number)
            if run is not None and run.last is not None and (run.record is None or run.record is not run.last.record):
                yield Played.of(run.last, "last")
            yield from hand_under_way(tournament, table)

    def _tell(self, *all_told: One) -> None:
        if self.pages:
            with _logged():
                packed = [pack(told) for told in all_told]
                for page in self.pages:
                    for message in packed:
                        page.put(message)


def _curve_facts(tournament: Tournament, figures: Figures) -> dict[str, Any]:
    """The curves of the players who lead, from the first hand on."""
    tournament.curves.look()
    points, shown = tournament.curves.points, [row.player for row in figures.rows[:CURVES]]
    return {
        "hands": [point.hand for point in points],
        "lines": [[number, [point.chips[number] for point in points]] for number in shown],
    }

"""The board: what every viewer of the page is sent, read a few times a second, packed once and shared by all.

Viewers have no queues. Each remembers the version it was sent last, waits for a newer one, and skips versions that it
was too slow for. So a viewer that does not read costs nothing but its own connection.
"""

import json
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any, NamedTuple

import trio
from msgspec import to_builtins

from dealer.feed.teller import Finished, Teller, hand_under_way
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from dealer.web import snapshot
from dealer.web.chance_worker import ChanceWorker
from dealer.web.highlights import Highlights, Moments, honours
from dealer.web.table_views import TableViews
from protocol.events import AtTable, Event, Figures

#: Seconds back to the standings that gains and losses are compared with.
RECENT_SECONDS = 15.0


class Stood(NamedTuple):
    """The place and chips of a player at some moment."""

    place: int
    chips: int


class Recent:
    """The standings of the last ``RECENT_SECONDS``, noted at most once a second."""

    def __init__(self) -> None:
        self._notes: deque[tuple[float, Mapping[int, Stood]]] = deque()

    def note(self, now: float, stood: Mapping[int, Stood]) -> None:
        """Note the standings, by the players' numbers.

        Args:
            now: a time in seconds.
            stood: place and chips of each player.
        """
        if not self._notes or now >= self._notes[-1][0] + 1:
            self._notes.append((now, stood))
        while self._notes[0][0] < now - RECENT_SECONDS:
            self._notes.popleft()

    def before(self, player: int) -> Stood | None:
        """The oldest standing of a player that is remembered; None if the player was not there."""
        return self._notes[0][1].get(player) if self._notes else None


#: Seconds between two looks at the tournament, at least.
LOOK_SECONDS = 0.25

#: Seconds between two looks while nobody watches; then only the curves need them.
IDLE_SECONDS = 1.0

#: Seconds that each viewer adds to the time between two looks: two hundred viewers are told every 1.05 s.
VIEWER_SECONDS = 0.004

#: The share of the dealer's time that looking may take; where there is more to see, it is done less often.
SHARE = 0.05

#: Seconds between two versions of the curves, which are most of the bytes.
CURVE_SECONDS = 2.0

#: Players who have a curve; nobody can tell more lines apart.
CURVES = 12

#: Viewers at once; more are refused, so that they cannot take the file descriptors that players need.
VIEWERS = 300

#: Viewers from one address, so that one address cannot keep all others out. A classroom may share one.
VIEWERS_PER_ADDRESS = 64


class Part(NamedTuple):
    """One message of the stream, packed, and the version of the board in which it last changed."""

    version: int
    data: bytes


class Board:
    """The public view of a scene, as messages for browsers. ``run`` keeps it up to date.

    Attributes:
        scene: what is shown.
        viewers: browsers that watch now.
        version: rises with every change of a message.
        over: whether there will be no further version.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.viewers = 0
        self.version = 0
        self.over = False
        self._watched: Counter[int | None] = Counter()
        self._addresses: Counter[str] = Counter()
        self._chances = ChanceWorker()
        self._changed, self._left = trio.Event(), trio.Event()
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Forget what was seen: a tournament begins, the first of this dealer or another one."""
        self._opening = self.scene.opening
        self._parts: dict[str, Part] = {}
        self._recent = Recent()
        self._moments = Moments()
        self._tables: TableViews | None = None
        self._teller: Teller | None = None
        self._figures: Figures | None = None
        self._drawn = self._looked = float("-inf")

    def has_room(self, address: str) -> bool:
        """True if one more viewer from an address is accepted; always from this machine, where projectors are."""
        if ip_address(address).is_loopback:
            return True
        return self.viewers < VIEWERS and self._addresses[address] < VIEWERS_PER_ADDRESS

    @contextmanager
    def watched(self, table: int | None, address: str) -> Iterator[None]:
        """Count a viewer while the block runs.

        Args:
            table: the number of the table it watches; None for the table of the leader.
            address: where it is.
        """
        self.viewers += 1
        self._watched[table] += 1
        self._addresses[address] += 1
        if _table_part(table) not in self._parts or trio.current_time() > self._looked + LOOK_SECONDS:
            self.look()  # nobody may have looked at that table lately, and a viewer wants to see it at once
        try:
            yield
        finally:
            self.viewers -= 1
            self._left.set()
            self._addresses -= Counter([address])
            self._watched[table] -= 1
            if not self._watched[table]:
                del self._watched[table]
                self._parts.pop(_table_part(table), None)
                if self._tables is not None:
                    self._tables.leave(table)

    def since(self, version: int, table: int | None) -> bytes:
        """The messages that have changed since a version, for a viewer of that table; since 0, all of them."""
        wanted = ("scene", "lobby", "curves", "board", "news", "moments", _table_part(table))
        parts = (self._parts.get(name) for name in wanted)
        return b"".join([part.data for part in parts if part is not None and part.version > version])

    async def changed(self) -> None:
        """Wait for a new version."""
        await self._changed.wait()

    async def deserted(self) -> None:
        """Wait until nobody watches."""
        while self.viewers:
            self._left = trio.Event()
            await self._left.wait()

    async def run(self) -> None:
        """Look at the tournament again and again, and count chances to win, until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._chances.run)
            await self._look_again()

    async def _look_again(self) -> None:
        while True:
            began = time.perf_counter()
            self.look()
            took = time.perf_counter() - began
            least = LOOK_SECONDS + self.viewers * VIEWER_SECONDS if self.viewers else IDLE_SECONDS
            await trio.sleep(max(least, took / SHARE))

    def close(self) -> None:
        """End the stream of every viewer once it has been sent this version."""
        self.over = True
        self._announce()

    def look(self) -> None:
        """Read the tournament now: always for the curves, and for the other messages if anybody watches."""
        if self.scene.opening is not self._opening:
            self._begin_anew()
        self._looked = now = trio.current_time()
        tournament, version = self.scene.tournament, self.version
        journal = self.scene.journal if tournament is None else tournament.journal
        if journal is not None and self._teller is None:  # a page is there before its journal
            self._teller = Teller(self.scene, journal)
            self._teller.listeners.append(self._hear)
        if tournament is not None:
            self._note(tournament, now)
        if self.viewers:
            self._publish("scene", "scene", snapshot.scene_facts(self.scene))
            if tournament is None:
                self._publish("lobby", "lobby", snapshot.lobby_facts(self.scene, now))
            elif self._figures is not None:
                self._show(tournament, self._figures, now)
        if self.version > version:
            self._announce()

    def _note(self, tournament: Tournament, now: float) -> None:
        """Note how everybody stands."""
        tournament.curves.look()
        assert self._teller is not None, "a tournament has a journal"
        self._figures = figures = self._teller.figures(tournament)
        self._recent.note(now, {row.player: Stood(row.place, row.chips) for row in figures.rows})

    def _hear(self, event: Event | Finished) -> None:
        """Take what happens at the tables."""
        tournament = self.scene.tournament
        assert tournament is not None
        views = self._views(tournament)
        if isinstance(event, Finished):
            views.hear_end(event, is_show=tournament.tempo.plan is not None)
        elif isinstance(event, AtTable):
            views.hear(event)

    def _views(self, tournament: Tournament) -> TableViews:
        """The tables; at first what they show already."""
        if self._tables is None:
            settings = tournament.settings
            highlights = Highlights(tournament.ledger.format.eliminates and settings.games == 1)
            self._tables = views = TableViews(
                settings, tournament.players, highlights, self._chances, open_cards=self.scene.open_cards
            )
            for table in tournament.tables:
                run = tournament.runs.get(table.number)
                if run is not None and run.last is not None:
                    views.show_end(run.last.record, run.last.settlement.payoffs)
                for event in hand_under_way(tournament, table):
                    views.hear(event)
        return self._tables

    def _show(self, tournament: Tournament, figures: Figures, now: float) -> None:
        views, facts = self._views(tournament), self._board_facts(figures)
        if tournament.ended:
            facts["honours"] = honours(tournament, figures, views.highlights, told=views.visible.after)
        self._publish("board", "board", facts)
        news = snapshot.news_facts(tournament)
        self._publish("news", "news", news)
        self._show_moments(views.highlights, facts, news, now)
        if now >= self._drawn + CURVE_SECONDS or tournament.ended:
            self._drawn = now
            self._publish("curves", "curves", _curve_facts(tournament, figures))
        for table in self._watched:
            self._publish(_table_part(table), "table", views.facts(table, figures, now, ended=tournament.ended))

    def _board_facts(self, figures: Figures) -> dict[str, Any]:
        """The leader board, with the places and chips that each player has gained lately."""
        facts: dict[str, Any] = to_builtins(figures)
        for row in facts["rows"]:
            before = self._recent.before(row["player"])
            row["climbed"] = before.place - row["place"] if before else 0
            row["gained"] = row["chips"] - before.chips if before else 0
        return facts

    def _show_moments(self, highlights: Highlights, board: dict[str, Any], news: dict[str, Any], now: float) -> None:
        moments, leader = self._moments, self._moments.leader
        moments.note(board, news, highlights.largest, now)
        if moments.leader is not None and moments.leader != leader:
            highlights.lead_taken(moments.leader)
        self._publish("moments", "moments", {"latest": list(moments.latest)})

    def _publish(self, name: str, event: str, facts: dict[str, Any]) -> None:
        """Replace the message of that name; it gets a new version only if its bytes are different."""
        data = _message(event, facts)
        if name not in self._parts or self._parts[name].data != data:
            self.version += 1
            self._parts[name] = Part(self.version, data)

    def _announce(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


def _table_part(table: int | None) -> str:
    return f"table {table}"


def _message(event: str, facts: dict[str, Any]) -> bytes:
    text = json.dumps(facts, separators=(",", ":"))
    return f"event: {event}\ndata: {text}\n\n".encode()


def _curve_facts(tournament: Tournament, figures: Figures) -> dict[str, Any]:
    points, shown = tournament.curves.points, [row.player for row in figures.rows[:CURVES]]
    return {
        "hands": [point.hand for point in points],
        "lines": [[number, [point.chips[number] for point in points]] for number in shown],
    }

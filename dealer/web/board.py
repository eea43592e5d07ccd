"""What every viewer is sent: looked at a few times a second, turned into bytes once, and shared by all.

Viewers are no queues: each remembers the version it was sent, waits for a newer one, and skips what it was too slow
for. So whoever does not read costs nothing but its own connection.
"""

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any, NamedTuple

import trio

from dealer.journal.records import Record
from dealer.ledger.standings import Standing
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from dealer.web import snapshot
from dealer.web.history import Curves, Rate, Recent
from dealer.web.table_view import HOLD_SECONDS, CardVisibility, DisplayedHand, table_facts

LOOK_SECONDS = 0.25
"""Between two looks, at least."""

IDLE_SECONDS = 1.0
"""Between two looks while nobody watches, which only the curves need."""

VIEWER_SECONDS = 0.002
"""What each viewer adds to the time between two looks: two hundred are told every 0.65 s."""

SHARE = 0.05
"""Of its time, looking may take so much; it is done less often where there is more to see."""

CURVE_SECONDS = 2.0
"""Between two sets of curves, which are most of the bytes."""

CURVES = 12
"""How many players have one: more lines nobody can tell apart."""

AUTO_SECONDS = 12.0
"""How long the table of the leader is shown before that of another leader."""


VIEWERS = 300
"""Who can watch at once; more are sent away, lest they take the descriptors that players need."""

VIEWERS_PER_ADDRESS = 64
"""And so many from one address, lest one of them keep all others out. A classroom may sit behind one."""


class Part(NamedTuple):
    """A message of the stream, ready to send, and the version of the board in which it changed."""

    version: int
    data: bytes


class Board:
    """What there is to see of a scene. ``run`` keeps it up to date.

    Attributes:
        viewers: how many watch.
        version: rises with every change.
        over: whether this is the last version there will be.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.viewers = 0
        self.version = 0
        self.over = False
        self._parts: dict[str, Part] = {}
        self._watched: Counter[int | None] = Counter()
        self._addresses: Counter[str] = Counter()
        self._displayed: dict[int, DisplayedHand] = {}
        self._changed, self._left = trio.Event(), trio.Event()
        self._curves, self._recent = Curves(), Recent()
        self._hands, self._decisions = Rate(), Rate()
        self._drawn = self._looked = self._chosen = float("-inf")
        self._leaders_table: int | None = None
        self._hears = False

    def has_room(self, address: str) -> bool:
        """Whether one more can watch from an address; from the dealer's own machine, where projectors are, always."""
        if ip_address(address).is_loopback:
            return True
        return self.viewers < VIEWERS and self._addresses[address] < VIEWERS_PER_ADDRESS

    @contextmanager
    def watched(self, table: int | None, address: str) -> Iterator[None]:
        """Count a viewer at an address, of a table by its number or of the leader's, while the block runs."""
        self.viewers += 1
        self._watched[table] += 1
        self._addresses[address] += 1
        if _table_part(table) not in self._parts or trio.current_time() > self._looked + LOOK_SECONDS:
            self.look()
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

    def since(self, version: int, table: int | None) -> bytes:
        """All messages that have changed since a version, for whoever watches that table; all there are since 0."""
        wanted = ("scene", "curves", "board", "news", _table_part(table))
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
        """Look again and again, until cancelled."""
        while True:
            began = time.perf_counter()
            self.look()
            took = time.perf_counter() - began
            least = LOOK_SECONDS + self.viewers * VIEWER_SECONDS if self.viewers else IDLE_SECONDS
            await trio.sleep(max(least, took / SHARE))

    def close(self) -> None:
        """Let every viewer go who has read this version."""
        self.over = True
        self._announce()

    def look(self) -> None:
        """Note what the curves need; if anybody watches, see what has changed, and tell."""
        self._looked = now = trio.current_time()
        if self.scene.journal is not None and not self._hears:  # a page is there before its journal
            self.scene.journal.tell(self._hear)
            self._hears = True
        tournament, version = self.scene.tournament, self.version
        standings = tournament.standings() if tournament else []
        names = snapshot.numbers(self.scene)
        if tournament:
            self._note(tournament, standings, names, now)
        if self.viewers:
            self._publish("scene", "scene", snapshot.scene_facts(self.scene))
            if tournament:
                self._show(tournament, standings, names, now)
        if self.version > version:
            self._announce()

    def _note(self, tournament: Tournament, standings: list[Standing], names: dict[Player, int], now: float) -> None:
        self._draw(tournament, standings, names)
        self._recent.note(now, snapshot.stood(standings, names))
        self._hands.note(now, snapshot.hands_played(tournament))
        self._decisions.note(now, tournament.decisions)

    def _hear(self, records: Sequence[Record]) -> None:
        """Called by the journal: a fast table plays hundreds of hands between two looks, and the curves need some."""
        tournament = self.scene.tournament
        if tournament is not None and self._curves.due(snapshot.hands_on(tournament)):
            self._draw(tournament, tournament.standings(), snapshot.numbers(self.scene))

    def _draw(self, tournament: Tournament, standings: list[Standing], names: dict[Player, int]) -> None:
        if self._curves.empty:
            self._curves.note(0, snapshot.opening_chips(self.scene))
        gone = snapshot.gone(tournament)
        self._curves.note(snapshot.hands_on(tournament), snapshot.chips_of(standings, names), gone)

    def _show(self, tournament: Tournament, standings: list[Standing], names: dict[Player, int], now: float) -> None:
        facts = snapshot.board_facts(tournament, standings, names, self._recent)
        facts["handsPerSecond"] = _rounded(self._hands.per_second)
        facts["decisionsPerSecond"] = _rounded(self._decisions.per_second)
        self._publish("board", "board", facts)
        self._publish("news", "news", snapshot.news_facts(tournament, names))
        if now >= self._drawn + CURVE_SECONDS or tournament.ended:
            self._drawn = now
            self._publish("curves", "curves", self._curve_facts(standings, names))
        for table in self._watched:
            self._publish(_table_part(table), "table", self._table_facts(tournament, table, standings, names, now))

    def _curve_facts(self, standings: list[Standing], names: dict[Player, int]) -> dict[str, Any]:
        shown = [names[standing.player] for standing in standings[:CURVES]]
        points = self._curves.points
        return {
            "hands": [point.hand for point in points],
            "lines": [[number, [point.chips[number] for point in points]] for number in shown],
        }

    def _table_facts(
        self,
        tournament: Tournament,
        number: int | None,
        standings: list[Standing],
        names: dict[Player, int],
        now: float,
    ) -> dict[str, Any]:
        """What lies on a table; ``auto`` if it is the leader's, because no other was asked for."""
        table = self._leaders(tournament, standings, now) if number is None else snapshot.table(tournament, number)
        if table is None:
            return {"table": number, "auto": False, "closed": True}
        hold = 0.0 if tournament.tempo.pace else HOLD_SECONDS
        shown = self._displayed.setdefault(table.number, DisplayedHand()).at(table, now, hold)
        facts: dict[str, Any] = {"table": table.number, "auto": number is None}
        if shown is not None:
            # A duplicate tournament deals the same cards again, and a program can read a page as well as a person.
            visible = CardVisibility(self.scene.open_cards, self.scene.open_cards or not tournament.settings.duplicate)
            facts |= table_facts(shown, tournament.settings.game, names, visible)
        return facts

    def _leaders(self, tournament: Tournament, standings: list[Standing], now: float) -> TableState:
        """The table of the leader, or of who led a moment ago, so that the view does not flicker."""
        table = None
        if self._leaders_table is not None and now < self._chosen + AUTO_SECONDS:
            table = snapshot.table(tournament, self._leaders_table)
        if table is None:
            table = snapshot.leaders_table(tournament, standings)
            self._leaders_table, self._chosen = table.number, now
        return table

    def _publish(self, name: str, event: str, facts: dict[str, Any]) -> None:
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


def _rounded(rate: float) -> float:
    return round(rate, 1) if rate < 10 else round(rate)

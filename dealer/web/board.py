"""The board: what every viewer of the page is sent, read a few times a second, packed once and shared by all.

Viewers have no queues. Each remembers the version it was sent last, waits for a newer one, and skips versions that it
was too slow for. So a viewer that does not read costs nothing but its own connection.
"""

import json
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import trio
from msgspec import to_builtins

from dealer.feed.told import Opened, PageState, Part, Played, Told
from dealer.web.chance_worker import ChanceWorker
from dealer.web.highlights import Highlights, Moments
from dealer.web.table_view import CardVisibility
from dealer.web.table_views import TableViews
from protocol.events import AtTable, Figures
from protocol.games.game import Game

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

#: Seconds between two looks while nobody watches; then only what is compared with later needs them.
IDLE_SECONDS = 1.0

#: Seconds that each viewer adds to the time between two looks: two hundred viewers are told every 1.05 s.
VIEWER_SECONDS = 0.004

#: The share of the dealer's time that looking may take; where there is more to see, it is done less often.
SHARE = 0.05

#: Viewers at once; more are refused, so that they cannot take the file descriptors that players need.
VIEWERS = 300

#: Viewers from one address, so that one address cannot keep all others out. A classroom may share one.
VIEWERS_PER_ADDRESS = 64


class Message(NamedTuple):
    """One message of the stream, packed, and the version of the board in which it last changed."""

    version: int
    data: bytes


class Board:
    """What all viewers may see of a dealer, as messages for browsers. ``run`` keeps it up to date.

    Args:
        game_of: finds the game of a tournament.
        pages: see below.

    Attributes:
        scene: the facts that seldom change, see ``public_facts.scene_facts``.
        pages: where browsers find the page.
        viewers: browsers that watch now.
        version: rises with every change of a message.
        over: whether there will be no further version.
    """

    def __init__(self, game_of: Callable[[Opened], Game], pages: Sequence[str] = ()) -> None:
        self.scene: Mapping[str, Any] = {}
        self.pages = pages
        self.viewers = 0
        self.version = 0
        self.over = False
        self._game_of = game_of
        self._watched: Counter[int | None] = Counter()
        self._addresses: Counter[str] = Counter()
        self._chances = ChanceWorker()
        self._changed, self._left = trio.Event(), trio.Event()
        self._looked = float("-inf")
        self._messages: dict[str, Message] = {}
        self._facts: dict[str, Mapping[str, Any]] = {}
        self._figures: Figures | None = None
        self._tables: TableViews | None = None
        self._recent, self._moments = Recent(), Moments()

    @property
    def page_address(self) -> str | None:
        """The address at which other machines find the page; None if only this machine can."""
        reachable = (page for page in self.pages if not ip_address(urlsplit(page).hostname or "").is_loopback)
        return next(reachable, None)

    def hear(self, told: Told) -> None:
        """Take what the dealer tells."""
        match told:
            case PageState():
                for one in told.told:
                    self.hear(one)
            case Opened():
                self._begin_anew(told)
            case Part(name="scene"):
                self.scene = told.facts
            case Part():
                self._facts[told.name] = told.facts
            case Figures():
                self._figures = told
            case Played():
                assert self._tables is not None, "a tournament was opened"
                is_show = self._figures is not None and self._figures.show_left is not None
                self._tables.hear_end(told, is_show=is_show, eliminates=self.scene["eliminates"])
            case AtTable():
                assert self._tables is not None, "a tournament was opened"
                self._tables.hear(told)

    def _begin_anew(self, opened: Opened) -> None:
        """Forget what was seen: a tournament begins, the first of this dealer or another one."""
        self._messages.clear()
        self._facts.clear()
        self._figures, self._recent, self._moments = None, Recent(), Moments()
        # A duplicate tournament deals the same cards again, and programs can read this page too. So its hole cards
        # stay hidden after the hand, unless the host has opened them.
        visible = CardVisibility(opened.open_cards, opened.open_cards or not opened.duplicate)
        self._tables = TableViews(self._game_of(opened), visible, self._chances, opened.hands)

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
        try:
            if _table_part(table) not in self._messages or trio.current_time() > self._looked + LOOK_SECONDS:
                self.look()  # nobody may have looked at that table lately, and a viewer wants to see it at once
            yield
        finally:
            self.viewers -= 1
            self._left.set()
            self._addresses -= Counter([address])
            self._watched[table] -= 1
            if not self._watched[table]:
                del self._watched[table]
                self._messages.pop(_table_part(table), None)
                if self._tables is not None:
                    self._tables.leave(table)

    def since(self, version: int, table: int | None) -> bytes:
        """The messages that have changed since a version, for a viewer of that table; since 0, all of them."""
        wanted = ("scene", "lobby", "curves", "board", "news", "moments", _table_part(table))
        parts = (self._messages.get(name) for name in wanted)
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
        """Show what has changed, if anybody watches."""
        self._looked = now = trio.current_time()
        version = self.version
        if self._figures is not None:
            self._recent.note(now, {row.player: Stood(row.place, row.chips) for row in self._figures.rows})
        if self.viewers and self.scene:
            self._publish("scene", "scene", {**self.scene, "page": self.page_address})
            if self._figures is None:
                self._publish("lobby", "lobby", self._facts["lobby"])
            elif self._tables is not None:
                self._show(self._tables, self._figures, now)
        if self.version > version:
            self._announce()

    def _show(self, tables: TableViews, figures: Figures, now: float) -> None:
        ended = self.scene["phase"] == "over"
        board = self._board_facts(figures)
        if ended:
            board["honours"] = tables.honours(figures)
        self._publish("board", "board", board)
        self._publish("news", "news", self._facts["news"])
        self._show_moments(tables.highlights, board, now)
        self._publish("curves", "curves", self._facts["curves"])
        for table in self._watched:
            self._publish(_table_part(table), "table", tables.facts(table, figures, now, ended=ended))

    def _board_facts(self, figures: Figures) -> dict[str, Any]:
        """The leader board, with the places and chips that each player has gained lately."""
        facts: dict[str, Any] = to_builtins(figures)
        for row in facts["rows"]:
            before = self._recent.before(row["player"])
            row["climbed"] = before.place - row["place"] if before else 0
            row["gained"] = row["chips"] - before.chips if before else 0
        return facts

    def _show_moments(self, highlights: Highlights, board: dict[str, Any], now: float) -> None:
        moments, leader = self._moments, self._moments.leader
        moments.note(board, self._facts["news"], highlights.largest, now)
        if moments.leader is not None and moments.leader != leader:
            highlights.lead_taken(moments.leader)
        self._publish("moments", "moments", {"latest": list(moments.latest)})

    def _publish(self, name: str, event: str, facts: Mapping[str, Any]) -> None:
        """Replace the message of that name; it gets a new version only if its bytes are different."""
        data = _message(event, facts)
        if name not in self._messages or self._messages[name].data != data:
            self.version += 1
            self._messages[name] = Message(self.version, data)

    def _announce(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


def _table_part(table: int | None) -> str:
    return f"table {table}"


def _message(event: str, facts: Mapping[str, Any]) -> bytes:
    text = json.dumps(facts, separators=(",", ":"))
    return f"event: {event}\ndata: {text}\n\n".encode()

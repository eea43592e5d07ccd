"""The board: what every viewer of the page is sent, read a few times a second, packed once and shared by all.

Viewers have no queues. Each remembers the version it was sent last, waits for a newer one, and skips versions that it
was too slow for. So a viewer that does not read costs nothing but its own connection.
"""

import json
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import trio
from msgspec import to_builtins

from dealer.feed.told import Opened, PageState, Part, Played, Told
from dealer.telling.moments import BestHands, Course, Moment, best_seat, won_with
from dealer.web.chance_worker import ChanceWorker
from dealer.web.table_view import CardVisibility, TableViews
from protocol.events import AtTable, Event, Figures, HandOver, Left, PlayerFigures, Readmitted, RoundBegun
from protocol.games.base import FOLDED
from protocol.games.game import Game

#: Seconds back to the standings that gains and losses are compared with.
RECENT_SECONDS = 15.0


class Recent:
    """The standings of the last ``RECENT_SECONDS``, noted at most once a second."""

    def __init__(self) -> None:
        self._notes: deque[tuple[float, Mapping[int, PlayerFigures]]] = deque()

    def note(self, now: float, rows: Iterable[PlayerFigures]) -> None:
        """Note the figures of all players at a time in seconds."""
        if not self._notes or now >= self._notes[-1][0] + 1:
            self._notes.append((now, {row.player: row for row in rows}))
        while self._notes[0][0] < now - RECENT_SECONDS:
            self._notes.popleft()

    def before(self, player: int) -> PlayerFigures | None:
        """The oldest figures of a player that are remembered; None if the player was not there."""
        return self._notes[0][1].get(player) if self._notes else None


#: Moments that are told at once; who comes later needs no older ones.
KEPT = 6

#: Kinds of moments that are told over the head of the page. A rare hand is only shown again: in a duplicate tournament
#: nobody may know what won.
TOLD = frozenset({"out", "leader", "pot", "level", "final", "heads-up"})


class Moments:
    """The last moments, with numbers that rise by 1, by which a browser knows those that are new."""

    def __init__(self) -> None:
        self._latest: deque[list[Any]] = deque(maxlen=KEPT)
        self._fresh: dict[tuple[str, int | None], Moment] = {}
        self._number = 0

    def add(self, moment: Moment) -> None:
        """Take the next one. Of several pots or leaders between two looks the last one is told."""
        if moment.kind in TOLD:
            what = moment.kind, moment.player if moment.kind == "out" else None
            self._fresh.pop(what, None)
            self._fresh[what] = moment

    def latest(self) -> list[list[Any]]:
        """Number, kind, player, words and amount of each."""
        for moment in self._fresh.values():
            self._number += 1
            words = moment.words if moment.reason is None else f"{moment.words}: {moment.reason}"
            self._latest.append([self._number, moment.kind, moment.player, words, moment.amount])
        self._fresh.clear()
        return [*self._latest]


#: Replies that a program must have given to be compared by their times.
REPLIES = 20


def honours(figures: Figures, best: BestHands[HandOver], *, told: bool) -> dict[str, Any]:
    """The honours of a tournament that has ended, each as numbers and words; None for one that nobody earned.

    Args:
        figures: of its end.
        best: hands.
        told: whether it may be said what hands were won with.

    Returns:
        ``best`` and ``pot`` as player, chips, number of the hand, and why it was won; ``fastest`` and ``steadiest`` as
        player and milliseconds within which half of its replies came, or 99 of 100.
    """

    def win(player: int, chips: int, hand: HandOver) -> list[Any]:
        return [player, chips, hand.hand, (won_with(hand, hand.players.index(player)) or FOLDED) if told else ""]

    won = best.won.get(figures.rows[0].player) if figures.rows else None
    rows = [row for row in figures.rows if row.replies >= REPLIES]
    pots = [hand for hand in best.largest.hands if max(hand.payoffs) > 0]  # not those that were shared
    return {
        "best": None if won is None else win(figures.rows[0].player, *won),
        "pot": win(pots[0].players[best_seat(pots[0].payoffs)], pots[0].pot, pots[0]) if pots else None,
        "fastest": _quickest([(row.reply or 0.0, row.player) for row in rows]),
        "steadiest": _quickest([(row.slowest or 0.0, row.player) for row in rows]),
    }


def _quickest(times: Sequence[tuple[float, int]]) -> list[Any] | None:
    """The player with the shortest of at least two times, and that time."""
    if len(times) < 2:
        return None
    time, player = min(times)
    return [player, time]


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
        self._recent, self._course, self._moments = Recent(), Course(live=True), Moments()

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
                self._follow(told)
            case Played():
                assert self._tables is not None, "a tournament was opened"
                if told.why != "best":
                    self._tables.hear_end(told)
                if told.why == "news":
                    self._follow(told)
                else:
                    self._course.best.add(told)
            case Left() | Readmitted() | RoundBegun():
                self._follow(told)
            case AtTable():
                assert self._tables is not None, "a tournament was opened"
                self._tables.hear(told)

    def _follow(self, event: Event) -> None:
        """Follow the course of the tournament: what is worth seeing is told, and its hand shown again in a show."""
        for moment in self._course.hear(event):
            self._moments.add(moment)
            if self._tables is not None and moment.hand:
                self._tables.see_again(self._course.hand_of(moment), moment)

    def _begin_anew(self, opened: Opened) -> None:
        """Forget what was seen: a tournament begins, the first of this dealer or another one."""
        self._messages.clear()
        self._facts.clear()
        self._figures, self._recent = None, Recent()
        self._course, self._moments = Course(opened.hands, live=True), Moments()
        # A duplicate tournament deals the same cards again, and programs can read this page too. So its hole cards
        # stay hidden after the hand, unless the host has opened them.
        visible = CardVisibility(opened.open_cards, opened.open_cards or not opened.duplicate)
        self._tables = TableViews(self._game_of(opened), visible, self._chances)

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
            self._recent.note(now, self._figures.rows)
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
        board: dict[str, Any] = to_builtins(figures)
        for row in board["rows"]:  # with the places and chips that each player has gained lately
            before = self._recent.before(row["player"])
            row["climbed"] = before.place - row["place"] if before else 0
            row["gained"] = row["chips"] - before.chips if before else 0
        if ended:
            board["honours"] = honours(figures, self._course.best, told=tables.visible.after)
        self._publish("board", "board", board)
        self._publish("news", "news", self._facts["news"])
        self._publish("moments", "moments", {"latest": self._moments.latest()})
        self._publish("curves", "curves", self._facts["curves"])
        for table in self._watched:
            self._publish(_table_part(table), "table", tables.facts(table, figures, now, ended=ended))

    def _publish(self, name: str, event: str, facts: Mapping[str, Any]) -> None:
        """Replace the message of that name; it gets a new version only if its bytes are different."""
        text = json.dumps(facts, separators=(",", ":"))
        data = f"event: {event}\ndata: {text}\n\n".encode()
        if name not in self._messages or self._messages[name].data != data:
            self.version += 1
            self._messages[name] = Message(self.version, data)

    def _announce(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


def _table_part(table: int | None) -> str:
    return f"table {table}"

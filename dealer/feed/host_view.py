"""What a page is told of a dealer: the state of its lobby and tournament, and every hand as it is played.

The state is told in a few parts, each whole when it has changed. A finished hand comes with all that it takes to draw
it, and to show it again. It is told to the host's own page alone, which knows hole cards while a hand is played, and
decides who may see them.
"""

from collections.abc import Callable, Iterator
from typing import Any

import structlog
import trio
from msgspec import structs

from dealer.feed import public_facts
from dealer.feed.teller import TABLES, Finished, Teller, hand_under_way
from dealer.feed.told import One, Opened, PageState, Part, Played, Told
from dealer.ledger.table_state import TableState
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from protocol.events import Acted, Dealt, Event, Figures, StreetDealt

log = structlog.get_logger()

#: Seconds between two versions of the curves, which are most of the bytes.
CURVE_SECONDS = 2.0

#: Players who have a curve; nobody can tell more lines apart.
CURVES = 12


#: Takes what is told. It must not wait; what it raises is logged.
Listener = Callable[[Told], None]


class Best:
    """The hand with the largest pot, and those in which each player won most: what the podium tells at the end."""

    def __init__(self) -> None:
        self._largest: Played | None = None
        self._won: dict[int, tuple[int, Played]] = {}

    def hear(self, played: Played) -> None:
        """Take a finished hand."""
        record = played.record
        won = [(player, chips) for player, chips in zip(record.players, record.payoffs, strict=True) if chips > 0]
        if won and (self._largest is None or record.pot > self._largest.record.pot):
            self._largest = played
        for player, chips in won:
            if player not in self._won or chips > self._won[player][0]:
                self._won[player] = chips, played

    @property
    def hands(self) -> list[Played]:
        """All of them, in the order in which they were played at each table."""
        kept = [played for _, played in self._won.values()]
        kept += [] if self._largest is None else [self._largest]
        unique = {(played.record.table, played.record.hand): played for played in kept}
        return [unique[place] for place in sorted(unique)]


class HostView:
    """Looks at a scene when it is told to, and tells its listeners what has changed and what has been played.

    Args:
        scene: what is shown.
    """

    def __init__(self, scene: Scene) -> None:
        self._listeners: list[Listener] = []
        self._scene = scene
        self._open()

    def _open(self) -> None:
        scene, self._opening = self._scene, self._scene.opening
        self._teller: Teller | None = None
        self._parts: dict[str, One] = {}
        self._drawn = float("-inf")
        self._best = Best()
        self._live: dict[int, int] = {}
        self._in_play: dict[int, tuple[int, int]] = {}
        self._told: dict[int, tuple[int, int]] = {}
        settings = scene.settings
        self._opened = Opened(settings.game.name, settings.game.facts, settings.duplicate, scene.open_cards)

    def state(self) -> PageState:
        """The state as it is now, for those who come late or have lost something."""
        self.look()
        tournament = self._scene.tournament
        opened = structs.replace(self._opened, hands=0 if tournament is None else tournament.hands_finished)
        best = [structs.replace(played, why="best") for played in self._best.hands]
        return PageState([opened, *self._parts.values(), *best, *self._hands()])

    def join(self, listener: Listener) -> None:
        """Tell a listener the state as it is now, and from now on all that changes."""
        listener(self.state())
        self._listeners.append(listener)

    def look(self) -> None:
        """Tell what has changed since the last look."""
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
        else:
            self._look_at(tournament, now)

    def begin(self, teller: Teller) -> None:
        """Follow the tournament that the scene shows, from its lobby on.

        Args:
            teller: tells it.
        """
        if self._scene.opening is not self._opening or self._teller is not None:
            self._open()
            self._tell(self._opened)
        self._hear_from(teller)
        self.look()

    def _hear_from(self, teller: Teller) -> None:
        self._teller = teller
        teller.listeners.append(self._hear)
        self._tell(*self._hands())

    def _look_at(self, tournament: Tournament, now: float) -> None:
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
        if isinstance(event, Finished):
            played = Played(event.record, event.played.deal.match, "news")
            self._best.hear(played)
            self._tell(played)
        elif isinstance(event, Dealt | StreetDealt | Acted):
            self._live[event.table] = event.hand
            self._tell(event)

    def _hands(self) -> Iterator[One]:
        """The last hand of each table, and the one under way; not of many tables, which would be many bytes."""
        tournament = self._scene.tournament
        if tournament is None or len(tournament.tables) > TABLES:
            return
        for table in tournament.tables:
            run = tournament.runs.get(table.number)
            if run is not None and run.last is not None and (run.record is None or run.record is not run.last.record):
                yield Played(run.last.told, run.last.deal.match, "last")
            yield from hand_under_way(tournament, table)

    def _tell(self, *all_told: Told) -> None:
        for told in all_told:
            for listener in self._listeners:
                try:
                    listener(told)
                except Exception:  # a page may show nonsense, but never hold up a table
                    log.exception("a page cannot take what it is told")


def _curve_facts(tournament: Tournament, figures: Figures) -> dict[str, Any]:
    """The curves of the players who lead, from the first hand on."""
    tournament.curves.look()
    points, shown = tournament.curves.points, [row.player for row in figures.rows[:CURVES]]
    return {
        "hands": [point.hand for point in points],
        "lines": [[number, [point.chips[number] for point in points]] for number in shown],
    }

"""What a page is told of a dealer: the state of its lobby and tournament, and every hand as it is played.

The state is told in a few parts, each whole when it has changed. A finished hand comes with all that it takes to draw
it, and to show it again. It is told to the host's own page alone, which knows hole cards while a hand is played, and
decides who may see them.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import trio

from dealer.feed import public_facts
from dealer.feed.teller import Finished, Teller, hand_under_way
from dealer.journal.records import FinishedHandRecord
from dealer.ledger.played_hand import Deal, HandRecord
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from protocol.events import AtTable, Event, Figures

#: Seconds between two versions of the curves, which are most of the bytes.
CURVE_SECONDS = 2.0

#: Players who have a curve; nobody can tell more lines apart.
CURVES = 12


class Opened(Event, frozen=True, tag="opened"):
    """A tournament is shown from its lobby on; nothing that was told before belongs to it.

    Attributes:
        game: the name of the game.
        options: of the game, by name.
        duplicate: whether its cards are dealt again.
        open_cards: whether all may see hole cards during a hand.
    """

    game: str
    options: Mapping[str, Any]
    duplicate: bool
    open_cards: bool


class Part(Event, frozen=True, tag="part"):
    """A part of the state, whole.

    Attributes:
        name: ``scene`` for facts that seldom change, ``lobby``, ``news`` or ``curves``.
        facts: values for JSON, as ``public_facts`` makes them.
    """

    name: str
    facts: Mapping[str, Any]


class Played(Event, frozen=True, tag="played"):
    """A finished hand, and all that it takes to play it again.

    Attributes:
        record: of the hand.
        match: the ``Match`` from which it was dealt; its fields by name, as it comes out of MessagePack.
        is_news: whether it has just ended; else it is the last hand of a table that the page has not known.
    """

    record: FinishedHandRecord
    match: Any
    is_news: bool

    @property
    def hand(self) -> HandRecord:
        """The hand, which can be played again."""
        record = self.record
        deal = Deal(record.table, record.hand, record.level, tuple(record.players), self.match, record.deck)
        return HandRecord(deal, [*record.actions], [*record.faults], record.corrections)


#: What a page is told: parts of the state, and hands.
Told = Opened | Part | Figures | AtTable | Played

#: Takes what is told. It must neither wait nor raise.
Listener = Callable[[Told], None]


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
        self._parts: dict[str, Told] = {}
        self._drawn = float("-inf")
        settings = scene.settings
        self._opened = Opened(settings.game.name, settings.game.facts, settings.duplicate, scene.open_cards)

    def state(self) -> Iterator[Told]:
        """The state as it is now, for those who come late or have lost something."""
        self.look()
        yield self._opened
        yield from self._parts.values()
        yield from self._hands()

    def join(self, listener: Listener) -> None:
        """Tell a listener the state as it is now, and from now on all that changes."""
        for told in self.state():
            listener(told)
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
            self._teller = Teller(scene, journal)
            self._teller.listeners.append(self._hear)
            self._tell(*self._hands())
        self._change("scene", Part("scene", public_facts.scene_facts(scene)))
        if tournament is None:
            self._change("lobby", Part("lobby", public_facts.lobby_facts(scene, now)))
        else:
            self._look_at(tournament, now)

    def _look_at(self, tournament: Tournament, now: float) -> None:
        assert self._teller is not None, "a tournament has a journal"
        figures = self._teller.figures(tournament)
        self._change("figures", figures)
        self._change("news", Part("news", public_facts.news_facts(tournament)))
        if now >= self._drawn + CURVE_SECONDS or tournament.ended:
            self._drawn = now
            self._change("curves", Part("curves", _curve_facts(tournament, figures)))

    def _change(self, name: str, told: Told) -> None:
        if self._parts.get(name) != told:
            self._parts[name] = told
            self._tell(told)

    def _hear(self, event: Event | Finished) -> None:
        if isinstance(event, Finished):
            self._tell(Played(event.record, event.played.deal.match, is_news=True))
        elif isinstance(event, AtTable):
            self._tell(event)

    def _hands(self) -> Iterator[Told]:
        """The last hand of each table, and the one under way."""
        tournament = self._scene.tournament
        for table in () if tournament is None else tournament.tables:
            assert tournament is not None
            run = tournament.runs.get(table.number)
            if run is not None and run.last is not None:
                yield Played(run.last.told, run.last.deal.match, is_news=False)
            yield from hand_under_way(tournament, table)

    def _tell(self, *all_told: Told) -> None:
        for told in all_told:
            for listener in self._listeners:
                listener(told)


def _curve_facts(tournament: Tournament, figures: Figures) -> dict[str, Any]:
    """The curves of the players who lead, from the first hand on."""
    tournament.curves.look()
    points, shown = tournament.curves.points, [row.player for row in figures.rows[:CURVES]]
    return {
        "hands": [point.hand for point in points],
        "lines": [[number, [point.chips[number] for point in points]] for number in shown],
    }

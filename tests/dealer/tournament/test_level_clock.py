"""Levels that last minutes: time of play counts; pauses of the host do not."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.ledger.ledger import Ledger
from dealer.net.stalls import Stalls
from dealer.settings import Settings
from dealer.tournament.between_hands import LevelClock
from dealer.tournament.tempo import Tempo
from protocol.games.level_table import LevelTable
from protocol.games.stud import StudGame
from tests.dealer.support.recorded import read_records, rebuilt
from tests.dealer.support.rig import SEED, good_clients, open_rig
from tests.dealer.support.scribe import players


def by_levels(*levels: dict[str, int], **options: Any) -> Settings:
    table = LevelTable.from_facts(levels)
    return Settings(SEED, StudGame(500, 1), levels=table, **options)


class Watch:
    """A clock set by hand, and the level clock that reads it."""

    def __init__(self, *levels: dict[str, int]) -> None:
        self.ledger = Ledger(by_levels(*levels, hands=9, rounds=2), players("A", "B"))
        self.tempo = Tempo(clock=lambda: self.seconds)
        self.level_clock = LevelClock(self.ledger, self.tempo)
        self.level_clock.clock = lambda: self.seconds
        self.seconds = 1000.0
        assert not self.level_clock.due()

    def due_after(self, seconds: float) -> bool:
        """Whether the level is over so much later."""
        self.seconds += seconds
        return self.level_clock.due()


def test_a_level_is_over_after_its_minutes() -> None:
    watch = Watch({"minutes": 2, "ante": 1}, {"minutes": 1, "ante": 2}, {"ante": 3})
    assert [watch.due_after(40) for _ in range(3)] == [False, False, True]
    watch.ledger.levels.begin_next()
    assert [watch.due_after(40) for _ in range(3)] == [False, False, True]
    watch.ledger.levels.begin_next()
    assert not watch.due_after(10**6), "the last level stays"


def test_hands_and_minutes_may_take_turns() -> None:
    watch = Watch({"hands": 5, "ante": 1}, {"minutes": 1, "ante": 2}, {"ante": 3})
    assert not watch.due_after(10**6)
    watch.ledger.levels.begin_next()
    assert [watch.due_after(30) for _ in range(3)] == [False, False, True]


def test_a_pause_does_not_count() -> None:
    watch = Watch({"minutes": 1, "ante": 1}, {"ante": 2})
    watch.tempo.paused = True
    assert not watch.due_after(50), "the hand under way counts"
    assert not watch.due_after(3600)
    watch.tempo.paused = False
    assert not watch.due_after(3600), "the pause ended now"
    assert not watch.due_after(9)
    assert watch.due_after(1)


def test_a_round_begins_anew() -> None:
    watch = Watch({"minutes": 1, "ante": 1}, {"ante": 2})
    assert not watch.due_after(50)
    watch.ledger.begin_round()
    assert not watch.due_after(50)
    assert not watch.due_after(50)
    assert watch.due_after(10)


async def test_the_hands_of_a_tournament_go_by_the_clock(tmp_path: Path, autojump_clock: object) -> None:
    """A hand takes 20 seconds, so that three of them take a minute."""
    settings = by_levels({"minutes": 1, "ante": 1}, {"minutes": 2, "ante": 2}, {"ante": 4}, hands=12)
    path = tmp_path / "a.journal"
    async with open_journal(AppendFile.create(path)) as journal, open_rig(settings, journal=journal) as rig:
        await rig.admit(*good_clients(2))
        tournament = rig.begin()
        clock = SimpleNamespace(clock=lambda: 20.0 * tournament.hands_finished, listen=lambda listener: None)
        tournament.heed_stalls(cast(Stalls, clock))
        await tournament.run()
    hands = [record for record in read_records(path) if record["type"] == "hand"]
    assert [record["level"] for record in hands] == [1] * 3 + [2] * 6 + [3] * 3
    assert all(record["pot"] >= 2 * 4 for record in hands[9:])
    assert rebuilt(path).ledger.levels.level == 3

"""--journal-limit: a journal that has outgrown it ends the tournament after the hand under way, and that is said."""

import json
from pathlib import Path

import pytest
from trio.testing import MockClock

from dealer.hosting.results import Results, show_results
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.settings import Settings
from protocol.games.stud import StudGame
from tests.dealer.support.recorded import rebuilt
from tests.dealer.support.rig import SEED, good_clients, play

HANDS = 30
SETTINGS = Settings(SEED, hands=HANDS, game=StudGame(1000))
WHY = "ended early: the journal is as large as --journal-limit allows"


async def play_with_limit(path: Path, limit: float) -> Results:
    async with open_journal(AppendFile.create(path), limit=limit) as journal:
        played = await play(good_clients(2), SETTINGS, journal)
    return Results(played.tournament, SETTINGS, path)


async def test_who_wonders_why_it_ended_early_reads_it_in_the_results(
    tmp_path: Path, tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.journal"
    results = await play_with_limit(path, 2000)
    assert results.tournament is not None
    hands = results.tournament.hands_finished
    assert 1 < hands < HANDS
    rebuild = rebuilt(path)
    assert rebuild.ended
    assert rebuild.ledger.seating.tables[0].finished == hands
    show_results(results, as_json=False)
    assert f"{hands} hands\n{WHY}\n" in capsys.readouterr().out
    show_results(results, as_json=True)
    assert json.loads(capsys.readouterr().out)["ended_early"] == WHY


async def test_finished_tournament_did_not_end_early(
    tmp_path: Path, tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its last record takes the journal beyond the limit."""
    path = tmp_path / "enough.journal"
    await play_with_limit(path, 10**6)
    before_the_end = path.stat().st_size - 100
    results = await play_with_limit(tmp_path / "just.journal", before_the_end)
    assert results.tournament is not None
    assert results.tournament.hands_finished == HANDS
    assert results.tournament.journal.outgrown
    show_results(results, as_json=False)
    assert "ended early" not in capsys.readouterr().out
    show_results(results, as_json=True)
    assert json.loads(capsys.readouterr().out)["ended_early"] is None

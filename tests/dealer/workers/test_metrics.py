"""The metrics of a dealer whose tables two worker processes play, of which one is killed."""

import sys
from pathlib import Path
from typing import Any

import pytest

from dealer.faults import FaultKind
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.settings import Settings
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from dealer.web.metrics import metrics_routes
from protocol.games.stud import StudGame
from tests.dealer.support.http_routes import serve_routes
from tests.dealer.support.metrics import scrape
from tests.dealer.support.rig import SEED, call, good_clients
from tests.dealer.workers.hall import open_hall, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot hand sockets over")

#: Two tables of two players.
SETTINGS = Settings(SEED, StudGame(100_000), hands=100_000, table_size=2, limit=60.0)


async def play_on(tournament: Tournament) -> None:
    """Wait until each table has played another hand."""
    before = [table.finished for table in tournament.tables]
    await until(lambda: all(table.finished > then for table, then in zip(tournament.tables, before, strict=True)))


async def test_hands_of_all_workers_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.web.metrics.FRESH_SECONDS", 0.0)
    path = tmp_path / "a.journal"
    async with open_journal(AppendFile.create(path)) as journal, open_hall(SETTINGS, journal) as hall:
        scene = Scene(hall.rig.opening, journal=journal)
        async with serve_routes(metrics_routes(scene, lambda: 0)) as port:
            await hall.rig.admit(*good_clients(4, call))
            scene.tournament = tournament = hall.begin()
            hall.rig.nursery.start_soon(tournament.run)
            await until(lambda: tournament.runs)
            await play_on(tournament)
            check_playing(await scrape(port), hands=2)
            killed = hall.links[0]
            killed.process.kill()
            # No hand is void if the worker had just told the last one.
            await until(lambda: hall.links[0] is not killed)
            await play_on(tournament)
            check_playing(await scrape(port), hands=4)
            tournament.end()
            await until(lambda: tournament.complete)
            check_over(await scrape(port), tournament)


def check_playing(samples: dict[str, Any], hands: int) -> None:
    """Both tables play with all their players, and have played so many hands."""
    assert samples["casino_tables"] == 2
    assert (samples["casino_players{seated}"], samples["casino_players{away}"]) == (4, 0)
    assert samples["casino_hands_total"] >= hands
    # Replies are counted when a hand is on the disk, decisions also while it is played.
    assert 2 * hands <= samples["casino_reply_seconds_count"] <= samples["casino_decisions_total"]


def check_over(samples: dict[str, Any], tournament: Tournament) -> None:
    """The figures are those of the ledger; the void hand does not count, and is nobody's fault."""
    decisions = sum(player.decisions for player in tournament.players)
    assert samples["casino_hands_total"] == sum(table.finished for table in tournament.tables)
    assert samples["casino_decisions_total"] == samples["casino_reply_seconds_count"] == decisions
    assert samples["casino_reply_seconds_sum"] == pytest.approx(
        sum(player.reply_times.total for player in tournament.players)
    )
    faults = [samples[f"casino_faults_total{{{kind.value}}}"] for kind in FaultKind if kind is not FaultKind.REMOVED]
    assert not any(faults)

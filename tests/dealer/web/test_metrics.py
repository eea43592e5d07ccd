"""The metrics as Prometheus' own parser reads them, compared with the tournament."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from prometheus_client.parser import text_string_to_metric_families
from trio.testing import MockClock

from dealer.desk.desk import open_desk
from dealer.desk.metrics import REPLY_BOUNDS
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal, open_journal
from dealer.settings import Settings
from dealer.tournament.scene import Scene
from dealer.web.admin.stream_desk import open_stream_desk
from dealer.web.link import Place
from dealer.web.monitor import FRESH_SECONDS, monitor_routes
from protocol.games.stud import StudGame
from tests.bad_bots import replies
from tests.dealer.support.desks import asked_over_stream
from tests.dealer.support.http_routes import request, serve_routes
from tests.dealer.support.recorded import FileOnFullDisk, clients_by_chance
from tests.dealer.support.rig import HOST, SEED, good_clients, open_rig


@asynccontextmanager
async def monitored(scene: Scene, viewers: Callable[[], int] = lambda: 0) -> AsyncIterator[int]:
    """The port of a page at which a dealer's figures are asked for."""
    async with open_desk(scene, None) as desk, asked_over_stream(scene, desk) as far:
        async with serve_routes(monitor_routes(far, viewers)) as port:
            yield port


async def scrape(port: int) -> dict[str, Any]:
    """Every sample by name, or by name and labels where it has any."""
    reply = await request(port, "GET", "/metrics")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/plain")
    samples: dict[str, Any] = {}
    for family in text_string_to_metric_families(reply.body.decode()):
        assert family.documentation
        for sample in family.samples:
            label = "".join(f"{{{value}}}" for value in sample.labels.values())
            samples[sample.name + label] = sample.value
    return samples


SETTINGS = Settings(SEED, hands=20, game=StudGame(500), table_size=4)


async def test_figures_before_the_start(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS) as rig:
        scene = Scene(rig.opening, journal=Journal(None))
        async with monitored(scene, lambda: 3) as port:
            await rig.admit(*good_clients(2))
            samples = await scrape(port)
            assert samples["casino_lobby_players"] == 2
            assert samples["casino_viewers"] == 3
            assert samples["casino_hands_total"] == samples["casino_reply_seconds_count"] == 0
            assert "casino_feed_listeners" not in samples
            health = await request(port, "GET", "/healthz")
            assert (health.status, health.facts) == (200, {"status": "ok", "phase": "lobby", "tournament": 1})


async def test_figures_equal_the_standings(tmp_path: Path, tcp_clock: MockClock) -> None:
    path = tmp_path / "a.journal"
    async with open_journal(AppendFile.create(path)) as journal:
        async with open_rig(replace(SETTINGS, lives=3), journal=journal) as rig:
            scene = Scene(rig.opening, journal=journal, listeners=lambda: 7)
            async with monitored(scene) as port:
                await rig.admit(*clients_by_chance(6), replies.bets_too_much)
                scene.tournament = tournament = rig.begin()
                standings = await tournament.run()
                samples = await scrape(port)
                health = await request(port, "GET", "/healthz")
    decisions = sum(standing.player.decisions for standing in standings)
    assert samples["casino_hands_total"] == sum(table.finished for table in tournament.tables)
    assert samples["casino_decisions_total"] == samples["casino_reply_seconds_count"] == decisions
    kinds = Counter(fault.kind.value for standing in standings for fault in standing.player.faults)
    assert kinds["illegal"] > 0
    for kind in ("late", "malformed", "illegal", "gone", "quit"):
        assert samples[f"casino_faults_total{{{kind}}}"] == kinds[kind]
    out = sum(standing.player.left is not None for standing in standings)
    assert samples["casino_players{out}"] == out >= 1
    assert samples["casino_players{seated}"] == 7 - out
    assert samples["casino_players{away}"] == samples["casino_tables"] == samples["casino_lobby_players"] == 0
    assert samples["casino_journal_bytes"] == path.stat().st_size
    assert samples["casino_feed_listeners"] == 7
    assert samples["casino_journal_lag_seconds"] == samples["casino_journal_trouble"] == 0
    buckets = [samples[f"casino_reply_seconds_bucket{{{bound}}}"] for bound in REPLY_BOUNDS]
    assert buckets == sorted(buckets)
    assert samples["casino_reply_seconds_bucket{+Inf}"] == decisions
    assert health.facts == {"status": "ok", "phase": "ended", "tournament": 1}


async def test_health_reports_journal_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock
) -> None:
    monkeypatch.setattr("dealer.journal.writer.FORCE_SECONDS", 0.01)
    file = FileOnFullDisk.create(tmp_path / "a.journal")
    async with open_journal(file) as journal, open_rig(SETTINGS, journal=journal) as rig:
        scene = Scene(rig.opening, journal=journal)
        async with monitored(scene) as port, trio.open_nursery() as nursery:
            await rig.admit(*good_clients(2))
            scene.tournament = rig.begin()
            file.full = True
            nursery.start_soon(scene.tournament.run)
            while journal.trouble is None:
                await trio.sleep(0.05)
            await trio.sleep(2)
            health = await request(port, "GET", "/healthz")
            assert health.status == 503
            assert health.facts == {
                "status": "trouble",
                "phase": "playing",
                "tournament": 1,
                "reason": "the journal cannot be written (No space left on device)",
            }
            samples = await scrape(port)
            assert samples["casino_journal_lag_seconds"] >= 2
            assert samples["casino_journal_waiting_bytes"] > 100
            assert samples["casino_journal_trouble"] == 1
            file.full = False
            while journal.trouble is not None:
                await trio.sleep(0.05)
            await trio.sleep(FRESH_SECONDS)
            assert (await request(port, "GET", "/healthz")).status == 200
            nursery.cancel_scope.cancel()


async def test_metrics_are_cached_for_a_second(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS) as rig:
        asked = 0

        def viewers() -> int:
            nonlocal asked
            asked += 1
            return 0

        async with monitored(Scene(rig.opening), viewers) as port:
            for _ in range(5):
                await scrape(port)
            assert asked == 1
            await trio.sleep(FRESH_SECONDS)
            await scrape(port)
            assert asked == 2


async def test_a_dealer_that_is_gone_is_in_trouble(tcp_clock: MockClock) -> None:
    async with open_stream_desk(Place(HOST, 1), "x") as gone, serve_routes(monitor_routes(gone, lambda: 0)) as port:
        health = await request(port, "GET", "/healthz")
        assert (health.status, health.facts["status"]) == (503, "trouble")
        assert "there is no dealer at 127.0.0.1:1" in health.facts["reason"]
        assert (await request(port, "GET", "/metrics")).status == 503

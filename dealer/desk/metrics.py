"""The figures of one dealer for Prometheus, and whether it is well, counted when a page asks for them."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from dealer.faults import FaultKind
from dealer.journal.writer import Journal
from dealer.lobby.player import Player
from dealer.tournament.scene import Scene

#: Upper bounds in seconds of the buckets of reply times, from a bot on the same machine to a person.
REPLY_BOUNDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


def metrics(scene: Scene, viewers: int) -> bytes:
    """All figures as they are now, in the text format of Prometheus.

    Args:
        scene: of the dealer.
        viewers: browsers that watch the page.
    """
    registry = CollectorRegistry()
    registry.register(TournamentCollector(scene, viewers))
    return generate_latest(registry)


def health(scene: Scene) -> dict[str, Any]:
    """Whether the dealer is well, as values for JSON: its ``status`` is "ok", or "trouble" with a ``reason``."""
    facts = {"status": "ok", "phase": phase(scene), "tournament": scene.number}
    trouble = scene.journal and scene.journal.trouble
    return facts if trouble is None else {**facts, "status": "trouble", "reason": trouble}


def phase(scene: Scene) -> str:
    """The phase of the tournament: ``lobby``, ``playing`` or ``ended``."""
    if scene.tournament is None:
        return "lobby"
    return "ended" if scene.tournament.over else "playing"


class TournamentCollector(Collector):
    """All figures of one dealer, for a registry of prometheus_client."""

    def __init__(self, scene: Scene, viewers: int) -> None:
        self._scene = scene
        self._viewers = viewers

    def collect(self) -> Iterator[Metric]:
        """All figures as they are now."""
        tournament = self._scene.tournament
        players = tournament.players if tournament else ()
        hands = tournament.hands_finished if tournament else 0
        decisions = tournament.decisions if tournament else 0
        waiting = 0 if tournament else len(self._scene.lobby.players)
        tables, seating = (tournament.tables, tournament.ledger.seating) if tournament else ((), None)
        open_tables = sum(not seating.table_over(table) for table in tables) if seating else 0
        paused = tournament is not None and tournament.tempo.paused
        yield _gauge("casino_lobby_players", "Players who wait for the start.", waiting)
        yield CounterMetricFamily("casino_hands", "Hands finished at all tables.", value=hands)
        yield CounterMetricFamily("casino_decisions", "Questions answered.", value=decisions)
        yield _faults(players)
        yield _replies(players)
        yield _presence(players)
        yield _gauge("casino_tables", "Tables that still play.", open_tables)
        yield _gauge("casino_paused", "1 while the host pauses the tournament.", paused)
        yield _gauge("casino_viewers", "Browsers that watch the page.", self._viewers)
        if self._scene.listeners is not None:
            yield _gauge("casino_feed_listeners", "Programs that listen to the feed.", self._scene.listeners())
        if self._scene.journal is not None:
            yield from _of_journal(self._scene.journal)


def _of_journal(journal: Journal) -> Iterator[Metric]:
    lag = "Seconds since the oldest record that is not on the disk yet was made."
    yield _gauge("casino_journal_lag_seconds", lag, journal.lag)
    yield _gauge("casino_journal_waiting_bytes", "Bytes that are not on the disk yet.", journal.waiting_bytes)
    yield _gauge("casino_journal_bytes", "Bytes that are written.", journal.size)
    yield _gauge("casino_journal_trouble", "1 while the disk refuses the journal.", journal.trouble is not None)


def _gauge(name: str, help_: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help_, value=value)


def _faults(players: tuple[Player, ...]) -> Metric:
    """Faults by kind. Every kind is told from the start, because Prometheus needs a zero to see the first rise."""
    counts = Counter(fault.kind for player in players for fault in player.faults)
    metric = CounterMetricFamily("casino_faults", "Faults of programs.", labels=["kind"])
    for kind in FaultKind:
        if kind is not FaultKind.REMOVED:
            metric.add_metric([kind.value], counts[kind])
    return metric


def _replies(players: tuple[Player, ...]) -> Metric:
    """The histogram of reply times; Prometheus wants the count up to each bound, not between bounds."""
    spreads = [player.reply_times.spread(REPLY_BOUNDS) for player in players]
    counts = [sum(column) for column in zip(*[counts for counts, _ in spreads], strict=True)]
    buckets, so_far = [], 0
    for bound, count in zip((*REPLY_BOUNDS, float("inf")), counts or [0] * (len(REPLY_BOUNDS) + 1), strict=True):
        so_far += count
        buckets.append(("+Inf" if bound == float("inf") else str(bound), so_far))
    total = sum(seconds for _, seconds in spreads)
    return HistogramMetricFamily("casino_reply_seconds", "Time of replies, to 2 %.", buckets, total)


def _presence(players: tuple[Player, ...]) -> Metric:
    """Players by state: connected, away for now, or out."""
    metric = GaugeMetricFamily("casino_players", "Players of the tournament.", labels=["state"])
    out = sum(player.left is not None for player in players)
    seated = sum(player.left is None and player.seat is not None for player in players)
    for state, count in (("seated", seated), ("away", len(players) - out - seated), ("out", out)):
        metric.add_metric([state], count)
    return metric

"""A table at full speed while other processes flood the port of the page, or connect: nobody is late.

What a flood costs is judged by the dealer's processor time beyond that of its decisions. The attackers, the players and
other work on the machine share its cores, and what they take of a second no limit of the page could give back.
"""

import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import psutil
import pytest
import trio
from structlog.testing import capture_logs

from dealer.desk.desk import open_desk
from dealer.feed.port import open_feed
from dealer.hosting.page_process import open_page
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.lobby.listener import accept_players, open_listener
from dealer.lobby.lobby import Lobby
from dealer.net.watchdog import open_watchdog
from dealer.settings import Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from dealer.web.serving import PagePlace
from protocol.games.stud import StudGame
from tests.dealer.support.rig import HOST, SEED
from tests.patience import PATIENCE

PLAYERS = 6
PROCESSES = 8
SETTINGS = Settings(SEED, game=StudGame(10**9), hands=sys.maxsize, limit=30.0)


@dataclass(frozen=True)
class Speed:
    """How fast a table is played.

    Attributes:
        by_clock: decisions a second.
        by_processor: decisions in each second that the dealer's process ran.
    """

    by_clock: float
    by_processor: float


@dataclass(frozen=True)
class Flood:
    """What is measured: the speed without and with the flood."""

    quiet: Speed
    flooded: Speed

    @property
    def cost(self) -> float:
        """Seconds of the dealer's processor time that the flood takes in each second."""
        return self.flooded.by_clock * (1 / self.flooded.by_processor - 1 / self.quiet.by_processor)

    def __str__(self) -> str:
        quiet, flooded = self.quiet, self.flooded
        return (
            f"takes {self.cost:.0%} of a core; decisions a second {quiet.by_clock:,.0f} -> {flooded.by_clock:,.0f}, "
            f"in a second of the dealer's {quiet.by_processor:,.0f} -> {flooded.by_processor:,.0f}"
        )


async def speed(tournament: Tournament, decisions: int) -> Speed:
    """The speed from now on, in so many decisions or a few more."""
    before, began, worked = tournament.decisions, trio.current_time(), time.process_time()
    while tournament.decisions < before + decisions:
        await trio.sleep(0.01)
    decisions = tournament.decisions - before
    return Speed(decisions / (trio.current_time() - began), decisions / (time.process_time() - worked))


@asynccontextmanager
async def programs(count: int, *words: str) -> AsyncIterator[None]:
    """Equal Python processes, killed at the end of the block."""
    processes = []
    try:
        for _ in range(count):
            command = [sys.executable, *words]
            processes.append(await trio.lowlevel.open_process(command, stdin=subprocess.DEVNULL))
        yield
    finally:
        for process in processes:
            process.kill()
        with trio.CancelScope(shield=True):
            for process in processes:
                await process.wait()


@asynccontextmanager
async def playing() -> AsyncIterator[tuple[Tournament, int]]:
    """A tournament in progress, and the port of its page."""
    opening = NewTournament(SETTINGS, PLAYERS)
    scene = Scene(opening)
    async with (
        open_watchdog() as watchdog,
        open_desk(scene, None) as desk,
        open_feed(scene, HOST, None, desk) as feed,
        open_page(scene, PagePlace(HOST, 0), print, feed, desk),
        trio.open_nursery() as nursery,
    ):
        listener = await open_listener(HOST, 0, SETTINGS.limit)
        nursery.start_soon(accept_players, listener, opening.lobby, watchdog)
        async with programs(1, "-m", "dealer.bench.measure", HOST, str(listener.port), str(PLAYERS), "text"):
            while len(opening.lobby.players) < PLAYERS:
                await opening.lobby.changed()
            scene.journal = Journal(None)
            scene.tournament = tournament = opening.begin(scene.journal, opening.lobby.players, None)
            tournament.heed_stalls(watchdog.stalls)
            nursery.start_soon(tournament.run)
            assert scene.page_port is not None
            async with feed.feed.telling(scene.journal):
                yield tournament, scene.page_port
            nursery.cancel_scope.cancel()


async def flood(kind: str, connections: int, decisions: int) -> Flood:
    """Measure, in so many decisions without the flood and so many with it; ``connections`` in all processes."""
    async with playing() as (tournament, port):
        await trio.sleep(0.5)
        quiet = await speed(tournament, decisions)
        words = (kind, HOST, str(port), str(max(connections // PROCESSES, 1)), str(PATIENCE))
        async with programs(PROCESSES, "-m", "tests.drills.page_attackers", *words):
            await trio.sleep(2.0)  # until all of them have begun
            flooded = await speed(tournament, decisions)
        assert [player.faults for player in tournament.players] == [[] for _ in range(PLAYERS)]
    return Flood(quiet, flooded)


FLOODS = [
    ("idle", 1360),
    ("reset", 20),
    ("reset", 160),
    ("upgrade", 160),
    ("get", 160),
    ("connect", 160),
    ("pipeline", 160),
    ("trickle", 160),
]


@pytest.mark.skipif(sys.platform == "win32", reason="attackers step back with nice")
@pytest.mark.parametrize("kind", ["idle", "get"])
async def test_short_flood_makes_nobody_late(kind: str) -> None:
    """What is left for play is measured by the heavy tests."""
    await flood(kind, 160, 1000)


@pytest.mark.heavy
@pytest.mark.skipif(sys.platform == "win32", reason="attackers step back with nice")
@pytest.mark.parametrize(("kind", "connections"), FLOODS)
async def test_play_goes_on_in_a_flood_of_the_page(
    kind: str, connections: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = await flood(kind, connections, 50_000)
    with capsys.disabled():
        print(f"\n{kind}, {connections} connections: {found}")


SECONDS = 3.0

FLOOD = """
import socket, sys
socks = []
while True:
    sock = socket.socket()
    sock.setblocking(False)
    sock.connect_ex((sys.argv[1], int(sys.argv[2])))
    socks.append(sock)
    if len(socks) == 500:
        for sock in socks:
            sock.close()
        socks = []
"""


async def decisions_a_second(tournament: Tournament) -> float:
    """Decisions a second, from now on for a while."""
    before, began = tournament.decisions, trio.current_time()
    await trio.sleep(SECONDS)
    return (tournament.decisions - before) / (trio.current_time() - began)


@pytest.mark.heavy
@pytest.mark.skipif(sys.platform == "win32", reason="counts file descriptors")
async def test_connection_flood_slows_a_table_little(capsys: pytest.CaptureFixture[str]) -> None:
    lobby = Lobby(2)
    async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
        listener = await open_listener(HOST, 0, SETTINGS.limit)
        nursery.start_soon(accept_players, listener, lobby, watchdog)
        async with programs(1, "-m", "dealer.bench.measure", HOST, str(listener.port), "2", "text"):
            while len(lobby.players) < 2:
                await lobby.changed()
            tournament = Tournament(Ledger(SETTINGS, lobby.close(lambda: "too late")), Journal(None))
            nursery.start_soon(tournament.run)
            with capture_logs() as lines:
                quiet = await decisions_a_second(tournament)
                before = psutil.Process().num_fds()
                async with programs(1, "-c", FLOOD, HOST, str(listener.port)):
                    await trio.sleep(0.5)
                    flooded = await decisions_a_second(tournament)
                with trio.fail_after(PATIENCE):  # the connections that had queued are accepted first
                    while psutil.Process().num_fds() > before:
                        await trio.sleep(0.1)
            assert [player.faults for player in tournament.players] == [[], []]
            nursery.cancel_scope.cancel()
    with capsys.disabled():
        print(f"\ndecisions a second: {quiet:,.0f} before, {flooded:,.0f} in the flood; {len(lines)} log lines")
    assert len(lines) < 50

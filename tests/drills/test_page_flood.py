"""A table at full speed while other processes flood the port of the page, or connect: nobody is late.

The attackers, the players and the page share the machine's cores with the dealer, and what they take of a second no
limit of the page could give back. So a flood of the page is compared with the same flood at the page of another dealer,
which is an unrelated server: what a decision takes of the dealer's processor is to be the same.
"""

import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from statistics import median

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
from dealer.settings import OpenPorts, Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from dealer.web.serving import PagePlace
from protocol.games.stud import StudGame
from tests.dealer.support.rig import HOST, SEED
from tests.dealer.support.stage import Watch
from tests.patience import PATIENCE

PLAYERS = 6
PROCESSES = 8
SETTINGS = Settings(SEED, game=StudGame(10**9), hands=sys.maxsize, limit=30.0)


async def cost(tournament: Tournament, decisions: int) -> float:
    """Microseconds of the dealer's processor time for each of so many decisions from now on, or a few more."""
    before, worked = tournament.decisions, time.process_time()
    while tournament.decisions < before + decisions:
        await trio.sleep(0.01)
    return 1e6 * (time.process_time() - worked) / (tournament.decisions - before)


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
async def served(scene: Scene) -> AsyncIterator[int]:
    """The page of a dealer in its own process; its port."""
    async with (
        open_desk(scene, None) as desk,
        open_feed(scene, HOST, None, desk) as feed,
        open_page(scene, PagePlace(HOST, 0), print, feed, desk),
    ):
        assert scene.page_port is not None
        assert scene.journal is not None
        async with feed.feed.telling(scene.journal):
            yield scene.page_port


@asynccontextmanager
async def playing() -> AsyncIterator[tuple[Tournament, int, int]]:
    """A tournament in progress, the port of its page, and that of another dealer's page."""
    opening = NewTournament(SETTINGS, PLAYERS)
    async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
        listener = await open_listener(HOST, 0, SETTINGS.limit)
        ports = OpenPorts(HOST, {"people_port": listener.port})
        scene = Scene(opening, journal=Journal(None), ports=ports)
        other = Scene(NewTournament(SETTINGS, PLAYERS), journal=Journal(None), ports=ports)
        nursery.start_soon(accept_players, listener, opening.lobby, watchdog)
        async with programs(1, "-m", "dealer.bench.measure", HOST, str(listener.port), str(PLAYERS), "text"):
            while len(opening.lobby.players) < PLAYERS:
                await opening.lobby.changed()
            async with served(scene) as port, served(other) as other_port:
                assert scene.journal is not None
                scene.tournament = tournament = opening.begin(scene.journal, opening.lobby.players, None)
                tournament.heed_stalls(watchdog.stalls)
                nursery.start_soon(tournament.run)
                await watch_once(port, other_port)
                yield tournament, port, other_port
                assert [player.faults for player in tournament.players] == [[] for _ in range(PLAYERS)]
                nursery.cancel_scope.cancel()


async def watch_once(*ports: int) -> None:
    """Wait until pages are served."""
    watch = Watch()
    for port in ports:
        await (await watch(port)).until_named("scene")
    await watch.close()


@asynccontextmanager
async def flood(kind: str, port: int, connections: int) -> AsyncIterator[None]:
    """Attack a page while the block runs, with so many connections in all processes."""
    words = (kind, HOST, str(port), str(max(connections // PROCESSES, 1)), str(PATIENCE))
    async with programs(PROCESSES, "-m", "tests.drills.page_attackers", *words):
        await trio.sleep(1.0)  # until all of them have begun
        yield


async def longest_wait(port: int, seconds: float) -> float:
    """The longest time, within so many seconds, from one message to the next of a viewer on the dealer's machine."""
    watch, waits = Watch(), [0.0]
    viewer, last = await watch(port), trio.current_time()
    with trio.move_on_after(seconds):
        while True:
            await viewer.next_events()
            waits.append(trio.current_time() - last)
            last = trio.current_time()
    await watch.close()
    return max(waits)


FLOODS = [
    ("idle", 1600),
    ("socket", 500),
    ("reset", 160),
    ("upgrade", 160),
    ("get", 160),
    ("connect", 160),
    ("pipeline", 160),
    ("trickle", 160),
]

#: Floods of each of the two pages that are compared.
PAIRS = 10


@pytest.mark.skipif(sys.platform == "win32", reason="attackers step back with nice")
@pytest.mark.parametrize("kind", ["idle", "get"])
async def test_short_flood_makes_nobody_late(kind: str) -> None:
    """What it costs is measured by the heavy tests."""
    async with playing() as (tournament, port, _), flood(kind, port, 160):
        await cost(tournament, 1000)


@pytest.mark.heavy
@pytest.mark.skipif(sys.platform == "win32", reason="attackers step back with nice")
@pytest.mark.parametrize(("kind", "connections"), FLOODS)
async def test_flood_of_the_page_costs_the_dealer_what_one_beside_it_costs(
    kind: str, connections: int, capsys: pytest.CaptureFixture[str]
) -> None:
    ratios: list[float] = []
    async with playing() as (tournament, port, other):
        for number in range(PAIRS):
            costs = {}
            for place in (port, other) if number % 2 else (other, port):
                async with flood(kind, place, connections):
                    costs[place] = await cost(tournament, 6000)
            ratios.append(costs[port] / costs[other])
        async with flood(kind, port, connections):
            waited = await longest_wait(port, 10.0)
    with capsys.disabled():
        print(
            f"\n{kind}, {connections} connections: the dealer's processor a decision {median(ratios):.3f} times "
            f"({min(ratios):.3f} to {max(ratios):.3f}); a projector waits {waited:.1f} s at most"
        )


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

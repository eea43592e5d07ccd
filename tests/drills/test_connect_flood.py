"""A table at full speed while a process at the same address connects as fast as it can."""

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psutil
import pytest
import trio
from structlog.testing import capture_logs

from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.lobby.listener import accept_players, open_listener
from dealer.lobby.lobby import Lobby
from dealer.net.watchdog import open_watchdog
from dealer.settings import Settings
from dealer.tournament.tournament import Tournament
from protocol.games.stud import StudGame
from tests.dealer.support.rig import HOST, SEED
from tests.patience import PATIENCE

SECONDS = 3.0
SETTINGS = Settings(SEED, game=StudGame(10**9), hands=sys.maxsize, limit=30.0)

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


@asynccontextmanager
async def running(*words: str) -> AsyncIterator[None]:
    """A Python program, killed at the end of the block."""
    process = await trio.lowlevel.open_process([sys.executable, *words], stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


async def speed(tournament: Tournament) -> float:
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
        async with running("-m", "dealer.bench.measure", HOST, str(listener.port), "2", "text"):
            while len(lobby.players) < 2:
                await lobby.changed()
            tournament = Tournament(Ledger(SETTINGS, lobby.close(lambda: "too late")), Journal(None))
            nursery.start_soon(tournament.run)
            with capture_logs() as lines:
                quiet = await speed(tournament)
                before = psutil.Process().num_fds()
                async with running("-c", FLOOD, HOST, str(listener.port)):
                    await trio.sleep(0.5)
                    flooded = await speed(tournament)
                with trio.fail_after(PATIENCE):  # the connections that had queued are accepted first
                    while psutil.Process().num_fds() > before:
                        await trio.sleep(0.1)
            assert [player.faults for player in tournament.players] == [[], []]
            nursery.cancel_scope.cancel()
    with capsys.disabled():
        print(f"\ndecisions a second: {quiet:,.0f} before, {flooded:,.0f} in the flood; {len(lines)} log lines")
    assert len(lines) < 50

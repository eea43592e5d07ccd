"""A dealer that stands still (SIGSTOP) while 24 players log in and play: none of them is late or leaves."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.rig import Client, good_clients
from tests.drills.dealer import MANY, SERVE, ports
from tests.end_to_end.casino import Running, run, start

PLAYERS = 24
#: Seconds within which a reply is due: far more than these players need on a busy machine, and less than each stop.
#: With a limit of 1 s, players on a machine with 16 programs for each core were late.
LIMIT = 10.0
#: While they log in, and while they play.
STOPS = (10.5, 12.0)
HANDS_BETWEEN = 20

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a process can be stopped by a signal on POSIX only")


async def stand_still(running: Running, seconds: float) -> None:
    running.process.send_signal(signal.SIGSTOP)
    await trio.sleep(seconds)
    running.process.send_signal(signal.SIGCONT)


async def connect(client: Client, port: int, finished: list[Client]) -> None:
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await client.play(stream)
    finished.append(client)


@pytest.mark.long
async def test_dealer_that_stands_still_loses_no_player(tmp_path: Path) -> None:
    clients, finished, journal = good_clients(PLAYERS), list[Client](), tmp_path / "j"
    words = ("--seats", str(PLAYERS), "--table-size", "8", "--hands", MANY, "--stack", MANY, "--limit", str(LIMIT))
    async with start(*SERVE, *words, "--journal", journal, stdin=subprocess.DEVNULL) as running:
        port, _ = await ports(running)
        async with trio.open_nursery() as nursery:
            for client in clients:
                nursery.start_soon(connect, client, port, finished)
                if client is clients[PLAYERS // 2]:
                    # The others connect and log in while the dealer does not run; these have just been asked.
                    await stand_still(running, STOPS[0])
            hands = len(clients[0].statuses)
            while len(clients[0].statuses) < hands + HANDS_BETWEEN:
                await trio.sleep(0.05)
            await stand_still(running, STOPS[1])
            hands = len(clients[0].statuses)
            while len(clients[0].statuses) < hands + HANDS_BETWEEN:
                await trio.sleep(0.05)
            running.process.send_signal(signal.SIGINT)
        outcome = await running.ended()
    assert len(finished) == PLAYERS
    standings = json.loads(outcome.out)["standings"]
    assert {standing["id"]: standing["faults"] for standing in standings} == {client.name.id: [] for client in clients}
    assert all(standing["left"] is None for standing in standings)
    stalls = [told["seconds"] for told in read_raw(journal) if told["type"] == "stall"]
    assert [seconds for seconds in stalls if seconds > LIMIT]
    assert b"stood still" in running.err
    assert (await run("verify", journal)).code == 0

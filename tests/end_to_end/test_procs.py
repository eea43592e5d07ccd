"""``--procs``: tables in worker processes, and what becomes of a hand, a seat and a chip when one of them is killed."""

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
import trio

from dealer.journal.records import read_journal
from tests.bad_bots.peer import Peer
from tests.drills.surviving import check_chips_and_numbers, examine
from tests.end_to_end.casino import Running, run, start
from tests.end_to_end.hosted import PORTS, finish, first_asked, open_peer
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot hand sockets over")

SERVE = ("serve", "stud", *PORTS, "--no-page", "--hands", "5", "--procs", "2", "--seats", "2")


def workers(running: Running) -> list[psutil.Process]:
    """The worker processes of a dealer."""
    children = psutil.Process(running.process.pid).children()
    return [child for child in children if "dealer.workers" in child.cmdline()]


async def kill_worker(running: Running) -> None:
    """Kill the worker of the only table, and wait until the dealer has noticed."""
    # Which of the two plays the table: the one that was started first.
    min(workers(running), key=lambda process: process.pid).kill()
    await running.complaint_with("worker ended")


def hands_of(journal: Path) -> dict[int, list[Any]]:
    """All that a seed and the programs decide, by table."""
    hands: dict[int, list[Any]] = {}
    for record in read_journal(journal):
        if record["type"] == "hand":
            facts = [record[name] for name in ("hand", "players", "deck", "stacks", "pot", "payoffs", "faults")]
            acts = [act[:2] for act in record["actions"]]
            hands.setdefault(record["table"], []).append([*facts, acts])
    return hands


async def test_the_same_hands_with_processes_as_without(tmp_path: Path) -> None:
    """Tables of a round robin exchange no players, so everything follows from the seed."""
    journals = [tmp_path / "one.journal", tmp_path / "two.journal"]
    for procs, journal in enumerate(journals, 1):
        bots = ("dice-adaptive", "dice-equilibrium", "caller")
        words = ("--hands", "12", "--seed", "a", "--limit", "60", "--journal", journal, "--procs", str(procs), "--json")
        outcome = await run("league", "dice", *bots, *words)
        assert outcome.code == 0, outcome.err
    assert hands_of(journals[0]) == hands_of(journals[1])
    assert sum(map(len, hands_of(journals[0]).values())) == 36


@dataclass
class Stage:
    """A dealer with one table in a worker process.

    Attributes:
        running: the dealer.
        peers: its two players.
        journal: of the tournament.
    """

    running: Running
    peers: tuple[Peer, Peer]
    journal: Path

    async def play_on(self) -> None:
        """Play to the end."""
        await finish(self.running, *self.peers)

    def check(self, voided: int, hands: int = 5) -> None:
        """Nobody lost a chip or a seat, and so many hands were voided."""
        found = examine(self.journal)
        check_chips_and_numbers(found)
        assert found.rebuild.ended
        assert (found.counts["void"], found.counts["hand"], found.counts["out"]) == (voided, hands, 0)
        assert [player.faults for player in found.rebuild.ledger.players] == [[], []]
        assert [peer.done is not None for peer in self.peers] == [True, True]


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with staged(tmp_path) as stage:
        yield stage


@asynccontextmanager
async def staged(folder: Path, *flags: str, limit: str = "30") -> AsyncIterator[Stage]:
    journal = folder / "procs.journal"
    async with start(*SERVE, *flags, "--limit", limit, "--journal", journal, stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            yield Stage(running, (a, b), journal)


async def test_kill_worker_while_question_is_open(stage: Stage) -> None:
    """The reply comes when nobody waits for it any more. It answers no later question."""
    asked = await first_asked(*stage.peers)
    await kill_worker(stage.running)
    await asked.say("bet:0")
    await stage.play_on()
    stage.check(voided=1)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what another process has read")
async def test_kill_worker_when_half_a_reply_has_come(stage: Stage) -> None:
    asked = await first_asked(*stage.peers)
    reply = asked.framing.encode("bet:0")
    await asked.send(reply[:3])
    worker = min(workers(stage.running), key=lambda process: process.pid)
    while not _has_read(asked, worker):
        await trio.sleep(0)
    await kill_worker(stage.running)
    await asked.send(reply[3:])
    await stage.play_on()
    stage.check(voided=1)


def _has_read(peer: Peer, worker: psutil.Process) -> bool:
    """Whether the worker sleeps again, and nothing lies in its socket."""
    assert isinstance(peer.stream, trio.SocketStream)
    port = peer.stream.socket.getsockname()[1]
    lines = Path(f"/proc/{worker.pid}/net/tcp").read_text().splitlines()[1:]
    fields = [line.split() for line in lines]
    (unread,) = [int(words[4].split(":")[1], 16) for words in fields if words[2].endswith(f":{port:04X}")]
    return unread == 0 and worker.status() == psutil.STATUS_SLEEPING


async def test_stopped_worker_costs_no_player_its_seat(tmp_path: Path) -> None:
    """Every player gets the time back for which the system did not let the worker run."""
    async with staged(tmp_path, limit="3") as stage:
        worker = min(workers(stage.running), key=lambda process: process.pid)
        asked = await first_asked(*stage.peers)
        worker.suspend()
        await trio.sleep(4)  # longer than the limit: this is what is tested
        worker.resume()
        await asked.say("bet:0")
        await stage.running.complaint_with("stood still")
        await stage.play_on()
        stage.check(voided=0)
    assert examine(stage.journal).counts["stall"]


async def test_workers_end_with_their_dealer(tmp_path: Path) -> None:
    """And the tournament is resumed with another number of them."""
    async with staged(tmp_path) as stage:
        await first_asked(*stage.peers)
        left = workers(stage.running)
        left[0].suspend()
        stage.running.process.kill()
        _, alive = await trio.to_thread.run_sync(psutil.wait_procs, left, PATIENCE)
        assert not alive
    async with start("resume", stage.journal, "--procs", "3", "--port", "0", "--line-port", "0") as running:
        port = await running.port()
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            await finish(running, a, b)
    assert examine(stage.journal).counts["void"] == 1


async def call_to_the_end(peer: Peer) -> None:
    """So that both are asked in every hand."""
    while (question := await peer.hear_question()) is not None:
        await peer.say(f"bet:{question[3]}")
    await peer.stream.aclose()


async def test_player_comes_back_in_the_middle_of_a_hand(tmp_path: Path) -> None:
    """It plays on with the new connection, whether or not the worker hears of that before its next turn."""
    async with staged(tmp_path, "--rejoin", "60") as stage:
        first = await first_asked(*stage.peers)
        other = next(peer for peer in stage.peers if peer is not first)
        name = "b:B" if other is stage.peers[1] else "a:A"
        await other.stream.aclose()
        async with open_peer(await stage.running.port(), name) as back:
            await stage.running.complaint_with("back")
            await first.say("bet:0")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(call_to_the_end, first)
                nursery.start_soon(call_to_the_end, back)
            assert (await stage.running.ended()).code == 0
            assert any(text.startswith("bet") for text in back.heard)
            assert (back.done or "").startswith("the tournament is over")
    found = examine(stage.journal)
    assert (found.counts["back"], found.counts["void"], found.counts["out"]) == (1, 0, 0)
    # At most one loss of a connection is told: that of the first one, before its player is back.
    assert found.counts["away"] <= 1
    assert found.counts["hand"] == 5

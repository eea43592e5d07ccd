"""The dealer of a league or of a hosted tournament is killed: nothing that was told is lost or played twice."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from tests.drills.killer import CHANGES
from tests.drills.killing import LeagueDrill, PurposeDrill, purpose_drill
from tests.drills.surviving import check_chips_and_numbers, examine, written
from tests.end_to_end.casino import Running, casino, run, start
from tests.end_to_end.hosted import held_ports, open_peer
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


async def survive(drill: LeagueDrill, kills: int) -> None:
    for _ in range(kills):
        await drill.kill_once()
    await drill.play_to_the_end()
    print(drill.report())


async def test_a_league_survives_its_dealers_death(tmp_path: Path) -> None:
    drill = LeagueDrill(tmp_path, hands=100, stack=5000, seed=3)
    await survive(drill, 2)
    assert drill.kills["playing"]


MANY = {
    "antes that rise": ("--table-size", "4", "--levels", "300"),
    "a series": ("--table-size", "5", "--levels", "10", "--series", "8"),
    "pairs": ("--format", "round-robin"),
}


@pytest.mark.heavy
@pytest.mark.parametrize("agreed", MANY.values(), ids=MANY.keys())
async def test_a_league_at_many_tables_survives_its_dealers_deaths(agreed: tuple[str, ...], tmp_path: Path) -> None:
    drill = LeagueDrill(tmp_path, hands=1000, stack=5000, seed=5, agreed=agreed)
    await survive(drill, 8)
    assert drill.kills["playing"]


@pytest.mark.heavy
async def test_a_league_survives_a_hundred_deaths_of_its_dealer(tmp_path: Path) -> None:
    drill = LeagueDrill(tmp_path, hands=4000, stack=100_000, seed=1)
    await survive(drill, 100)
    assert drill.found.counts["resume"] > 30
    assert drill.bitten


async def survive_players(drill: PurposeDrill, changes: list[str]) -> None:
    for change in changes:
        if not drill.found.counts["end"]:
            await drill.kill_at(change)
    if not drill.found.counts["end"]:
        await drill.play_to_the_end()
    print(drill.report())


async def test_nobody_gets_the_same_cards_again_after_a_kill_at_a_move(tmp_path: Path) -> None:
    drill = purpose_drill(tmp_path, seed=2)
    await survive_players(drill, ["move", "move"])
    assert drill.compared


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(4))
async def test_nobody_gets_the_same_cards_again_after_kills_on_purpose(seed: int, tmp_path: Path) -> None:
    drill = purpose_drill(tmp_path, seed=seed)
    await survive_players(drill, [*CHANGES, "move"] * 5)
    assert drill.compared


BOTS = {"a": "caller", "b": "tight", "c": "maniac", "d": "pair-or-fold"}
SERVE = (
    *("serve", "stud", "--host", "127.0.0.1", "--limit", "30", "--no-page"),
    *("--stack", "100000", "--seed", "hosted drill"),
)


@pytest.fixture
def ports() -> Iterator[list[str]]:
    with held_ports("--port", "--line-port") as held:
        yield held


@asynccontextmanager
async def bots(port: int, ids: str) -> AsyncIterator[dict[str, trio.Process]]:
    """House bots in processes of their own, which have ended by themselves at the end of the block."""
    processes = {
        id: await trio.lowlevel.open_process(
            casino("bot", BOTS[id], "127.0.0.1", str(port), "--id", id, "--avatar", id.upper()),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for id in ids
    }
    try:
        yield processes
        with trio.fail_after(PATIENCE):
            for process in processes.values():
                await process.wait()
    finally:
        for process in processes.values():
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()


async def kill_at_play(journal: Path, port: int, ids: str, running: Running) -> None:
    """Let players play a few hands, kill their dealer, and see them end.

    The last of the ids is a player whose moves the test makes. The dealer waits for its reply, however busy the machine
    is, and dies while it has other things to do: right after a reply.
    """
    enough = written(journal) + 5000
    async with bots(port, ids[:-1]) as processes, open_peer(port, f"{ids[-1]}:{ids[-1].upper()}") as peer:
        while (question := await peer.hear_question()) and written(journal) < enough:
            await peer.say(f"bet:{question[3]}")
        assert question
        await peer.say(f"bet:{question[3]}")
        running.process.kill()
        await running.process.wait()
        for process in processes.values():
            assert await process.wait() == 1  # and said that the dealer had closed the connection


async def test_hosted_tournament_goes_on_with_returning_players(ports: list[str], tmp_path: Path) -> None:
    journal = tmp_path / "hosted.journal"
    words: tuple[str | Path, ...] = (*SERVE, *ports, "--seats", "4", "--hands", "400", "--journal", journal)
    async with start(*words, stdin=subprocess.DEVNULL) as running:
        port, line_port = await running.port("address 127.0.0.1"), await running.port("lines of text")
        await kill_at_play(journal, port, "abcd", running)
    before = examine(journal)
    check_chips_and_numbers(before)

    async with start("resume", journal, "--wait", "0.01", stdin=subprocess.DEVNULL) as running:
        assert await running.port("address 127.0.0.1") == port
        assert await running.port("lines of text") == line_port
        waiting = await running.line_with("Players who are expected back: ")
        assert sorted(waiting.strip(".").removeprefix("Players who are expected back: ").split(", ")) == [
            "A (id a)",
            "B (id b)",
            "C (id c)",
            "D (id d)",
        ]
        async with open_peer(port, "stranger:S") as stranger:
            await stranger.hear_out()
        assert stranger.done == "this tournament is played on by those who were in it"
        refused = await run("resume", journal)
        assert (refused.code, refused.complaint) == (
            1,
            [f"casino: another dealer is writing {journal}; stop it first"],
        )
        async with bots(port, "ab"):
            outcome = await running.ended()
    assert outcome.code == 0
    after = examine(journal)
    assert after.whole.startswith(before.whole)
    assert after.rebuild.ended
    check_chips_and_numbers(after)
    too_late = "you are out: you did not come back when the dealer did"
    left = {player.id: player.left for player in after.rebuild.ledger.players}
    assert left == {"a": None, "b": None, "c": too_late, "d": too_late}
    assert after.hands[-1].number == 401  # one did not count
    verified = await run("verify", journal, "--json")
    facts = json.loads(verified.out)
    assert (facts["hands"], facts["voided"], facts["resumed"], facts["faults"]) == (400, 1, 1, 0)


async def test_a_dealer_may_die_twice_and_take_the_same_seats_again(ports: list[str], tmp_path: Path) -> None:
    journal = tmp_path / "twice.journal"
    words: tuple[str | Path, ...] = (*SERVE, *ports, "--seats", "2", "--hands", "300", "--journal", journal)
    async with start(*words, stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        await kill_at_play(journal, port, "ab", running)
    async with start("resume", journal, stdin=subprocess.DEVNULL) as running:
        await running.line_with("Players who are expected back: ")
        await kill_at_play(journal, port, "ab", running)
    async with start("resume", journal, stdin=subprocess.DEVNULL) as running:
        await running.line_with("Players who are expected back: ")
        async with bots(port, "ab"):
            assert (await running.ended()).code == 0
    evidence = examine(journal)
    check_chips_and_numbers(evidence)
    assert evidence.counts["hand"] == 300
    assert evidence.hands[-1].number == 302


async def test_only_returning_player_wins_when_host_stops_waiting(ports: list[str], tmp_path: Path) -> None:
    journal = tmp_path / "alone.journal"
    words: tuple[str | Path, ...] = (*SERVE, *ports, "--seats", "2", "--hands", "100000", "--journal", journal)
    async with start(*words, stdin=subprocess.DEVNULL) as running:
        port = await running.port("address 127.0.0.1")
        await kill_at_play(journal, port, "ab", running)
    async with start("resume", journal, stdin=subprocess.PIPE) as running, bots(port, "a"):
        await running.line_with("+ A (1 here)")
        assert running.process.stdin is not None
        await running.process.stdin.send_all(b"\n")
        await running.line_with("The tournament goes on with one player.")
        outcome = await running.ended()
    assert outcome.code == 0
    verified = await run("verify", journal, "--json")
    assert json.loads(verified.out)["finished"]

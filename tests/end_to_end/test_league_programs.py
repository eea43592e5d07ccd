"""``casino league`` and programs that do not do what they should, or a host who wants to stop."""

import json
import shlex
import signal
import sys
from pathlib import Path

import psutil
import pytest
import trio

from tests.closings import play_of
from tests.end_to_end.casino import run, start
from tests.end_to_end.guest import open_guest
from tests.patience import PATIENCE

PYTHON = shlex.quote(sys.executable)
MANY = "1000000"
#: Some hands, and seconds for a reply that a busy machine keeps.
FEW = ("--hands", "5", "--limit", "60")
BAD_BOTS = f"{PYTHON} -m tests.bad_bots"
ENDLESS = ("league", "stud", "caller", "tight", "--hands", MANY, "--stack", MANY, "--seed", "x", "--limit", "1000")


def bot_that(code: str) -> str:
    """A program that does ``code`` instead of playing."""
    return f"{PYTHON} -c {shlex.quote(code)} {{port}}"


async def test_program_that_dies_at_start_is_reported_with_its_output() -> None:
    dead = bot_that("import sys; [print(f'line {n}', file=sys.stderr) for n in range(20)]; sys.exit(3)")
    outcome = await run("league", "stud", "caller", "tight", "--bot-cmd", dead, *FEW, "--json")
    facts = json.loads(outcome.out)
    assert outcome.code == 1
    assert sorted(standing["id"] for standing in facts["standings"]) == ["caller", "tight"]
    (failure,) = facts["failures"]
    assert failure["what"] == "ended with exit code 3 before it logged in"
    assert failure["stderr"] == [f"line {number}" for number in range(12, 20)]
    assert outcome.complaint[0] == f"{dead}: ended with exit code 3 before it logged in"
    assert outcome.complaint[-1] == "    line 19"


async def test_program_whose_login_fails_is_not_waited_for() -> None:
    connect = "import socket, sys, time; s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))"
    guest = bot_that(f"{connect}; s.recv(7); s.sendall(b'\\0\\3bad'); time.sleep(1000)")
    outcome = await run("league", "stud", "caller", "tight", "--bot-cmd", guest, *FEW, "--json")
    assert outcome.code == 1
    (failure,) = json.loads(outcome.out)["failures"]
    assert failure["what"] == "got no seat: expected '<id>:<avatar>', got 'bad'"
    assert 'event="login failed: malformed"' in outcome.err


async def test_missing_program_is_reported_and_others_play() -> None:
    words = ("league", "stud", "caller", "tight", "--bot-cmd", "no-such-program {port}", *FEW)
    outcome = await run(*words)
    assert outcome.code == 1
    assert outcome.complaint == ["no-such-program {port}: could not be started: No such file or directory"]
    assert "Caller" in outcome.out


async def test_league_needs_two_programs_that_log_in() -> None:
    outcome = await run("league", "stud", "caller", "--bot-cmd", "no-such-program {port}")
    assert outcome.code == 1
    assert outcome.complaint[-1] == "No tournament: fewer than two bots logged in."


@pytest.mark.parametrize(
    ("code", "what"),
    [("import os; os.kill(os.getpid(), 9)", "ended with exit code -9"), ("", "left before it was told done:")],
)
async def test_program_that_dies_during_play_makes_the_exit_code_1(code: str, what: str) -> None:
    play = "import socket, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))"
    guest = bot_that(f"{play}; s.recv(7); s.sendall(b'\\0\\7bad:Bad'); s.recv(9); {code}")
    words = ("league", "stud", "caller", "--bot-cmd", guest, *FEW, "--json")
    outcome = await run(*words)
    assert outcome.code == 1
    assert [failure["what"] for failure in json.loads(outcome.out)["failures"]] == [what]


async def test_one_guest_alone_meets_house_bots() -> None:
    guest = f"{PYTHON} -m dealer.main bot random {{host}} {{port}} --id guest"
    outcome = await run("league", "stud", "--bot-cmd", guest, "--players", "2", *FEW, "--json")
    assert outcome.code == 0
    assert sorted(standing["id"] for standing in json.loads(outcome.out)["standings"]) == ["guest", "stud", "tight"]


async def test_misbehaving_program_is_out_and_results_say_why() -> None:
    guest = f"{BAD_BOTS} malformed {{host}} {{port}}"
    outcome = await run("league", "stud", "caller", "tight", "--bot-cmd", guest, *FEW)
    assert outcome.code == 0
    assert "event=fault" in outcome.err
    assert "Bad: expected 'fold' or 'bet:<chips>', got 'call'" in outcome.out


@pytest.mark.long
async def test_program_that_never_reads_is_stopped() -> None:
    guest = f"{BAD_BOTS} never_reads {{host}} {{port}}"
    outcome = await run(
        *("league", "stud", "caller", "tight", "--bot-cmd", guest, "--hands", "20", "--limit", "10", "--json")
    )
    facts = json.loads(outcome.out)
    faults = {standing["id"]: [fault["kind"] for fault in standing["faults"]] for standing in facts["standings"]}
    assert faults == {"caller": [], "tight": [], "bad": ["late"]}
    assert facts["hands"] == 20
    assert [failure["what"] for failure in facts["failures"]] == ["did not end by itself"]


async def test_first_interrupt_finishes_hand_and_prints_standings(tmp_path: Path) -> None:
    journal = tmp_path / "stopped.journal"
    async with open_guest() as guest, start(*ENDLESS, "--bot-cmd", guest.command, "--journal", journal) as running:
        peer = await guest.log_in()
        assert await peer.hear_question()
        running.process.send_signal(signal.SIGINT)
        await running.complaint_with("Stopping after this hand; interrupt again to stop at once.")
        await peer.say("fold")
        await peer.hear_out()
        await guest.end()
        outcome = await running.ended()
    assert outcome.code == 0
    assert peer.done is not None
    assert peer.done.startswith("the tournament is over")
    assert "Standings" in outcome.out
    assert "1 hand\n" in outcome.out
    assert "the same cards again: --seed x" in outcome.out
    records = play_of(journal)
    assert [record["type"] for record in records] == ["start", "services", "game", "desk", "hand", "end"]
    assert sum(standing["chips"] for standing in records[-1]["standings"]) == 3_000_000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups")
async def test_the_second_interrupt_ends_everything_at_once(tmp_path: Path) -> None:
    """The guest is a shell that waits for a program of its own, which does not end with the shell."""
    journal = tmp_path / "cut.journal"
    async with open_guest() as guest:
        shell = f"sh -c {shlex.quote(guest.command.replace('{port}', '$0') + '; true')} {{port}}"
        async with start(*ENDLESS, "--bot-cmd", shell, "--journal", journal) as running:
            peer = await guest.log_in()
            for _ in range(3):
                assert await peer.hear_question()
                await peer.say("fold")
            assert await peer.hear_question()  # and leave the dealer waiting
            children = running.children()
            running.process.send_signal(signal.SIGINT)
            await running.complaint_with("interrupt again")
            running.process.send_signal(signal.SIGINT)
            outcome = await running.ended()
            _, alive = await trio.to_thread.run_sync(psutil.wait_procs, children, PATIENCE)
    assert outcome.code == 130
    assert len(children) == 4  # caller, tight, the shell and the program it waits for
    assert alive == []
    assert "Standings" in outcome.out
    assert "the same cards again" not in outcome.out  # the seed stays secret: the tournament can be played on
    assert f"play on with: casino resume {journal}" in outcome.out
    told = [record["type"] for record in play_of(journal)]
    assert told == ["start", "services", "game", "hand", "hand", "hand", "desk"]


async def test_an_interrupt_while_programs_start_ends_the_league() -> None:
    async with open_guest() as guest, start(*ENDLESS, "--bot-cmd", guest.command) as running:
        await guest.started()
        running.process.send_signal(signal.SIGINT)
        outcome = await running.ended()
    assert outcome.code == 1
    assert outcome.complaint == ["casino: interrupted before the tournament started"]

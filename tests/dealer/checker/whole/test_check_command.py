"""The command ``casino check``."""

import json
import os
import shlex
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import psutil
import pytest
import trio

from dealer.checker.output.check_report import check_junit
from dealer.errors import OptionError
from dealer.net.stalls import TOLD_SECONDS
from tests.dealer.checker.checked import PROGRAMS, WHERE, program
from tests.docs.pages import ROOT, assert_keys
from tests.end_to_end.casino import ENVIRONMENT, Outcome, casino, run, start
from tests.patience import PATIENCE

FEW = ("--hands", "20", "--limit", "30")


async def check(*words: str | Path) -> Outcome:
    return await run("check", *words)


async def test_correct_program_passes(tmp_path: Path) -> None:
    junit = tmp_path / "results.xml"
    outcome = await check("stud", *FEW, "--pass", "80", "--junit", junit, "--", *program("Good"))
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("158.5 of 180 points, 88 %\n")
    assert "likely" not in outcome.out
    suite = ET.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("9", "2", "0")
    cases = {str(case.get("name")).partition(":")[0]: case for case in suite.iter("testcase")}
    assert cases["legal"].find("failure") is None
    failure = cases["boards"].find("failure")
    assert failure is not None
    assert str(failure.get("message")).startswith("0 of 20 points")


async def test_program_below_needed_points_fails(tmp_path: Path) -> None:
    outcome = await check("stud", *FEW, "--pass", "90", "--", *program("Good"))
    assert outcome.code == 1
    assert outcome.out.splitlines()[0].endswith("88 %; 90 % are needed")


@pytest.mark.parametrize("flags", [(), ("--json",)])
async def test_closed_output_gives_no_traceback(flags: tuple[str, ...]) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with trio.fail_after(PATIENCE):
        command = casino("check", "stud", *FEW, *flags, "--pass", "80", "--", *program("Good"))
        done = await trio.run_process(command, stdout=writes, capture_stderr=True, check=False, env=ENVIRONMENT)
    os.close(writes)
    assert (done.returncode, done.stderr) == (0, b"")


async def test_finding_shows_bytes_rule_and_cause() -> None:
    outcome = await check("stud", *FEW, "--", *program("BareLine"))
    assert (outcome.code, outcome.err) == (1, "")
    rows = outcome.out[outcome.out.index("login: the two length bytes") :].splitlines()
    assert rows[1:6] == [
        "   sent    login",
        "   came    62 61 64 2d 31 3a 42 61 64 0a   bad-1:Bad.",
        "   rule    login is answered with <id>:<avatar>, framed like every message",
        "   likely  it sends a line of text, as println does; this port takes what writeUTF sends",
        "   where   how it talks",
    ]


@pytest.mark.parametrize("framing", [(), ("--lines",)])
async def test_program_of_the_acpc_is_told_that_it_is_not_checked(framing: tuple[str, ...]) -> None:
    player = ROOT / "tests" / "acpc_client" / "player.py"
    outcome = await check("holdem", *FEW, *framing, "--", sys.executable, player, "{host}", "{port}")
    assert (outcome.code, outcome.err) == (1, "")
    assert "\n   likely  it speaks the protocol of the ACPC, which casino check does not check\n" in outcome.out


async def test_json_has_all_facts_and_nothing_else() -> None:
    outcome = await check("stud", *FEW, "--json", "--", *program("BetsBeyondItsStack"))
    assert (outcome.code, outcome.err) == (1, "")
    facts = json.loads(outcome.out)
    assert_keys("## casino check", facts, absent={"remark"})
    lines = {line["id"]: line for line in facts["lines"]}
    assert facts["name"] == "bad-1:Bad"
    assert (lines["legal"]["verdict"], lines["legal"]["points"]) == ("failed", 0)
    finding = lines["legal"]["findings"][0]
    assert bytes.fromhex(finding["came"])[2:].startswith(b"bet:")
    assert finding["cause"] == "it bets more chips than it has: a raise has to be cut to the stack"
    assert facts["points"] == sum(line["points"] for line in facts["lines"])


async def test_same_seed_asks_the_same(tmp_path: Path) -> None:
    async def ask(seed: str, path: Path) -> None:
        await check("stud", *FEW, "--seed", seed, "--save", path, "--", *program("Good"))

    paths = [tmp_path / name for name in ("1", "2", "3")]
    async with trio.open_nursery() as nursery:
        for seed, path in zip(["a", "a", "b"], paths, strict=True):
            nursery.start_soon(ask, seed, path)
    asked = [[line for line in path.read_text().splitlines() if line.startswith("dealer:")] for path in paths]
    assert asked[0] == asked[1] != asked[2]


async def test_program_that_keeps_every_rule_passes_and_one_that_is_always_wrong_is_told_so_early() -> None:
    kept = await check("stud", *FEW, "--", *program("Good"))
    assert (kept.code, kept.out.splitlines()[0].rpartition("; ")[2]) == (0, "every rule is kept")
    wrong = await check("stud", *FEW, "--", *program("SendsReplyInTwoMessages"))
    assert (wrong.code, wrong.out.splitlines()[0].rpartition("; ")[2]) == (1, "not every rule is kept")
    assert "ended early; mend this first: one reply is sent as two messages" in wrong.out
    assert "not judged: the check did not get" in wrong.out


async def test_listen_waits_for_program_started_elsewhere() -> None:
    async with start("check", "stud", *FEW, "--listen", "0", "--pass", "80") as running:
        await running.complaint_with("port ")
        port = running.err.decode().split("port ")[1].split()[0]
        for _ in range(6):
            done = await trio.run_process(
                [sys.executable, str(PROGRAMS), "Good", "127.0.0.1", port], check=False, capture_stderr=True
            )
            assert done.returncode == 0, done.stderr
        outcome = await running.ended()
    assert outcome.code == 0
    assert "the program that connected to port " + port in outcome.out


async def test_interrupt_ends_check_and_program() -> None:
    async with start("check", "stud", *FEW, "--", *program("SaysNothing")) as running:
        while not (children := running.children()):
            await trio.sleep(0.01)
        running.process.send_signal(signal.SIGINT)
        outcome = await running.ended()
    assert outcome.code == 130
    gone, alive = psutil.wait_procs(children, timeout=PATIENCE)
    assert gone
    assert not alive


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "--game requires an argument"),
        (("stud",), "casino: give the program's command behind --"),
        (("stud", "--", "java", "Poker"), "casino: the command 'java Poker' has no {port}"),
        (("stud", "--listen", "0", "--", *program("Good")), "casino: --listen waits for a program that you start"),
        (("stud", "--save", str(PROGRAMS), "--", *WHERE), "programs.py exists already; name a new file"),
        (("stud", "--save", "/nowhere/at/all", "--", *WHERE), "casino: cannot write /nowhere/at/all"),
        (("stud", "--junit", "/nowhere/at/all", "--", *WHERE), "casino: cannot write /nowhere/at/all"),
        (("chess", "--", *WHERE), "chess"),
        (("stud", "--pass", "101", "--", *WHERE), "--pass"),
        (("stud", "--hands", "3", "--", *WHERE), "--hands"),
    ],
)
async def test_bad_usage_is_one_line_of_error(words: tuple[str, ...], complaint: str) -> None:
    outcome = await check(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert any(complaint in line for line in outcome.complaint), outcome.err


def test_junit_file_is_tried_before_the_check(tmp_path: Path) -> None:
    kept = tmp_path / "kept.xml"
    kept.write_text("of yesterday")
    check_junit(kept)
    assert kept.read_text() == "of yesterday"
    check_junit(tmp_path / "new.xml")
    assert not (tmp_path / "new.xml").exists()
    with pytest.raises(OptionError, match=r"^cannot write .*: Is a directory$"):
        check_junit(tmp_path)


def test_command_of_the_readme_is_accepted() -> None:
    command = "casino check stud -- java -cp . Poker {host} {port} --fast"
    words = [sys.executable, "-m", "dealer.main", *shlex.split(command)[1:]]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=PROGRAMS.parent)
    assert done.returncode == 1
    assert "stud: java -cp . Poker {host} {port} --fast" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


async def test_checker_that_stood_still_says_nothing_about_it() -> None:
    stop = f"kill -STOP $PPID; sleep {2 * TOLD_SECONDS}; kill -CONT $PPID; "
    stopping = ("sh", "-c", stop + 'exec "$@"', "sh", *program("Good"))
    outcome = await check("stud", *FEW, "--json", "--", *stopping)
    assert outcome.err == ""
    assert json.loads(outcome.out)["lines"]

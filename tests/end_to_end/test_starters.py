"""The starter bots and the tutorial, as a student runs them."""

import ast
import json
import os
import re
import runpy
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from protocol.games.base import Fold
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_action, encode
from tests.compiled import STARTERS, starter_command
from tests.docs.pages import blocks, page
from tests.docs.program_lines import search_path
from tests.drills.dealer import ports
from tests.end_to_end.casino import run, start
from tests.end_to_end.hosted import PORTS
from tests.patience import PATIENCE
from tests.protocol.helpers import turns

JAVA = STARTERS / "java" / "Poker.java"
PYTHON = STARTERS / "python" / "poker.py"
LINES = STARTERS / "python" / "poker_lines.py"
HANDS = 30
FLAGS = ("--hands", str(HANDS), "--stack", "60", "--limit", "30", "--json")
"""Stacks so small that bets must be cut to them, and a limit that a busy machine keeps."""


@pytest.fixture
def java(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The command that runs the compiled Java starter."""
    return shlex.join(starter_command(tmp_path_factory, "java"))


PYTHON_COMMAND = f"{shlex.quote(sys.executable)} {shlex.quote(str(PYTHON))}"
LINES_COMMAND = f"{shlex.quote(sys.executable)} {shlex.quote(str(LINES))}"


async def league(*commands: str) -> dict[str, Any]:
    """The results of a league of house bots and ``commands``, which take address, port, id and avatar."""
    guests = [word for command in commands for word in ("--bot-cmd", command)]
    done = await run("league", "stud", "caller", "tight", *guests, "--seed", "starters", *FLAGS)
    assert done.code == 0, done.err
    results: dict[str, Any] = json.loads(done.out)
    return results


def played_without_fault(results: dict[str, Any], *ids: str) -> None:
    """Everybody was there and asked, nobody broke a rule, every program ended by itself with exit code 0.

    The tournament was played to its end: all its hands, or until one had all the chips.
    """
    chips = [standing["chips"] for standing in results["standings"]]
    assert results["hands"] == HANDS or max(chips) == sum(chips)
    assert results["failures"] == []
    standings = {standing["id"]: standing for standing in results["standings"]}
    assert set(standings) == set(ids)
    assert [standing["faults"] for standing in standings.values()] == [[]] * len(ids)
    assert min(standing["decisions"] for standing in standings.values()) > 0


@pytest.mark.parametrize("language", ["java", "python"])
async def test_starter_plays_a_league(language: str, request: pytest.FixtureRequest) -> None:
    command = request.getfixturevalue("java") if language == "java" else PYTHON_COMMAND
    results = await league(f"{command} {{host}} {{port}}", f"{command} {{host}} {{port}} ada-l 'Ada L.'")
    played_without_fault(results, "caller", "tight", "StephenCurry", "ada-l")
    assert {"Steph", "Ada L."} < {standing["avatar"] for standing in results["standings"]}


async def test_java_and_python_starters_play_the_same_game(java: str) -> None:
    """Their strategy is the same, so with the same cards they end with the same chips."""
    chips = [
        {standing["id"]: standing["chips"] for standing in (await league(f"{command} {{host}} {{port}}"))["standings"]}
        for command in (java, PYTHON_COMMAND)
    ]
    assert chips[0] == chips[1]


async def play_hosted(*commands: str) -> dict[str, Any]:
    """The results of starters at one table, which take ``{port}`` or ``{line_port}``; each ends well, with a reason."""
    flags = ("--seats", str(len(commands)), "--seed", "table", *FLAGS)
    goodbyes: list[bytes] = []

    async def play(command: str) -> None:
        goodbyes.append((await trio.run_process(shlex.split(command), capture_stdout=True)).stdout)

    async with start("serve", "stud", "--no-page", *PORTS, *flags, stdin=subprocess.DEVNULL) as dealer:
        port, line_port = await ports(dealer)
        async with trio.open_nursery() as nursery:
            for command in commands:
                nursery.start_soon(play, command.format(port=port, line_port=line_port))
        outcome = await dealer.ended()
    assert all(goodbye.strip() for goodbye in goodbyes)
    results: dict[str, Any] = json.loads(outcome.out)
    return results


async def test_starters_behind_different_framings_sit_at_one_table(java: str) -> None:
    results = await play_hosted(
        f"{java} 127.0.0.1 {{port}} java Java",
        f"{PYTHON_COMMAND} 127.0.0.1 {{port}} python Python",
        f"{LINES_COMMAND} 127.0.0.1 {{line_port}} lines Lines",
    )
    played_without_fault(results, "java", "python", "lines")


async def test_the_line_starter_calls_itself_ada() -> None:
    results = await play_hosted(f"{PYTHON_COMMAND} 127.0.0.1 {{port}}", f"{LINES_COMMAND} 127.0.0.1 {{line_port}}")
    played_without_fault(results, "StephenCurry", "ada-l")


@given(turns(), st.integers(0, 60), st.integers(0, 60), st.integers(-5, 90))
def test_python_starter_makes_any_decision_legal(turn: StudTurn, stack: int, owed: int, chips: int) -> None:
    turn = turn._replace(stack=stack, owed=owed)
    starter = runpy.run_path(str(PYTHON))
    starter["reply_to"].__globals__["decide"] = lambda *_question: chips
    reply = decode_action(starter["reply_to"](encode(turn)))
    assert isinstance(reply, Fold) or owed <= reply.amount <= min(owed + 10, stack)


def test_python_starter_raises_pairs_and_else_checks_or_folds() -> None:
    reply_to = runpy.run_path(str(PYTHON))["reply_to"]
    assert reply_to("bet1:400:2:5:10C:10D:up:10D:KH") == "bet:15"
    assert reply_to("bet1:12:2:5:10C:10D:up:10D:KH") == "bet:12"
    assert reply_to("bet2:400:2:0:10C:KD:9S:up:KD:9S:10H:10S") == "bet:0"
    assert reply_to("bet2:400:2:1:10C:KD:9S:up:KD:9S:10H:10S") == "fold"


def test_line_starter_raises_pairs_and_else_checks_or_folds() -> None:
    questions = {
        "bet1:400:2:5:10C:10D:up:10D:KH": "bet:15",
        "bet1:12:2:5:10C:10D:up:10D:KH": "bet:12",
        "bet1:3:2:5:10C:10D:up:10D:KH": "fold",
        "bet2:400:2:0:10C:KD:9S:up:KD:9S:10H:10S": "bet:0",
        "bet2:400:2:1:10C:KD:9S:up:KD:9S:10H:10S": "fold",
    }
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(PATIENCE)
        address, port = door.getsockname()
        starter = subprocess.Popen([sys.executable, str(LINES), address, str(port)], stdout=subprocess.PIPE, text=True)
        dealer, _ = door.accept()
        with dealer, dealer.makefile("rw") as lines:
            dealer.settimeout(PATIENCE)
            print("login", *questions, "status:win:10S:9C:AD", "done:bye", sep="\n", file=lines, flush=True)
            assert lines.read().splitlines() == ["ada-l:Ada", *questions.values()]
        assert starter.communicate(timeout=PATIENCE)[0] == "bye\n"
    assert starter.returncode == 0


@pytest.mark.parametrize("starter", [PYTHON, LINES])
def test_a_starter_without_address_says_how_it_is_run(starter: Path) -> None:
    done = subprocess.run([sys.executable, str(starter)], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert f"python {starter.name} <address> <port>" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("starter", "lines"), [(PYTHON, 110), (JAVA, 115), (LINES, 60)])
def test_starter_is_short_enough_to_read(starter: Path, lines: int) -> None:
    assert len(starter.read_text(encoding="ascii").splitlines()) < lines


@pytest.mark.parametrize("starter", [PYTHON, LINES])
def test_a_python_starter_needs_nothing_installed(starter: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(starter.read_text())):
        match node:
            case ast.Import(names=names):
                imported |= {name.name.partition(".")[0] for name in names}
            case ast.ImportFrom(module=module, level=level):
                assert level == 0
                imported.add(str(module).partition(".")[0])
    assert imported <= sys.stdlib_module_names


def test_the_java_starter_needs_nothing_installed() -> None:
    imported = re.findall(r"^import ([\w.]+);", JAVA.read_text(), re.MULTILINE)
    assert imported
    assert all(name.startswith("java.") for name in imported)


# Only the first steps are taken another way: what they install is installed here already.


BLOCKS = blocks(page("bots/docs/tutorial.md"))
INSTALLING = "python3 -m venv .venv\n. .venv/bin/activate\npip install .\n"

INTERVAL = re.compile(r"Steph +python3 poker\.py .*?\+?(-?\d+\.\d+) \+?(-?\d+\.\d+) \+?(-?\d+\.\d+)")


@pytest.fixture
def path(tmp_path: Path) -> str:
    """The search path of a reader who has followed the first steps."""
    return search_path(tmp_path / "bin")


def changed(text: str, diff: str) -> str:
    """The text after the change that a reader makes by hand; the lines around it must be there once."""
    lines = diff.splitlines()
    before = "\n".join(line[1:] for line in lines if line[0] in " -")
    after = "\n".join(line[1:] for line in lines if line[0] in " +")
    assert text.count(before) == 1
    return text.replace(before, after)


def test_all_tutorial_blocks_are_run() -> None:
    kinds = [kind for kind, _ in BLOCKS]
    assert set(kinds) == {"sh", "diff"}
    assert kinds.count("diff") == 1
    assert BLOCKS[0] == ("sh", INSTALLING)


#: Seconds for a reply that a busy machine keeps; the reader's own machine has nothing else to do.
PATIENT = "".join(f"[{command}]\nlimit = 60\n" for command in ("check", "practice", "league"))

#: What is typed to compare two versions in fewer deals: those of the page take a minute of one core.
REGRESS_DEALS = ("--deals 100 --seed", "--deals 3 --seed")


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a shell")
@pytest.mark.parametrize("as_typed", [False, pytest.param(True, marks=pytest.mark.heavy)])
def test_every_command_works_and_the_bot_beats_caller(as_typed: bool, tmp_path: Path, path: str) -> None:
    places = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    environment = {**os.environ, "PATH": path, "COLUMNS": "80", **places}
    flags = tmp_path / "config" / "casino-day" / "casino.toml"
    flags.parent.mkdir(parents=True)
    flags.write_text(PATIENT)
    folder, said = tmp_path, []
    for kind, body in BLOCKS[1:]:
        if kind == "diff":
            program = folder / "poker.py"
            program.write_text(changed(program.read_text(encoding="utf-8"), body), encoding="utf-8")
            continue
        typed = body if as_typed else body.replace(*REGRESS_DEALS)
        assert as_typed or (typed != body) == ("casino regress" in body)
        script = f"set -e\n{typed}pwd\n"
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=3 * PATIENCE,  # whole practices and leagues
            check=False,
        )
        assert done.returncode == 0, body + done.stdout + done.stderr
        *lines, where = done.stdout.splitlines()
        folder = Path(where)  # a reader stays where `cd` has led
        said.append("\n".join([*lines, done.stderr]))
    new, first, practice, second, regress = said
    assert "\nOK\n" in new
    assert "153.8" in new
    assert "a spade in the hole" in practice
    before, after = (interval(text) for text in (first, second))
    assert before[0] > 0
    assert before == pytest.approx((1.5, 1.5), abs=0.3)  # as the text says
    assert after == pytest.approx((2.1, 2.1), abs=0.3)
    assert before[1] < after[0]
    assert "nowhere worse" in regress


def interval(text: str) -> tuple[float, float]:
    """From what to what the chips a deal may be."""
    (found,) = INTERVAL.findall(text)
    _, low, high = map(float, found)
    return low, high

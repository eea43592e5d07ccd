"""The starter bots and the tutorial, as a student runs them; and messages that no sound dealer sends."""

import ast
import json
import os
import re
import runpy
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from protocol.games.base import Fold
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_action, encode
from protocol.wire.framing import decode_modified_utf8, encode_modified_utf8
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


# What the starters do with messages that no sound dealer sends, and with text from all over the world.

NAME = "Ada 🃏 Löve"
FRAMED = ["python", "java", "cpp"]


#: The words that run a starter, by its name and game; it is compiled at its first use.
Commands = Callable[..., list[str]]


@pytest.fixture
def commands(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    return partial(starter_command, tmp_path_factory)


def frame(message: bytes) -> bytes:
    return len(message).to_bytes(2, "big") + message


def unframed(data: bytes) -> list[str]:
    messages = []
    while data:
        length = int.from_bytes(data[:2], "big")
        messages.append(decode_modified_utf8(data[2 : 2 + length]))
        data = data[2 + length :]
    return messages


def told(command: Sequence[str], said: bytes, *, name: str = "Ada") -> tuple[bytes, "subprocess.CompletedProcess[str]"]:
    """What a starter answers to everything that a dealer says before it hangs up, and how it ends."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(PATIENCE)
        words = [*command, "127.0.0.1", str(door.getsockname()[1]), "ada-l", name]
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
        streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen(words, env=environment, encoding="utf-8", errors="replace", **streams) as starter:
            heard = b""
            dealer, _ = door.accept()
            # A starter may leave with some of what was said unread, which resets the connection.
            with dealer, suppress(OSError):
                dealer.settimeout(PATIENCE)
                dealer.sendall(said)
                dealer.shutdown(socket.SHUT_WR)
                while data := dealer.recv(65_536):
                    heard += data
            out, err = starter.communicate(timeout=PATIENCE)
        return heard, subprocess.CompletedProcess(words, starter.returncode, out, err)


@pytest.mark.parametrize("starter", FRAMED)
def test_starter_sends_and_shows_emoji(starter: str, commands: Commands) -> None:
    said = frame(b"login") + frame(encode_modified_utf8(f"done:{NAME} wins"))
    heard, ended = told(commands(starter), said, name=NAME)
    assert heard == frame(encode_modified_utf8(f"ada-l:{NAME}"))
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"{NAME} wins\n", "")


def test_line_starter_sends_and_shows_emoji(commands: Commands) -> None:
    heard, ended = told(commands("lines"), f"login\ndone:{NAME} wins\n".encode(), name=NAME)
    assert heard.decode() == f"ada-l:{NAME}\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"{NAME} wins\n", "")


@pytest.mark.parametrize("starter", [*FRAMED, "lines"])
def test_terminal_escapes_are_not_printed(starter: str, commands: Commands) -> None:
    message = "done:\x1b[31mred\x07 \x9b2J end"
    said = f"{message}\n".encode() if starter == "lines" else frame(encode_modified_utf8(message))
    _, ended = told(commands(starter), said)
    assert ended.returncode == 0
    assert not {char for char in ended.stdout if not char.isprintable()} - {"\n"}
    assert "[31mred? ?" in ended.stdout.replace("\ufffd", "?")
    assert "2J end" in ended.stdout


BAD_QUESTIONS = [
    "bet1:",
    "bet1:x:2:0:10C:10D:up:10D:KH",
    "bet1:1.5:2:0:10C:10D:up:10D:KH",
    "bet2:400:2",
    "bet1:400:2:0:10C:10D:10D:KH",
    "bet1:400:up:0:10C:10D",
    "bet1:400:2:0::10D:up:10D:KH",
    "bet1:" + "9" * 5000,
    "bet1:\x1b[31m",
]


@pytest.mark.parametrize("starter", [*FRAMED, "lines"])
def test_starter_folds_at_a_question_it_cannot_read_and_plays_on(starter: str, commands: Commands) -> None:
    questions = [*BAD_QUESTIONS, "bet1:400:2:0:10C:9D:up:9D:KH"]
    messages = ["login", *questions, "nonsense", "", "done:bye"]
    lines = starter == "lines"
    said = b"".join(f"{text}\n".encode() if lines else frame(encode_modified_utf8(text)) for text in messages)
    heard, ended = told(commands(starter), said)
    replies = heard.decode().splitlines() if lines else unframed(heard)
    assert replies == ["ada-l:Ada", *["fold"] * len(BAD_QUESTIONS), "bet:0"]
    assert (ended.returncode, ended.stdout) == (0, "bye\n")
    complaints = ended.stderr.splitlines()
    assert len(complaints) == len(BAD_QUESTIONS)
    assert all(line.startswith("folded, because this question cannot be read: ") for line in complaints)
    assert max(map(len, complaints)) < 300
    assert "\x1b" not in ended.stderr


OTHER_GAMES = {
    "holdem": (
        "bet1:990:20:0:KS:QD:board:raise:20:990:seats:0/990/10/live:1/980/20/live:button:0",
        (
            "bet1:",
            "bet4:x:20:0:KS:QD:board:raise:20:990:seats:0/990/10/live:1/980/20/live:button:0",
            "bet1:990:20:0:KS:QD:raise:20:990:seats:0/990/10/live:1/980/20/live:button:0",
            "bet1:990:20:0:KS:QD:board:raise:20:seats:0/990/10/live:button:0",
            "bet1:990:20:0:KS:QD:board:raise:20:990:seats:0/990/10/live:1/980/20/live:",
            "bet1:990:20:0:KS:QD:board:raise:20:990",
            "bet1:990:20:0:KS:QD:board:raise",
            "bet1:990:20:0::QD:board:raise:20:990:seats:0/990/10/live:1/980/20/live:button:0",
            "bet1:990:20:0:KS:QD:board:raise:20:990:seats:0/990/10/live:1/980/20/live:button:",
            "bet2:" + "9" * 5000,
            "bet3:\x1b[31m",
        ),
    ),
    "blockhead": (
        "bet1:990:25:0:AS:2H:3D:up:JH:QD:bets:raise:10",
        (
            "bet1:",
            "bet2:x:25:0:AS:2H:3D:up:JH:QD:bets:raise:10",
            "bet3:990:25:0:AS:2H:3D:JH:QD:bets:raise:10",
            "bet1:990:25:0:AS:2H:3D:up:JH:QD:raise:10",
            "bet1:990:25:0:AS:2H:3D:up:JH:QD:bets:raise",
            "bet1:990:25:0:AS:2H:3D:up:JH:QD:bets:10",
            "bet1:990:25:0::2H:3D:up:JH:QD:bets:raise:10",
            "bet1:bets:up:0:AS:raise:10",
            "bet2:" + "9" * 5000,
            "bet3:\x1b[31m",
        ),
    ),
}


@pytest.mark.parametrize("game", OTHER_GAMES)
@pytest.mark.parametrize("starter", FRAMED)
def test_starters_of_other_games_fold_at_a_question_they_cannot_read(
    starter: str, game: str, commands: Commands
) -> None:
    sound, bad = OTHER_GAMES[game]
    messages = ["login", f"game:{game}:seat=0", *bad, sound, "bet5:", "nonsense", "", f"done:{NAME} wins\x1b[2J"]
    said = b"".join(frame(encode_modified_utf8(text)) for text in messages)
    heard, ended = told(commands(starter, game), said, name=NAME)
    assert unframed(heard) == [f"ada-l:{NAME}", *["fold"] * len(bad), "bet:0"]
    assert (ended.returncode, ended.stdout) == (0, f"{NAME} wins?[2J\n")
    complaints = ended.stderr.splitlines()
    assert len(complaints) == len(bad)
    assert all(line.startswith("folded, because this question cannot be read: ") for line in complaints)
    assert max(map(len, complaints)) < 300
    assert "\x1b" not in ended.stderr


@pytest.mark.parametrize("game", OTHER_GAMES)
@pytest.mark.parametrize("starter", FRAMED)
def test_starters_of_other_games_fold_at_cards_that_do_not_exist(starter: str, game: str, commands: Commands) -> None:
    """Such a question is answered like any other: what cannot be played is folded, if it costs chips."""
    sound, _ = OTHER_GAMES[game]
    question = ":".join(["bet1", "990", "25", "5", *sound.split(":")[4:]])
    for card in question.split(":")[4:6]:
        question = question.replace(f":{card}:", ":?:", 1)
    said = b"".join(frame(encode_modified_utf8(text)) for text in ("login", question, "done:bye"))
    heard, ended = told(commands(starter, game), said)
    assert len(unframed(heard)) == 2
    assert (ended.returncode, ended.stderr) == (0, "")


ENDINGS = {
    "nothing": b"",
    "half a length": b"\0",
    "half a message": b"\0\x09log",
    "no text": frame(b"\xff\xfe\xff") + frame(b"status:win"),
    "half an emoji": frame(b"done:\xed\xa0\xbc"),
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("starter", FRAMED)
def test_starter_ends_with_a_sentence_when_the_dealer_does(starter: str, ending: str, commands: Commands) -> None:
    heard, ended = told(commands(starter), ENDINGS[ending])
    assert heard == b""
    assert "Traceback" not in ended.stderr
    assert "Exception" not in ended.stderr
    if ended.returncode:
        assert len(ended.stderr.splitlines()) == 1
        assert "the dealer" in ended.stderr


def test_line_starter_does_not_read_a_line_without_end(commands: Commands) -> None:
    _, ended = told(commands("lines"), b"login\n" + b"x" * 1_000_000)
    assert ended.returncode == 1
    assert ended.stderr == "the dealer sent a line without an end\n"


@pytest.mark.parametrize("starter", [*FRAMED, "lines"])
def test_starter_says_in_one_line_that_there_is_no_dealer(starter: str, commands: Commands) -> None:
    with socket.socket() as closed:  # nobody else gets this port, and connections to it are refused
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        words = [*commands(starter), "127.0.0.1", str(port)]
        ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1
    assert f"127.0.0.1 port {port}" in ended.stderr


@pytest.mark.parametrize("starter", [*FRAMED, "lines"])
@pytest.mark.parametrize("port", ["four", "-1", "70000"])
def test_starter_says_what_is_wrong_with_the_port(starter: str, port: str, commands: Commands) -> None:
    ended = subprocess.run([*commands(starter), "127.0.0.1", port], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Exception" not in ended.stderr

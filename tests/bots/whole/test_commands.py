"""``casino bot`` as a process, also with what was learned, and the folders that ``casino new`` makes."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio

from bots.commands import bot
from bots.new_program import GAMES, STARTERS, copy_starter
from protocol import installed_bots
from protocol.games.base import Bet
from protocol.wire.framing import UtfFraming
from tests.bots.environments.untrained import save_untrained
from tests.bots.helpers import Scripted
from tests.bots.test_docs import SOURCES
from tests.docs.program_lines import program_lines, run_line
from tests.end_to_end.casino import Outcome, run, start
from tests.end_to_end.hosted import AGREED, PORTS, open_peer, serve
from tests.patience import PATIENCE

UTF = UtfFraming()
TURN = "bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C"

Process = subprocess.Popen[str]


@pytest.fixture
def door() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        yield listener


@contextmanager
def running(*args: object) -> Iterator[Process]:
    command = [sys.executable, "-m", "dealer.main", "bot", *map(str, args)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def outcome(process: Process) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a process that ends by itself."""
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def welcomed(door: socket.socket) -> tuple[socket.socket, str]:
    """The connection of a bot that has logged in, and its login."""
    connection, _ = door.accept()
    connection.settimeout(PATIENCE)
    connection.sendall(UTF.encode("login"))
    return connection, heard(connection)


def heard(connection: socket.socket) -> str:
    data = b""
    body = None
    while body is None:
        received = connection.recv(4096)
        assert received, "the bot has hung up"
        data += received
        body, rest = UTF.split(data)
    assert not rest
    return UTF.decode(body)


def test_bot_prints_the_reason_of_done(door: socket.socket) -> None:
    with running("caller", *door.getsockname(), "--id", "ada-l", "--avatar", "Ada") as process:
        connection, name = welcomed(door)
        with connection:
            connection.sendall(UTF.encode(TURN))
            assert (name, heard(connection)) == ("ada-l:Ada", "bet:12")
            connection.sendall(UTF.encode("done:you won"))
            assert connection.recv(1) == b"", "it closes its end"
        assert outcome(process) == (0, "caller: you won\n", "")


def test_the_name_of_the_bot_is_its_id_and_avatar(door: socket.socket) -> None:
    with running("pair-or-fold", *door.getsockname()):
        connection, name = welcomed(door)
        connection.close()
    assert name == "pair-or-fold:pair-or-fold"


def test_lost_connection_is_exit_code_1(door: socket.socket) -> None:
    with running("caller", *door.getsockname()) as process:
        welcomed(door)[0].close()
        assert outcome(process) == (1, "", "caller: the dealer closed the connection without saying why\n")


def test_no_dealer_is_exit_code_1() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        port = silent.getsockname()[1]
        with running("caller", "127.0.0.1", port, "--patience", 0) as process:
            assert outcome(process) == (1, "", f"caller: no dealer at 127.0.0.1:{port}: Connection refused\n")


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["nobody", "127.0.0.1", 4000], "there is no bot 'nobody'; installed are "),
        (["caller", "127.0.0.1", 4000, "--id", "ada l"], "the id 'ada l' is not 1 to 39 letters"),
        (["caller", "127.0.0.1", 4000, "--avatar", "a" * 33], "the avatar has 33 characters"),
        (["caller", "127.0.0.1", 65536], 'Invalid value "65536" for PORT'),
        (["caller", "127.0.0.1", 4000, "--patience", -1], 'Invalid value "-1.0" for --patience'),
    ],
)
def test_bad_arguments_are_exit_code_2(args: list[object], complaint: str) -> None:
    with running(*args) as process:
        code, out, err = outcome(process)
    assert (code, out) == (2, "")
    assert complaint in err


@pytest.mark.skipif(os.name != "posix", reason="only POSIX can send one process a Ctrl-C")
def test_ctrl_c_is_exit_code_130(door: socket.socket) -> None:
    with running("caller", *door.getsockname()) as process:
        connection, _ = welcomed(door)
        with connection:
            process.send_signal(signal.SIGINT)
            code, out, err = outcome(process)
    assert (code, out) == (130, "")
    assert "Traceback" not in err


def test_failing_strategy_is_exit_code_1(
    door: socket.socket, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wreck(turn: object) -> Bet:
        raise ZeroDivisionError("no chips")

    with socket.create_connection(door.getsockname()) as ours, door.accept()[0] as dealer:
        dealer.sendall(UTF.encode("login") + UTF.encode(TURN))
        monkeypatch.setattr(installed_bots, "load_bot", lambda *_name: lambda _rng: Scripted(wreck))
        monkeypatch.setattr("bots.client.connect", lambda *_args: ours)
        assert bot("wreck", "127.0.0.1", 4000) == 1
    first, *_, traceback_end, line = capsys.readouterr().err.rstrip("\n").split("\n")
    assert (first, traceback_end) == ("Traceback (most recent call last):", "ZeroDivisionError: no chips")
    assert line.startswith(
        "wreck: decide raised ZeroDivisionError: no chips; it was asked StudTurn(street=1, stack=208"
    )


def test_the_python_starters_test_passes(tmp_path: Path) -> None:
    copy_starter(tmp_path, "python")
    done = subprocess.run([sys.executable, "-m", "unittest"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Ran 3 tests" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("language", STARTERS)
@pytest.mark.parametrize("game", GAMES)
async def test_starter_of_another_game_passes_its_test_the_lines_of_its_pages_and_a_league(
    game: str, language: str, tmp_path: Path
) -> None:
    outcome = await run("new", tmp_path / "p", "--lang", language, "--game", game)
    assert (outcome.code, outcome.err) == (0, "")
    starter = STARTERS[language]
    assert f"casino check {game} -- {starter.run}" in outcome.out
    assert ("casino new FOLDER --lang cpp --native" in outcome.out) == (game == "dice")
    for command in filter(None, (starter.build, starter.test)):
        done = subprocess.run(shlex.split(command), cwd=tmp_path / "p", capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    program = {
        "python": [sys.executable, str(tmp_path / "p" / "poker.py"), "{host}", "{port}"],
        "java": ["java", "-cp", str(tmp_path / "p"), "Poker", "{host}", "{port}"],
        "cpp": [str(tmp_path / "p" / "poker"), "{host}", "{port}"],
    }[language]
    for line in program_lines(language, game):
        practised = await run_line(line, tmp_path / "p")
        assert practised.code == 0, line + practised.out + practised.err
    words = ("caller", "random", "--bot-cmd", shlex.join(program), "--hands", "30", "--limit", "30", "--json")
    played = await run("league", game, *words)
    assert played.code == 0, played.err
    standings = json.loads(played.out)["standings"]
    assert len(standings) == 3
    assert [standing["faults"] for standing in standings] == [[]] * 3


@pytest.mark.parametrize("language", STARTERS)
async def test_new_folder_holds_the_starter(language: str, tmp_path: Path) -> None:
    folder = tmp_path / "my" / "player"
    outcome = await run("new", folder, "--lang", language)
    assert (outcome.code, outcome.err) == (0, "")
    starter = STARTERS[language]
    assert {path.name for path in folder.iterdir()} == set(starter.files)
    for name in starter.files:
        assert (folder / name).read_bytes() == (SOURCES / language / name).read_bytes()
    assert f"cd {folder}" in outcome.out
    assert f"casino check stud -- {starter.run}" in outcome.out


async def test_nothing_is_overwritten(tmp_path: Path) -> None:
    mine = tmp_path / "README.md"
    mine.write_text("mine")
    outcome = await run("new", tmp_path, "--lang", "java")
    assert outcome.code == 2
    assert outcome.complaint == [f"casino: {mine} exists already, and is not overwritten; name another folder"]
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert mine.read_text() == "mine"


async def test_an_unknown_language_is_bad_usage(tmp_path: Path) -> None:
    outcome = await run("new", tmp_path / "x", "--lang", "cobol")
    assert outcome.code == 2
    assert not (tmp_path / "x").exists()


async def test_a_bot_that_is_refused_prints_the_reason() -> None:
    async with serve() as dealer:
        port = await dealer.port()
        async with open_peer(port, "caller:The first"):
            await dealer.line_with("(1 here)")
            outcome = await run("bot", "caller", "127.0.0.1", str(port))
    assert outcome.code == 0
    assert "the id 'caller' is already seated" in outcome.out


#: Seconds for a reply that a busy machine keeps, also for the first one of a bot that loads what it has learned.
LIMIT = ("--limit", "60")


@pytest.mark.parametrize("game", ["stud", "holdem"])
async def test_a_file_plays_a_tournament_over_tcp(game: str, tmp_path: Path) -> None:
    outcomes: dict[str, Outcome] = {}

    async def play(name: str, port: int) -> None:
        outcomes[Path(name).stem] = await run("bot", name, "127.0.0.1", str(port))

    file = tmp_path / f"my-{game}.npz"
    save_untrained(file, game)
    words = ("serve", game, *PORTS, *AGREED, "--seats", "2")
    async with start(*words, stdin=subprocess.DEVNULL) as dealer, trio.open_nursery() as nursery:
        port = await dealer.port()
        for name in (str(file), "caller"):
            nursery.start_soon(play, name, port)
        ended = await dealer.ended()
    assert ended.code == 0
    assert f"my-{game}" in ended.out, "the file without folder and ending is its name"
    assert {name: outcome.code for name, outcome in outcomes.items()} == {f"my-{game}": 0, "caller": 0}
    # Without having learned anything it may be broke before the end.
    assert re.search("the tournament is over; you are number|you are out; broke", outcomes[f"my-{game}"].out)


async def test_a_file_that_cannot_be_played_is_said_before_connecting(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("no bot")
    outcome = await run("bot", str(tmp_path / "text.npz"), "127.0.0.1", "1")
    assert outcome.code == 2
    assert "holds no bot that has learned" in outcome.complaint[0]


@pytest.mark.parametrize(
    "words", [("simulate", "stud"), ("league", "stud", "--hands", "2")], ids=["simulate", "league"]
)
def test_without_numpy_it_says_what_to_install(words: tuple[str, ...]) -> None:
    argv = ["casino", *words, "learned.npz", "caller"]
    program = f"import sys; sys.modules['numpy'] = None; sys.argv = {argv}; from dealer.main import main; main()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    needs = "cannot be loaded: a bot that has learned needs numpy: pip install '.[rl]' in the folder of Casino Day\n"
    assert done.stderr.endswith(needs)
    assert done.stderr.count("\n") == 1


@pytest.mark.long
async def test_a_file_is_a_bot_of_a_league_of_a_check_and_of_practice(tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    save_untrained(file, "stud")
    for words in ((file, "caller"), ("caller", "--bot-cmd", file), (file, "--bot-cmd", file)):
        league = await run("league", "stud", *words, "--hands", "2", "--json", *LIMIT)
        assert league.code == 0, league.err
        assert "learned" in {standing["id"] for standing in json.loads(league.out)["standings"]}
    check = await run("check", "stud", "--json", *LIMIT, "--", file)
    assert json.loads(check.out)["what"] == str(file)
    assert "this bot has not learned such a table" in check.out, "it asks at tables of more than two players, too"
    short = ("--tournaments", "1", "--stack", "20", *LIMIT)
    practice = await run("practice", "stud", "--against", "caller", *short, "--out", tmp_path / "kept", "--", file)
    assert practice.code == 0, practice.err

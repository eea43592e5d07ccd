"""What the starters do with messages that no sound dealer sends, and with text from all over the world."""

import os
import socket
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from protocol.wire.framing import decode_modified_utf8, encode_modified_utf8
from tests.compiled import starter_command
from tests.patience import PATIENCE

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

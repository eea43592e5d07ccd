"""Which causes of mistakes are recognised, and that nothing else is taken for one of them."""

import pytest

from dealer.checker.cases.blockhead import CASES as BLOCKHEAD
from dealer.checker.cases.stud import CASES
from dealer.checker.scoring.causes import (
    Exchange,
    QuestionText,
    of_bytes,
    of_crash,
    of_illegal,
    of_login,
    of_malformed,
    of_silence,
    of_silent_login,
    why_no_connection,
)
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_command


def turn(text: str) -> StudTurn:
    found = decode_command(text)
    assert isinstance(found, StudTurn)
    return found


QUESTION = turn("bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"bet:5\n", "as println does"),
        (b"bet:5", "as writeBytes does"),
        (b"\0\0\0\5bet:5", "four bytes"),
        (b"\0b\0e\0t\0:\0005", "writeChars"),
        (b"\5\0bet:5", "the wrong way round"),
        (b"\5bet:5", "the length has one byte"),
        (b"\xac\xed\0\5t\0\5bet:5", "ObjectOutputStream"),
        (b"GET / HTTP/1.1\r\n", "HTTP"),
        ("\0\6Zoë: x".encode(), "counts characters"),
        (b"\0\6bet", "announces more bytes"),
        (b"\0", ""),
    ],
)
def test_wrong_bytes_are_recognised(raw: bytes, words: str) -> None:
    cause = of_bytes(raw, lines=False)
    assert words in cause
    assert bool(words) == bool(cause)


def test_correct_frame_has_no_cause() -> None:
    assert of_bytes(b"\0\5bet:5", lines=False) == ""


@pytest.mark.parametrize(("raw", "words"), [(b"\0\5bet:5", "takes lines"), (b"bet:5", "has no end"), (b"check\n", "")])
def test_wrong_bytes_on_a_line_port_are_recognised(raw: bytes, words: str) -> None:
    cause = of_bytes(raw, lines=True)
    assert words in cause
    assert bool(words) == bool(cause)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Fold", "lower case"),
        ("fold ", "a blank or a line end"),
        ("bet:5\r", "a blank or a line end"),
        ("bet: 5", "behind the colon"),
        ("bet:-1", "below zero"),
        ("bet:5.0", "a point"),
        ("5", "is missing"),
        ("check", "a check is bet:0"),
        ("raise 5", "a check is bet:0"),
        ("bet 5", "a colon"),
        ("ada-l:Ada", "another message"),
        ("", "empty"),
    ],
)
def test_malformed_reply_is_recognised(text: str, words: str) -> None:
    assert words in of_malformed(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [("login:ada:Ada", "repeats the word"), ("ada", "one word"), ("<ada>:<Ada>", "angle brackets"), ("a b:Ada", "")],
)
def test_wrong_login_is_recognised(text: str, words: str) -> None:
    assert words in of_login(text)
    assert bool(words) == bool(of_login(text))


BEFORE = Exchange(turn("bet1:230:2:5:KS:10D:up:AS:8H:10D:QD:2C"), "bet:5")


@pytest.mark.parametrize(
    ("amount", "put", "before", "words"),
    [
        (25, 10, (), "the total of the street"),
        (5, 0, (BEFORE,), "stale bet"),
        (3, 0, (), "the raise alone"),
        (208, 0, (), "its whole stack"),
        (40, 0, (), ""),
        (0, 0, (), ""),
        (0, 0, (Exchange(QUESTION, "bet:0"),) * 5, "the same whatever is owed"),
    ],
)
def test_illegal_bet_is_recognised(amount: int, put: int, before: tuple[Exchange, ...], words: str) -> None:
    cause = of_illegal(amount, QUESTION, put, before)
    assert words in cause
    assert bool(words) == bool(cause)


def test_bet_beyond_the_stack_is_recognised() -> None:
    assert "its stack" in of_illegal(22, QUESTION._replace(stack=15), 0, ())


BET1 = "bet1:208:24:12:KS:9D:up:AS:8H:9D:QD:2C"
TENS = "bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C"
BET2 = "bet2:183:66:0:KS:9D:9S:up:AS:AH:9D:9S"
MANY = "bet1:208:24:12:KS:9D:up:AS:8H:9D:QD:2C:3C"


@pytest.mark.parametrize(
    ("question", "output", "answered", "words"),
    [
        (BET1, 'java.lang.NumberFormatException: For input string: "u"', [], "literal 'up'"),
        (BET1, "ValueError: invalid literal for int() with base 10: 'up'", [], "literal 'up'"),
        (BET1, "    if card == 'up':\nKeyError: 7", [], ""),
        (TENS, "KeyError: '1'", [BET1], "the first question with a ten"),
        (TENS, "KeyError: '1'", [TENS], ""),
        (BET2, "", [BET1], "the first bet2"),
        (BET2, "", [BET1, BET2], ""),
        (MANY, "IndexError: list index out of range", [BET1], "so many players"),
        (BET1, "java.lang.ArrayIndexOutOfBoundsException: 5", [BET1], "a field that is not there"),
        ("status:win:10S:9C:AD", "", [], "it crashes on status"),
    ],
)
def test_crash_is_recognised(question: str, output: str, answered: list[str], words: str) -> None:
    cause = of_crash(question, output, answered, CASES.text)
    assert words in cause
    assert bool(words) == bool(cause)


def test_printed_reply_explains_silence() -> None:
    assert "prints" in of_silence("I say bet:5\n")
    assert "prints" in of_silence("thinking\nada-l:Ada\n")
    assert "prints" not in of_silence("bet1 came\n")
    assert "readUTF reads" in of_silent_login("", lines=False)
    assert "as readUTF does" in of_silent_login("", lines=True)
    assert "prints" in of_silent_login("ada-l:Ada\n", lines=True)


@pytest.mark.parametrize(
    ("output", "code", "words"),
    [
        ("Error: Could not find or load main class Poker", 1, "no such class"),
        ("ConnectionRefusedError: [Errno 111] Connection refused", 1, "another address or port"),
        ("", None, "waits for something else"),
        ("", 0, "without printing anything"),
        ("KeyError: 7", 1, ""),
    ],
)
def test_missing_connection_is_explained_by_output(output: str, code: int | None, words: str) -> None:
    cause = why_no_connection(output, code)
    assert words in cause
    assert bool(words) == bool(cause)


def test_crash_in_any_game_is_explained_by_what_is_new() -> None:
    any_game = QuestionText()
    assert of_crash("bet2:90:10:0", "", ["bet1:95:5:0"], any_game) == "this is the first bet2"
    assert of_crash("bet1:95:5:0:10S", "", ["bet1:95:5:0:9S"], any_game).startswith("this is the first question with a")
    assert of_crash("bet1:95:5:0", "", [], any_game) == ""
    assert of_crash("game:leduc", "", [], any_game) == "it crashes on game"


BET1_OF_THREE = "bet1:990:20:0:KS:9D:8D:up:AS:2H:bets:raise:10"
BET1_OF_FOUR = "bet1:990:20:0:KS:9D:8D:up:AS:2H:up:AD:2S:bets:raise:10"
BET3 = "bet3:990:20:0:KS:9D:8D:5C:4C:up:AS:2H:3H:4H:bets:raise:10"


@pytest.mark.parametrize(
    ("question", "answered", "words"),
    [
        (BET1_OF_FOUR, [BET1_OF_THREE], "so many players; at a table sit up to 6"),
        (BET3, [BET1_OF_THREE], "the first bet3, which has one more card"),
        (BET1_OF_THREE, [BET1_OF_FOUR], ""),
    ],
)
def test_crash_in_blockhead_is_recognised(question: str, answered: list[str], words: str) -> None:
    cause = of_crash(question, "", answered, BLOCKHEAD.text)
    assert words in cause
    assert bool(words) == bool(cause)


def test_highest_raise_beyond_the_stack_is_not_stale() -> None:
    short = QUESTION._replace(stack=20)
    before = Exchange(turn("bet1:230:2:22:KS:10D:up:AS:8H:10D:QD:2C"), "bet:22")
    assert "its stack" in of_illegal(22, short, 0, (before,))  # 22 was the call before, and is now the highest raise

"""What a mistake usually comes from. Each function knows one kind, and gives "" for what it does not recognise."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from protocol.games.base import Turn

JAVA_STREAM = b"\xac\xed\x00\x05"
"""What Java's ObjectOutputStream sends first."""

_REPLY = re.compile(r"(?im)\bfold\b|\bbet:\s*\d+|^[\w-]+:[^:\n]+$")
"""What looks like a reply where it was printed."""

_ERROR = re.compile("Error|Exception")
"""The lines of a program's output that say why it ended, and not where."""

_TEN = re.compile(r"10[SHDC]")

_PRINTS = "it prints its reply instead of sending it"

Signs = Iterable[tuple[object, str]]
"""Signs of causes: the first that is there counts."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question of this connection with the reply to it, for comparison."""

    turn: Turn
    reply: str


def _first(signs: Signs) -> str:
    return next((cause for sign, cause in signs if sign), "")


def why_no_connection(output: str, code: int | None) -> str:
    """From the output of a program that did not connect; ``code`` is None if it runs on."""
    no_class = "Java found no such class: compile it, and run it from its folder, or name the folder with -cp"
    arguments = "it expects other arguments than two, the address and the port"
    elsewhere = "it connects to another address or port than the two it is given"
    known = {
        "Could not find or load main class": no_class,
        "ClassNotFoundException": no_class,
        "UnsupportedClassVersionError": "it was compiled for a newer Java than the one that runs it",
        "No such file or directory": "the command names a file that is not here",
        "ModuleNotFoundError": "it imports a package that is not installed for this Python",
        "SyntaxError": "it is no valid Python for the Python that runs it",
        "onnection refused": elsewhere,
        "ConnectionRefused": elsewhere,
        "UnknownHostException": "it takes something else than its first argument for the address",
        "ArrayIndexOutOfBounds": arguments,
        "IndexError": arguments,
        "NumberFormatException": "it takes something else than its second argument for the port",
    }
    signs = [(words in output, cause) for words, cause in known.items()]
    silent = "it ends without a word: does its main() connect, with both arguments?"
    waiting = "it waits for something else first, or connects to another address or port than the two it is given"
    return _first([*signs, (code is None, waiting), (not output.strip(), silent)])


def of_bytes(raw: bytes, lines: bool) -> str:
    """From bytes that came instead of a message; ``lines`` says that this port takes lines of text."""
    if lines:
        return _of_frames_to_lines(raw)
    length = len(raw)
    first, second = (raw[0], raw[1]) if length > 1 else (0, 0)
    return _first(
        [
            (raw.startswith(JAVA_STREAM), "it uses ObjectOutputStream; use DataOutputStream and writeUTF"),
            (raw.startswith((b"GET ", b"POST ")), "it speaks HTTP"),
            (raw[:2] == b"\0\0" and length > 3, "the length has four bytes, as writeInt sends it; writeUTF sends two"),
            (
                length > 3 and first == raw[2] == 0 and second > 31,
                "every character has two bytes, as writeChars sends it; use writeUTF",
            ),
            (
                second == 0 < first and first == length - 2,
                "the two bytes of the length are the wrong way round: the most significant comes first",
            ),
            (0 < first == length - 1, "the length has one byte; writeUTF sends two"),
            (
                raw.endswith(b"\n") and _is_text(raw),
                "it sends a line of text, as println does; this port takes what writeUTF sends",
            ),
            (_is_text(raw), "it sends bare text without the two bytes of the length, as writeBytes does; use writeUTF"),
            (_counts_characters(raw), "the length counts characters; it has to count the bytes that follow"),
            ((first << 8) + second > length - 2 > 0, "the length announces more bytes than come"),
        ]
    )


def _is_text(raw: bytes) -> bool:
    return bool(raw) and all(byte in b"\r\n\t" or byte >= 32 for byte in raw)


def _counts_characters(raw: bytes) -> bool:
    """Whether the length is that of the text, some of whose letters have several bytes."""
    announced, body = int.from_bytes(raw[:2], "big"), raw[2:]
    return announced < len(body) and len(body.decode(errors="ignore")) == announced


def _of_frames_to_lines(raw: bytes) -> str:
    return _first(
        [
            (raw[:1] == b"\0" and b"\n" not in raw[2:], "it sends what writeUTF sends; this port takes lines of text"),
            (not raw.endswith(b"\n"), "the line has no end: send a newline behind every message"),
        ]
    )


def of_login(text: str) -> str:
    """From a reply to login that is no name."""
    return _first(
        [
            (text.lower().startswith("login"), "it repeats the word login; only <id>:<avatar> is due"),
            (text and ":" not in text, "it sends one word; an id, a colon and an avatar are due"),
            ("<" in text, "the angle brackets stand for your own words; leave them out"),
        ]
    )


def of_malformed(text: str) -> str:
    """From a reply to a question that is none of the two."""
    word = text.strip().lower()
    reply = word == "fold" or re.fullmatch(r"bet:\d+", word)
    return _first(
        [
            (reply and text != text.strip(), "a blank or a line end is sent along with the reply"),
            (reply, "the words are in lower case"),
            (re.fullmatch(r"bet:\s+\d+", word), "there is a blank behind the colon"),
            (re.fullmatch(r"bet:-\d+", word), "a number below zero: compare with what is owed before you subtract"),
            (re.fullmatch(r"bet:\d+\.\d*", word), "a number with a point: make the amount an int"),
            (re.fullmatch(r"\d+", word), "'bet:' is missing in front of the number"),
            (re.match(r"(check|call|raise|see)\b", word), "a check is bet:0, a call bets what is owed, a raise more"),
            (re.match(r"bet[ =]?\d*$", word), "between bet and the number stands a colon"),
            (word, "it answers another message than the question it was sent"),
            (True, "the reply is empty"),
        ]
    )


def of_illegal(amount: int, turn: Turn, put: int, before: Sequence[Exchange]) -> str:
    """From a bet that the rules forbid: ``put`` is what was put in on this street already, ``before`` came earlier."""
    most = max(turn.legal().raises, default=turn.owed)
    same = {exchange.reply for exchange in before[-5:]} == {f"bet:{amount}"} and len(before) >= 5
    total = f"it bets the total of the street; the number is what is put in now, and {put} are in already"
    return _first(
        [
            (put and turn.owed <= amount - put <= most, total),
            (same, "it bets the same whatever is owed"),
            (_was_right_before(amount, turn, before), "it sends a stale bet: the amount fits the question before this"),
            (turn.stack < amount <= turn.owed + 10, "it does not look at its stack, which has fewer chips"),
            (amount == turn.stack, "it bets its whole stack; a raise is at most 10"),
            (
                amount < turn.owed < amount + turn.owed <= most,
                "it bets the raise alone; what is owed has to be in the number too",
            ),
        ]
    )


def _was_right_before(amount: int, turn: Turn, before: Sequence[Exchange]) -> bool:
    """Whether the amount is the call, or the highest raise, of the last question and not of this one."""
    if not before:
        return False
    owed = before[-1].turn.owed
    return 0 < owed != turn.owed and amount in (owed, owed + 10) and amount not in (turn.owed, turn.owed + 10)


def of_crash(question: str, output: str, answered: Iterable[str]) -> str:
    """From a program that ended on a question: what its errors say, and what is new in this question."""
    fields, seen = question.split(":"), [text.split(":") for text in answered]
    said = "\n".join(line for line in output.splitlines() if _ERROR.search(line))
    first_bet2 = fields[0] == "bet2" and not any(text[0] == "bet2" for text in seen)
    out_of_range = re.search("IndexOutOfBounds|IndexError|out_of_range", said)
    most = max([0, *map(_players, seen)])
    tens = any(map(_TEN.fullmatch, fields)) and not any(_TEN.fullmatch(field) for text in seen for field in text)
    missing = "it takes a field that is not there: the number of fields differs from question to question"
    if not question.startswith("bet"):
        return f"it crashes on {fields[0]}"
    return _first(
        [
            (
                re.search(r"""['"](up?|p)['"]""", said),
                "it parses the literal 'up', which stands before everybody's cards, as a card or a number",
            ),
            (
                tens and seen and not out_of_range,
                "this is the first question with a ten, the only card of three characters",
            ),
            (first_bet2, "this is the first bet2, which has one more card of its own, and two of everybody"),
            (seen and _players(fields) > most, "no question before had so many players; at a table sit up to 17"),
            (out_of_range, missing),
        ]
    )


def of_silent_login(printed: str, lines: bool) -> str:
    """From the standard output of a program that has not even said its name."""
    if _REPLY.search(printed):
        return _PRINTS
    if lines:
        return "it waits for a frame, as readUTF does, where this port sends lines; or its reply was not flushed"
    return "it waits for a line where this port sends what readUTF reads; or its reply was not flushed"


def _players(fields: Sequence[str]) -> int:
    """How many players' cards a question shows."""
    if "bets" in fields:
        return fields.count("up")
    return (len(fields) - fields.index("up") - 1) // (2 if fields[0] == "bet2" else 1)


def of_silence(printed: str) -> str:
    """From the standard output of a program that sent nothing."""
    if _REPLY.search(printed):
        return _PRINTS
    return "a loop that does not end, one read too many, or a reply that was not flushed"

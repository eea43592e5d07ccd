"""What a mistake usually comes from, where its own bytes or words say it.

Each function recognises one sort of mistake, and gives "" for all others. ``explain.py`` has the causes of mistakes
that can only be told apart when the whole check is over.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from protocol.wire.wrong_port import Speech, recognise

#: What Java's ObjectOutputStream sends first.
JAVA_STREAM = b"\xac\xed\x00\x05"

#: What looks like a reply to login in a program's printed output.
_NAME = re.compile(r"(?m)^[\w-]+:[^:\n]+$")

#: A third argument was asked for: Java says how many there are; Python shows the line that failed above its error.
_ARGUMENT_MISSING = re.compile(r"out of bounds for length 2\b[\s\S]*?\.main\(|argv\[.*(?:\n[ \t~^]*)*\nIndexError")

#: The address was parsed as a number. Other numbers that cannot be parsed need not be the arguments at all.
_ADDRESS_AS_NUMBER = re.compile(r"""(?:NumberFormatException|ValueError).*["'](?:\d+\.){3}\d+["']""")

#: A program that failed says so in these words, in Java and in Python.
_CRASH = re.compile(r"(?m)^Exception in thread|^Traceback ")

#: Signs with the cause that each points to; the first sign that is true decides, so the most certain come first.
Signs = Iterable[tuple[object, str]]

#: What an unasked message means, by the message before it.
UNASKED = {
    "login": "it sends two replies to login",
    "question": "it sends two replies to one question",
    "status": "it replies to status",
    "game": "it replies to game",
    "done": "it replies to done",
}

#: The same where it comes now and then, so that it may belong to an earlier message.
NOW_AND_THEN = "it sometimes sends two replies to one question, or replies to a message that asks nothing"

OPEN_AFTER_DONE = "it goes on reading: when done comes, the loop has to end and the socket to be closed"
RUNS_AFTER_DONE = "a thread, a window or a loop keeps it running"
CRASHES_ON_DONE = "it crashes on done"
TWO_CONNECTIONS = "a second Socket is made, perhaps in a constructor that is called twice"
CHANGING_NAME = "the name is made by chance, or counts something"

#: How languages write a value that was never set, and what that means here.
_NOTHING = "none|null|undefined|nil|nan"
_NO_AMOUNT = "the function that decides returned no amount: each of its branches needs a return"

SPLIT = "one reply is sent as two messages: put 'bet:' and the number together, and send them as one"

#: A reply of words, without a digit or a colon.
OTHER_WORDS = re.compile(r"[^\W\d_]+(?:[ _-][^\W\d_]+)*[.!]?")


@dataclass(frozen=True, slots=True)
class QuestionText:
    """How a game writes its questions, as far as it explains why a program crashes on one.

    Attributes:
        literals: fields that are words and no values, each with its meaning as a relative clause without "which".
        news: what is new in a kind of question, as a relative clause; by the first field of the question.
        players: counts the players whose cards a question shows, from its fields; None where no question shows any.
        most_players: at one table.
        behind_own: the field that follows the program's own cards, the first of which is the fifth field; None where no
            question shows any.
        malformed: what a reply that cannot be read usually comes from; empty where that is not known.
    """

    literals: Mapping[str, str] = field(default_factory=dict)
    news: Mapping[str, str] = field(default_factory=dict)
    players: Callable[[Sequence[str]], int] | None = None
    most_players: int = 0
    behind_own: str | None = None
    malformed: Callable[[str], str] = lambda text: of_malformed(text)  # noqa: PLW0108 - defined below


def first_of(signs: Signs) -> str:
    """The cause of the first sign that is true; empty if none is."""
    return next((cause for sign, cause in signs if sign), "")


def why_no_connection(output: str, code: int | None) -> str:
    """From the output of a program that did not connect; ``code`` is its exit code, None while it runs."""
    no_class = "Java found no such class: compile it, and run it from its folder, or name the folder with -cp"
    if package := re.search(r"wrong name: ([\w/$]+)", output):
        name = package[1].replace("/", ".")
        return f"the class is in a package: start it from the folder above by its whole name: java {name}"
    known = {
        "Could not find or load main class": no_class,
        "ClassNotFoundException": no_class,
        "UnsupportedClassVersionError": "it was compiled for a newer Java than the one that runs it",
        "No such file or directory": "the command names a file that is not here",
        "ModuleNotFoundError": "it imports a package that is not installed for this Python",
        "SyntaxError": "it is no valid Python for the Python that runs it",
        "onnection refused": "it connects to another address or port than the two it is given",
        "ConnectionRefused": "it connects to another address or port than the two it is given",
        "UnknownHostException": "it takes something else than its first argument for the address",
    }
    signs = [(words in output, cause) for words, cause in known.items()]
    silent = "it ends without printing anything: does its main() connect, with both arguments?"
    waiting = "it waits for something else first, or connects to another address or port than the two it is given"
    crashes = "it crashes before it connects; its own output says where"
    return first_of(
        [
            *signs,
            (_ARGUMENT_MISSING.search(output), "it expects other arguments than two, the address and the port"),
            (_ADDRESS_AS_NUMBER.search(output), "it takes the address, which is its first argument, for a number"),
            (_CRASH.search(output), crashes),
            (code is None, waiting),
            (not output.strip(), silent),
        ]
    )


def of_bytes(raw: bytes, lines: bool) -> str:
    """From bytes that came instead of a message; ``lines`` is whether the port takes lines of text."""
    if recognise(raw) is Speech.ACPC:
        return "it speaks the protocol of the ACPC, which casino check does not check"
    if lines:
        return _of_frames_to_lines(raw)
    if _has_emoji(raw[2:]):
        return (
            "the avatar has an emoji, which your language writes in another way than Java's writeUTF: "
            "choose an avatar without emoji, or use the port for lines"
        )
    length = len(raw)
    first, second = (raw[0], raw[1]) if length > 1 else (0, 0)
    return first_of(
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


def _has_emoji(body: bytes) -> bool:
    """Whether bytes are text in UTF-8 with a character of four bytes, which Java writes as six."""
    text = body.decode(errors="ignore")
    return text.encode() == body and any(character > "\uffff" for character in text)


def _is_text(raw: bytes) -> bool:
    return bool(raw) and all(byte in b"\r\n\t" or byte >= 32 for byte in raw)


def _counts_characters(raw: bytes) -> bool:
    """Whether the length is that of the text, some of whose letters have several bytes."""
    announced, body = int.from_bytes(raw[:2], "big"), raw[2:]
    return announced < len(body) and len(body.decode(errors="ignore")) == announced


def _of_frames_to_lines(raw: bytes) -> str:
    return first_of(
        [
            (raw[:1] == b"\0" and b"\n" not in raw[2:], "it sends what writeUTF sends; this port takes lines of text"),
            (not raw.endswith(b"\n"), "the line has no end: send a newline behind every message"),
        ]
    )


def of_login(text: str) -> str:
    """From a reply to login that is no name."""
    return first_of(
        [
            ("\0" in text, "every character has two bytes, as in UTF-16: send UTF-8, as writeUTF does"),
            (text.lower().startswith("login"), "it repeats the word login: send only your id, a colon and your avatar"),
            (text and ":" not in text, "it sends one word: send an id, a colon and an avatar, as in ada-l:Ada"),
            ("<" in text, "the angle brackets stand for your own words; leave them out"),
            (
                ":" in text and re.search(r"[^\w-]", text.partition(":")[0]),
                "the id has a blank or a sign such as @: use letters, digits, - and _; the avatar may have blanks",
            ),
        ]
    )


def of_unreadable(reply: str, question: str, names: Sequence[str], text: QuestionText) -> str:
    """From a reply to a question that cannot be read, and what passed before it.

    Args:
        reply: of the program.
        question: that it was sent.
        names: the replies to login of this program.
        text: how the game writes its questions and replies.
    """
    return first_of(
        [
            (question in reply, "the question is part of the reply: send the reply alone, and print everything else"),
            (reply.strip() in names, "it answers the question with its reply to login"),
            (True, text.malformed(reply)),
        ]
    )


def of_malformed(text: str) -> str:
    """From a reply to a question that is neither ``fold`` nor ``bet:<chips>``; empty where its form says nothing."""
    word = text.strip().lower()
    reply = re.fullmatch(r"fold|bet:[0-9]{1,9}", word)
    return first_of(
        [
            (not word, "the reply is empty"),
            ("\0" in text, "a character with the number 0 is sent along, as at the end of a text in C"),
            (text.startswith(("b'", 'b"')), "quotation marks are sent along: make text of the bytes with decode()"),
            (re.fullmatch(r"(['\"]).*\1", text), "quotation marks are sent along: send the text alone"),
            (reply and text != text.strip(), "a blank or a line end is sent along with the reply"),
            (reply, "write 'bet' and 'fold' in lower case"),
            (re.match(r"fold\b", word), "nothing may stand behind fold"),
            (re.fullmatch(r"\d+", word), "'bet:' is missing in front of the number"),
            (re.fullmatch(_NOTHING, word), _NO_AMOUNT),
            (re.match(r"(check|call|raise|see)\b", word), "a check is bet:0, a call bets what is owed, a raise more"),
            (re.fullmatch(r"bet[ =]?\d*", word), "between bet and the number stands a colon"),
            (re.fullmatch(r"bet\d:\d+", word), "bet is the same word on every street, without a number of its own"),
            (word.startswith("bet:"), _of_amount(word[4:])),
            (OTHER_WORDS.fullmatch(word), "the only words are fold and bet"),
        ]
    )


def _of_amount(amount: str) -> str:
    """From what stands behind ``bet:`` and is no whole number of chips."""
    return first_of(
        [
            (re.fullmatch(r"\s+[0-9]+", amount), "there is a blank behind the colon"),
            (re.fullmatch(r"-[0-9]+", amount), "a number below zero: compare with what is owed before you subtract"),
            (re.fullmatch(r"-?[0-9]+\.[0-9]*", amount), "a number with a point: make the amount an int"),
            (re.fullmatch(r"\+[0-9]+", amount), "a plus sign stands before the number"),
            (re.fullmatch(r"[0-9]{10,}", amount), "a number of more than nine digits"),
            (re.fullmatch(_NOTHING, amount), _NO_AMOUNT),
            (re.fullmatch(r"\D[0-9]+", amount), "a sign stands before the number: write only digits, as in bet:10"),
            (re.match(r"[0-9]", amount), "something stands behind the number: write only digits, as in bet:10"),
            (not re.search(r"\d", amount), "the amount is not a number"),
        ]
    )


def of_silent_login(printed: str, lines: bool) -> str:
    """From the standard output of a program that has not even said its name."""
    if _NAME.search(printed):
        return "it prints its reply instead of sending it"
    if lines:
        return "it waits for a frame, as readUTF does, where this port sends lines; or its reply was not flushed"
    return "it waits for a line where this port sends what readUTF reads; or its reply was not flushed"

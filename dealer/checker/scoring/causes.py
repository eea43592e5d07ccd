"""What a mistake usually comes from. Each function recognises one sort of mistake, and gives "" for all others."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from protocol.games.base import Turn

#: What Java's ObjectOutputStream sends first.
JAVA_STREAM = b"\xac\xed\x00\x05"

#: What looks like a reply in a program's printed output.
_REPLY = re.compile(r"(?im)\bfold\b|\bbet:\s*\d+|^[\w-]+:[^:\n]+$")

#: The lines of a program's output that say why it ended, and not where.
_ERROR = re.compile("Error|Exception")

#: A ten, the only card of three characters.
_TEN = re.compile(r"10[SHDC]")

_PRINTS = "it prints its reply instead of sending it"

#: Messages that are not questions about a hand.
_OTHER_MESSAGES = ("login", "game", "status", "done")

#: Signs with the cause that each points to; the first sign that is true decides, so the most certain come first.
Signs = Iterable[tuple[object, str]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question of this connection with the reply to it, for comparison."""

    turn: Turn
    reply: str


@dataclass(frozen=True, slots=True)
class QuestionText:
    """How a game writes its questions, as far as it explains why a program crashes on one.

    Attributes:
        literals: fields that are words and no values, each with its meaning as a relative clause without "which".
        news: what is new in a kind of question, as a relative clause; by the first field of the question.
        players: counts the players whose cards a question shows, from its fields; None where no question shows any.
        most_players: at one table.
    """

    literals: Mapping[str, str] = field(default_factory=dict)
    news: Mapping[str, str] = field(default_factory=dict)
    players: Callable[[Sequence[str]], int] | None = None
    most_players: int = 0


def _first(signs: Signs) -> str:
    return next((cause for sign, cause in signs if sign), "")


def why_no_connection(output: str, code: int | None) -> str:
    """From the output of a program that did not connect; ``code`` is its exit code, None while it runs."""
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
    silent = "it ends without printing anything: does its main() connect, with both arguments?"
    waiting = "it waits for something else first, or connects to another address or port than the two it is given"
    return _first([*signs, (code is None, waiting), (not output.strip(), silent)])


def of_bytes(raw: bytes, lines: bool) -> str:
    """From bytes that came instead of a message; ``lines`` is whether the port takes lines of text."""
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
    """From a reply to a question that is neither ``fold`` nor ``bet:<chips>``."""
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
    """From a bet that the rules forbid.

    Args:
        amount: chips that the program bet.
        turn: the question.
        put: chips that the program put in on this street before.
        before: earlier questions of this connection.
    """
    most = _highest(turn)
    same = {exchange.reply for exchange in before[-5:]} == {f"bet:{amount}"} and len(before) >= 5
    total = f"it bets the total of the street; the number is what is put in now, and {put} are in already"
    return _first(
        [
            (put and turn.owed <= amount - put <= most, total),
            (same, "it bets the same whatever is owed"),
            (_was_right_before(amount, turn, before), "it sends a stale bet: the amount fits the question before this"),
            # where the highest bet is the whole stack, it is the stack that forbids more
            (most == turn.stack < amount, "it does not look at its stack, which has fewer chips"),
            (amount == turn.stack, f"it bets its whole stack; at most {most} chips are allowed"),
            (
                amount < turn.owed < amount + turn.owed <= most,
                "it bets the raise alone; what is owed has to be in the number too",
            ),
        ]
    )


def _highest(turn: Turn) -> int:
    """The most chips that the rules allow now."""
    return max(turn.legal().raises, default=turn.owed)


def _was_right_before(amount: int, turn: Turn, before: Sequence[Exchange]) -> bool:
    """Whether the amount is the call, or the highest raise, of the last question and not of this one."""
    if not before:
        return False
    last = before[-1].turn
    raised = _highest(last) - last.owed
    # the highest raise above what is owed now is not stale, even where the stack does not pay it
    return 0 < last.owed != turn.owed and amount in (last.owed, last.owed + raised) and amount != turn.owed + raised


def of_crash(question: str, output: str, answered: Iterable[str], text: QuestionText) -> str:
    """From a program that ended on a question: what its errors say, and what is new in this question.

    Args:
        question: the last message the program was sent.
        output: of the program.
        answered: earlier questions that it replied to.
        text: how the game writes its questions.
    """
    fields, seen = question.split(":"), [earlier.split(":") for earlier in answered]
    kind = fields[0]
    if kind in _OTHER_MESSAGES:
        return f"it crashes on {kind}"
    said = "\n".join(line for line in output.splitlines() if _ERROR.search(line))
    out_of_range = re.search("IndexOutOfBounds|IndexError|out_of_range", said)
    tens = _has_ten(fields) and not any(map(_has_ten, seen))
    return _first(
        [
            *_literals(said, text),
            (
                tens and seen and not out_of_range,
                "this is the first question with a ten, the only card of three characters",
            ),
            (_first_of_its_kind(kind, seen, text), f"this is the first {kind}" + _news(kind, text)),
            (
                seen and _most_players(fields, seen, text),
                f"no question before had so many players; at a table sit up to {text.most_players}",
            ),
            (
                out_of_range,
                "it takes a field that is not there: the number of fields differs from question to question",
            ),
        ]
    )


def _has_ten(fields: Sequence[str]) -> bool:
    return any(map(_TEN.fullmatch, fields))


def _literals(said: str, text: QuestionText) -> Signs:
    """Whether an error names a literal, or its first or last letter, which Java and Python show when they parse it."""
    for literal, meaning in text.literals.items():
        quoted = "|".join([f"{literal[0]}(?:{literal[1:]})?", literal[-1]])
        cause = f"it parses the literal {literal!r}, which {meaning}, as a card or a number"
        yield re.search(f"""['"](?:{quoted})['"]""", said), cause


def _first_of_its_kind(kind: str, seen: Sequence[Sequence[str]], text: QuestionText) -> bool:
    """Whether no question of this kind came before. The very first question of all counts if its kind has news."""
    return (bool(seen) or kind in text.news) and all(fields[0] != kind for fields in seen)


def _news(kind: str, text: QuestionText) -> str:
    return f", {text.news[kind]}" if kind in text.news else ""


def _most_players(fields: Sequence[str], seen: Sequence[Sequence[str]], text: QuestionText) -> bool:
    """Whether a question shows more players than all before it."""
    return text.players is not None and text.players(fields) > max(map(text.players, seen), default=0)


def of_silent_login(printed: str, lines: bool) -> str:
    """From the standard output of a program that has not even said its name."""
    if _REPLY.search(printed):
        return _PRINTS
    if lines:
        return "it waits for a frame, as readUTF does, where this port sends lines; or its reply was not flushed"
    return "it waits for a line where this port sends what readUTF reads; or its reply was not flushed"


def of_silence(printed: str) -> str:
    """From the standard output of a program that sent nothing."""
    if _REPLY.search(printed):
        return _PRINTS
    return "a loop that does not end, one read too many, or a reply that was not flushed"

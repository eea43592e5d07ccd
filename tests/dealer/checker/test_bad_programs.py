"""Every mistake fails the line of the rubric that it belongs to, with its cause, and no other line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dealer.checker.output.check_report import Results
from tests.dealer.checker.checked import WHERE, all_at_once, examined, failed, line, missed, program

#: Seconds for a reply where the test is not about time; even a busy machine keeps it.
LIMIT = 4.0


@dataclass(frozen=True)
class Mistake:
    """What the checker must say of a program.

    Attributes:
        line: of the rubric, that fails.
        cause: words of the cause.
        lost: no other line can be judged, since the program is lost at once.
        also: lines that fail as a consequence.
        flags: of the check.
    """

    line: str
    cause: str
    lost: bool = False
    also: frozenset[str] = frozenset()
    flags: tuple[tuple[str, Any], ...] = (("limit", LIMIT),)


#: Tests that share the mistakes, so that several processes can run them.
PARTS = 4

#: A short limit for programs that do not answer.
SOON = (("limit", 0.5),)

MISTAKES = {
    "ParsesUp": Mistake("answers", "literal 'up'", lost=True),
    "KnowsNoBet2": Mistake("answers", "it does not know bet2", flags=SOON),
    "CrashesOnTens": Mistake("answers", "the first question with a ten"),
    "CrashesOnManyPlayers": Mistake("answers", "so many players"),
    "StaleBet": Mistake("legal", "stale bet"),
    "AnswersStatus": Mistake("answers", "it replies to status"),
    "AnswersDone": Mistake("answers", "it replies to done"),
    "ReadsOneTooMany": Mistake("answers", "one message too many", also=frozenset({"closes"}), flags=SOON),
    "ReadsAhead": Mistake("answers", "only when the next one comes", lost=True, flags=SOON),
    "BareLine": Mistake("login", "as println does", lost=True),
    "BareText": Mistake("login", "without the two bytes of the length", lost=True),
    "IntLength": Mistake("login", "four bytes, as writeInt", lost=True),
    "LittleEndian": Mistake("login", "the wrong way round", lost=True),
    "CountsCharacters": Mistake("login", "the length counts characters", lost=True),
    "IdOnly": Mistake("login", "an id, a colon and an avatar", lost=True),
    "ChangesItsName": Mistake("login", "made by chance"),
    "PrintsReplies": Mistake("answers", "prints its reply instead of sending it", lost=True, flags=SOON),
    "SaysNothing": Mistake("answers", "a loop that does not end", lost=True, flags=SOON),
    "AnswersTwice": Mistake("answers", "two replies to one question"),
    "BetsTheTotal": Mistake("legal", "the total of the street"),
    "BetsBeyondItsStack": Mistake("legal", "does not look at its stack"),
    "BetsTheRaiseAlone": Mistake("legal", "the raise alone"),
    "Shouts": Mistake("legal", "in lower case"),
    "Doubles": Mistake("legal", "a number with a point"),
    "SendsLineEnds": Mistake("legal", "a line end is sent along"),
    "CrashesOnStatus": Mistake("news", "crashes on status", lost=True),
    "CrashesOnLosing": Mistake("news", "crashes on status"),
    "CrashesOnDone": Mistake("news", "crashes on done"),
    "StaysAfterDone": Mistake("closes", "goes on reading"),
    "KeepsRunning": Mistake("closes", "keeps it running"),
    "ConnectsTwice": Mistake("connects", "a second Socket", flags=(("limit", 1.0),)),
    "EndsAtOnce": Mistake("connects", "other arguments than two", lost=True),
    "NeverConnects": Mistake("connects", "waits for something else first", lost=True, flags=(("patience", 2.0),)),
}

JAVA = {
    "parses-up": Mistake("answers", "literal 'up'", lost=True),
    "int-length": Mistake("login", "four bytes, as writeInt", lost=True),
    "chars": Mistake("login", "as writeChars sends it", lost=True, flags=SOON),
    "line": Mistake("login", "as println does", lost=True),
    "objects": Mistake("login", "ObjectOutputStream", lost=True),
    "prints": Mistake("answers", "prints its reply instead of sending it", lost=True, flags=SOON),
    "answers-status": Mistake("answers", "it replies to status"),
    "stays-after-done": Mistake("closes", "goes on reading"),
}


def judged_as(results: Results, mistake: Mistake) -> None:
    assert failed(results) - mistake.also == {mistake.line}
    if not mistake.lost:
        assert {"answers", "clock", "legal", "news"} & missed(results) <= {mistake.line, *_starved(results)}
    wrong = line(results, mistake.line)
    assert wrong.points == 0
    causes = {finding.cause for finding in wrong.findings}
    assert any(mistake.cause in cause for cause in causes), causes
    assert all(finding.rule for finding in wrong.findings)


def _starved(results: Results) -> set[str]:
    """Lines that were checked too seldom to be judged, with a note that says so."""
    lines = results.verdict.lines
    return {str(verdict.line.id) for verdict in lines if verdict.verdict == "not judged" and verdict.note}


async def found_as(mistake: Mistake, command: Sequence[str]) -> None:
    judged_as(await examined("stud", command, **dict(mistake.flags)), mistake)


@pytest.mark.parametrize("part", [0, *[pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS)]])
async def test_mistake_fails_its_line_with_its_cause(part: int) -> None:
    names = list(MISTAKES)[part::PARTS]
    await all_at_once({name: partial(found_as, MISTAKES[name], program(name)) for name in names})


@pytest.mark.slow
async def test_mistake_in_java_fails_its_line_with_its_cause(bad_java: Path) -> None:
    java = ["java", "-cp", str(bad_java), "BadPoker"]
    await all_at_once({name: partial(found_as, JAVA[name], [*java, name, *WHERE]) for name in JAVA})


@pytest.mark.slow
async def test_late_reply_is_reported_with_its_time() -> None:
    results = await examined("stud", program("TooSlow", "0.9"), limit=0.6)
    assert failed(results) == {"clock"}
    finding = line(results, "clock").findings[0]
    assert re.fullmatch(r"the reply took \d\.\d{3} s", finding.what)
    assert finding.sent.startswith("bet2:")
    assert finding.came is not None
    assert finding.came[2:].startswith((b"bet:", b"fold"))


async def test_crash_shows_the_last_lines_of_output() -> None:
    results = await examined("stud", program("ParsesUp"), limit=LIMIT)
    (finding,) = line(results, "answers").findings
    assert finding.said[-1] == "ValueError: invalid literal for int() with base 10: 'u'"
    assert finding.sent.startswith("bet1:")


async def test_received_bytes_are_reported() -> None:
    results = await examined("stud", program("IntLength"), limit=LIMIT)
    (finding,) = line(results, "login").findings
    assert finding.came == b"\0\0\0\x09bad-1:Bad"
    assert finding.sent == "login"


async def test_command_that_cannot_be_run_is_reported() -> None:
    results = await examined("stud", ["no-such-program", *WHERE])
    (finding,) = line(results, "connects").findings
    assert finding.what == "cannot run 'no-such-program': No such file or directory"

"""Check real programs from within a test, and what the checker must say of those of ``tests/bad_bots/programs.py``."""

import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trio

from dealer.checker.check import examine_program
from dealer.checker.check_flags import CheckFlags
from dealer.checker.output.check_report import Results
from dealer.checker.scoring.verdict import LineVerdict
from tests.patience import PATIENCE

PROGRAMS = Path(__file__).parents[2] / "bad_bots" / "programs.py"
JAVA = Path(__file__).parents[2] / "bad_bots" / "java"
WHERE = ("{host}", "{port}")


async def examined(game: str, command: Sequence[str], **flags: Any) -> Results:
    with trio.fail_after(PATIENCE):
        return await examine_program(game, command, CheckFlags(**{"hands": 40, **flags}))


async def all_at_once(checks: Mapping[str, Callable[[], Awaitable[None]]], at_a_time: int = 5) -> None:
    """Run checks side by side, since they mostly wait; the error of one that fails has its name."""
    limiter = trio.CapacityLimiter(at_a_time)

    async def make(name: str, check: Callable[[], Awaitable[None]]) -> None:
        async with limiter:
            try:
                await check()
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from error

    async with trio.open_nursery() as nursery:
        for name, check in checks.items():
            nursery.start_soon(make, name, check)


def program(name: str, *more: str) -> list[str]:
    """The command that starts one of ``tests/bad_bots/programs.py``."""
    return [sys.executable, str(PROGRAMS), name, *WHERE, *more]


def line(results: Results, id: str) -> LineVerdict:
    (found,) = (verdict for verdict in results.lines if verdict.line.id == id)
    return found


def compliance(results: Results) -> list[LineVerdict]:
    """The verdicts on the lines that hold for every game."""
    return [verdict for verdict in results.lines if not verdict.line.play]


def failed(results: Results) -> set[str]:
    """The lines of compliance that failed."""
    return {str(verdict.line.id) for verdict in compliance(results) if verdict.verdict == "failed"}


def missed(results: Results) -> set[str]:
    """The lines of compliance that did not pass."""
    return {str(verdict.line.id) for verdict in compliance(results) if verdict.verdict != "passed"}


#: Seconds for a reply where the test is not about time.
LIMIT = 30.0


@dataclass(frozen=True)
class Mistake:
    """What the checker must say of a program.

    Attributes:
        line: of the rubric, that fails.
        cause: words of the cause.
        lost: no other line can be judged, since the program is lost at once.
        flags: of a check of the real process.
        in_process: judging it takes many limits, or depends on what comes within a fifth of a second. It is checked
            on a mock clock alone.
    """

    line: str
    cause: str
    lost: bool = False
    flags: tuple[tuple[str, Any], ...] = (("limit", LIMIT),)
    in_process: bool = False


#: For programs that answer nothing but the login: the check takes some six times that limit.
SILENT = (("limit", 5.0),)

MISTAKES = {
    "ParsesUp": Mistake("answers", "literal 'up'", lost=True),
    "KnowsNoBet2": Mistake("answers", "it does not know bet2", in_process=True),
    "CrashesOnTens": Mistake("answers", "no question with a ten was answered"),
    "CrashesOnManyPlayers": Mistake("answers", "so many players was answered"),
    "StaleBet": Mistake("legal", "stale bet"),
    "AnswersStatus": Mistake("answers", "it replies to status", in_process=True),
    "AnswersDone": Mistake("answers", "it replies to done", in_process=True),
    "ReadsOneTooMany": Mistake("answers", "one message too many", in_process=True),
    "ReadsAhead": Mistake("answers", "only when the next one comes", lost=True, in_process=True),
    "BareLine": Mistake("login", "as println does", lost=True),
    "BareText": Mistake("login", "without the two bytes of the length", lost=True),
    "IntLength": Mistake("login", "four bytes, as writeInt", lost=True),
    "LittleEndian": Mistake("login", "the wrong way round", lost=True),
    "CountsCharacters": Mistake("login", "the length counts characters", lost=True),
    "IdOnly": Mistake("login", "an id, a colon and an avatar", lost=True),
    "ChangesItsName": Mistake("login", "made by chance"),
    "PrintsReplies": Mistake("answers", "prints its reply instead of sending it", lost=True, flags=SILENT),
    "SaysNothing": Mistake("answers", "a loop that does not end", lost=True, flags=SILENT),
    "AnswersTwice": Mistake("answers", "two replies to one question", lost=True, in_process=True),
    "SendsReplyInTwoMessages": Mistake("answers", "one reply is sent as two messages", lost=True),
    "BetsTheTotal": Mistake("legal", "the total of the street"),
    "BetsBeyondItsStack": Mistake("legal", "more chips than it has"),
    "BetsTheRaiseAlone": Mistake("legal", "the raise alone"),
    "Shouts": Mistake("legal", "in lower case", lost=True),
    "Doubles": Mistake("legal", "a number with a point"),
    "SendsLineEnds": Mistake("legal", "a line end is sent along"),
    "CrashesOnStatus": Mistake("news", "crashes on status", lost=True, in_process=True),
    "PlaysOneHand": Mistake("news", "it ends by itself after status", lost=True, in_process=True),
    "CrashesOnLosing": Mistake("news", "crashes on status", in_process=True),
    "CrashesOnDone": Mistake("news", "crashes on done"),
    "StaysAfterDone": Mistake("closes", "goes on reading"),
    "KeepsRunning": Mistake("closes", "keeps it running"),
    "ConnectsTwice": Mistake("connects", "a second Socket", in_process=True),
    "EndsAtOnce": Mistake("connects", "crashes before it connects", lost=True),
    "PrintsOneBranch": Mistake("answers", "computes the reply and prints it", in_process=True),
    "CatchesExceptions": Mistake("answers", "an exception keeps it from replying", in_process=True),
    "NeverConnects": Mistake("connects", "waits for something else first", lost=True, flags=(("patience", 2.0),)),
}

#: Mistakes that show in some hands only, or that are easily taken for others.
RARE = {
    "ThreeTooManyWithAPair": Mistake("legal", "more chips than it has"),
    "ElevenWithThreeOfAKind": Mistake("legal", "one chip more than the most that is allowed"),
    "AllInWithThreeOfAKind": Mistake("legal", "its whole stack"),
    "NeverMoreThanFifteen": Mistake("legal", ""),
    "OneTooManyOnStreet2": Mistake("legal", "more chips than it has"),
    "ForgetsItsStackWhenRaised": Mistake("legal", "more chips than it has"),
    "OpensWithFive": Mistake("legal", "more chips than it has"),
    "RaisesWithItsLastChip": Mistake("legal", "more chips than it has"),
    "NineIsEnoughForTen": Mistake("legal", "more chips than it has"),
    "FifteenForASpadeOnStreet2": Mistake("legal", "more than is allowed"),
    "BelowZero": Mistake("legal", "a number below zero"),
    "StaleRaise": Mistake("legal", "stale bet"),
    "TakesPotForOwed": Mistake("legal", "takes the pot for what is owed"),
    "AnswersTwiceNowAndThen": Mistake("answers", "sometimes sends two replies to one question"),
    "AlwaysFive": Mistake("legal", "the same whatever is owed"),
    "ReadsTwiceAfterReply": Mistake("answers", "a second read after each reply"),
    "ReadsTwiceAfterStatus": Mistake("answers", "reads once too often"),
    "SilentBranch": Mistake("answers", "a branch that sends nothing"),
    "AnswersOnceAStreet": Mistake("answers", "a branch that sends nothing"),
    "MuchTooSlow": Mistake("answers", "much too slow", lost=True),
    "CrashesOnBet2": Mistake("answers", "no bet2 was answered"),
    "CrashesOnItsOwnTens": Mistake("answers", "a ten among the program's own cards"),
    "CrashesAfterAFold": Mistake("answers", "a field that is not there"),
}

#: Causes that must never be named for a program, since they are not its mistake.
NEVER = {
    "BetsBeyondItsStack": ("total",),
    "BetsTheRaiseAlone": ("stale", "total"),
    "StaleBet": ("the raise alone", "total"),
    "StaleRaise": ("the raise alone", "total"),
    "AlwaysFive": ("the raise alone", "stale"),
    "TakesPotForOwed": ("the raise alone", "stale", "total", "more than is allowed"),
    "BelowZero": ("the raise alone", "stale", "total"),
    "NeverMoreThanFifteen": ("the raise alone", "stale", "total"),
    "ForgetsItsStackWhenRaised": ("total", "stale"),
    "KnowsNoBet2": ("too many",),
    "ReadsTwiceAfterReply": ("does not know", "branch"),
    "ReadsTwiceAfterStatus": ("does not know",),
    "ReadsOneTooMany": ("does not know", "branch"),
    "SilentBranch": ("does not know", "prints"),
    "AnswersOnceAStreet": ("does not know", "too many"),
    "PrintsOneBranch": ("does not know", "too many"),
    "MuchTooSlow": ("too many",),
    "CrashesOnTens": ("players", "ten among", "bet2"),
    "CrashesOnManyPlayers": ("ten,", "ten among", "bet2"),
    "CrashesOnItsOwnTens": ("players", "bet2"),
    "PlaysOneHand": ("crashes",),
    "CrashesOnBet2": ("ten,", "ten among", "players"),
    "CrashesAfterAFold": ("ten,", "ten among", "players", "bet2"),
}

#: Programs without a mistake, however they play.
SOUND = (
    "Good", "HalfCloses", "SendsInPieces", "AlwaysCalls", "FoldsOften", "FoldsAlways", "LooksAtTheHighestCard",
    "ComparesHighCards", "Tight", "Maniac", "Bluffs", "ReadsInSequence", "EchoesAndExplains",
)  # fmt: skip


def judged_as(results: Results, mistake: Mistake) -> None:
    assert failed(results) == {mistake.line}
    if not mistake.lost:
        assert {"answers", "clock", "legal", "news"} & missed(results) <= {mistake.line, *_starved(results)}
    wrong = line(results, mistake.line)
    assert wrong.points == 0
    causes = {finding.cause for verdict in results.lines for finding in verdict.findings}
    assert any(mistake.cause in cause for cause in causes), causes
    assert all(finding.rule for finding in wrong.findings)


def _starved(results: Results) -> set[str]:
    """Lines that were checked too seldom to be judged, with a note that says so."""
    lines = results.lines
    return {str(verdict.line.id) for verdict in lines if verdict.verdict == "not judged" and verdict.note}


def never_named(results: Results, name: str) -> None:
    """Assert that none of the causes was named that are not the mistake of a program."""
    causes = {finding.cause for verdict in results.lines for finding in verdict.findings}
    wrong = {cause for cause in causes for words in NEVER.get(name, ()) if words in cause}
    assert not wrong, wrong

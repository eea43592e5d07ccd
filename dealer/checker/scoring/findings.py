"""What a check has found so far: how much went well, and everything that did not."""

from collections import Counter
from dataclasses import dataclass, field

from dealer.checker.scoring.rubric import LineId

KEPT = 200
"""Findings of one line that are kept in full; a program that is wrong every time fills no memory."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was wrong.

    Attributes:
        line: of the rubric.
        what: happened, in words.
        rule: that was broken, in one sentence.
        sent: the last message the program was sent; empty if there was none.
        came: the bytes that came back; None where the point is not what came.
        cause: what such a mistake usually comes from, where it is recognised.
        said: the last lines of the program's own output, where they matter.
        where: in which part of the check.
    """

    line: LineId
    what: str
    rule: str
    sent: str = ""
    came: bytes | None = None
    cause: str = ""
    said: tuple[str, ...] = ()
    where: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """How one situation was played.

    Attributes:
        line: situations or boards.
        name: of the situation.
        good: whether the play makes sense.
        reason: why such play makes sense, in the words of the assignment where it has some.
        seen: what was asked and replied, an example for each way that was not sensible.
    """

    line: LineId
    name: str
    good: bool
    reason: str
    seen: tuple[str, ...] = ()


@dataclass(slots=True)
class Findings:
    """Filled while a program is checked.

    Attributes:
        checks: how often something was as it should be, by line of the rubric.
        wrong: how often it was not.
        kept: what was wrong.
        played: situations.
        seconds: that replies took, from the last byte of the question to the last byte of the reply.
        silences: questions that were never answered.
        answered: questions that got a reply, as texts.
        kinds: how often each kind of question was asked.
        names: that were replied to login.
        notes: facts worth telling of a line that was passed.
    """

    checks: Counter[LineId] = field(default_factory=Counter)
    wrong: Counter[LineId] = field(default_factory=Counter)
    kept: list[Finding] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    silences: int = 0
    answered: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    names: list[str] = field(default_factory=list)
    notes: dict[LineId, str] = field(default_factory=dict)

    def fine(self, line: LineId, times: int = 1) -> None:
        """Something was as it should be."""
        self.checks[line] += times

    def add(self, finding: Finding) -> None:
        """Something was not."""
        self.wrong[finding.line] += 1
        if self.wrong[finding.line] <= KEPT:
            self.kept.append(finding)

    def of(self, line: LineId) -> list[Finding]:
        """What was wrong with a line, in the order it happened."""
        return [finding for finding in self.kept if finding.line is line]

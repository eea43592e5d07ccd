"""Points for what was found, line by line of the rubric."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Any

from dealer.checker.scoring.findings import Finding, Findings, Played
from dealer.checker.scoring.rubric import Line, LineId
from dealer.ledger.columns import reply_time
from protocol.plurals import plural

#: Findings of one line that are listed in JSON, at most.
IN_JSON = 20

#: Milliseconds between which the median reply lies if a program sends its replies in two pieces: the system holds the
#: second piece back until the first was acknowledged, and delayed acknowledgements take 40 ms.
TWO_PIECES = (35, 60)

_NOT_THAT_FAR = "the check did not get that far"


@dataclass(frozen=True, slots=True)
class LineVerdict:
    """The verdict on one line of the rubric.

    Attributes:
        line: of the rubric.
        verdict: passed, partly, failed, or not judged.
        points: for this line.
        note: the reason for the verdict, in a few words.
        wrong: how often something was wrong.
        findings: what was wrong, with some examples of each cause.
        played: the situations of this line.
        causes: how often something was wrong, by cause.
    """

    line: Line
    verdict: str
    points: float
    note: str
    wrong: int
    findings: tuple[Finding, ...] = ()
    played: tuple[Played, ...] = ()
    causes: Mapping[str, int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The verdict as JSON facts."""
        return {
            "id": str(self.line.id),
            "rule": self.line.rule,
            "verdict": self.verdict,
            "points": round(self.points, 1),
            "of": self.line.points,
            "note": self.note,
            "wrong": self.wrong,
            "findings": [_finding_dict(finding) for finding in self.findings[:IN_JSON]],
            "situations": [
                {"name": one.name, "sensible": one.good, "reason": one.reason, "seen": list(one.seen)}
                for one in self.played
            ],
        }


def _finding_dict(finding: Finding) -> dict[str, Any]:
    return {
        "what": finding.what,
        "sent": finding.sent,
        "came": None if finding.came is None else finding.came.hex(" "),
        "rule": finding.rule,
        "cause": finding.cause,
        "said": list(finding.said),
        "where": finding.where,
    }


def judge(findings: Findings, rubric: Sequence[Line]) -> tuple[LineVerdict, ...]:
    """The verdict on every line of the rubric."""
    return tuple(_judge(findings, line) for line in rubric)


def _judge(findings: Findings, line: Line) -> LineVerdict:
    if line.play:
        return _judge_play(findings, line)
    wrong, checks = findings.wrong[line.id], findings.checks[line.id]
    if wrong:
        note = f"wrong {plural(wrong, 'time')}, right {plural(checks, 'time')}"
        causes = {cause: times for (id_, cause), times in findings.causes.items() if id_ == line.id}
        return LineVerdict(line, "failed", 0, note, wrong, tuple(findings.of(line.id)), causes=causes)
    if checks < line.least:
        few = f"only {plural(checks, 'time')} right; see the other lines"
        return LineVerdict(line, "not judged", 0, few if checks else _NOT_THAT_FAR, 0)
    return LineVerdict(line, "passed", line.points, note_on(findings, line.id), 0)


def _judge_play(findings: Findings, line: Line) -> LineVerdict:
    played = tuple(one for one in findings.played if one.line == line.id)
    judged = [one for one in played if one.good is not None]
    good = sum(bool(one.good) for one in judged)
    if not judged:
        why = "it came to none of the situations" if played else _NOT_THAT_FAR
        return LineVerdict(line, "not judged", 0, why, 0, (), played)
    needed = min(line.enough or len(judged), len(judged))
    verdict = "passed" if good >= needed else "partly" if good else "failed"
    note = f"{good} of {len(judged)} situations"
    if line.enough is not None:
        note += f"; {needed} are enough"
    if left := len(played) - len(judged):
        note += f"; {left} not judged"
    return LineVerdict(line, verdict, line.points * min(1, good / needed), note, len(judged) - good, (), played)


def note_on(findings: Findings, line: str) -> str:
    """Why a line was passed, in a few words."""
    match line:
        case LineId.LOGIN:
            return f"{findings.names[0]}, {plural(findings.checks[line], 'time')}"
        case LineId.CLOCK:
            return _times_in_words(times_of(findings))
        case LineId.LEGAL:
            return f"{findings.checks[line]} replies"
        case _:
            return findings.notes.get(line) or plural(findings.checks[line], "time")


def _times_in_words(times: dict[str, float]) -> str:
    half, most, longest = (reply_time(times[name] / 1000) for name in ("p50", "p99", "max"))
    words = f"half {half}, 99 % {most}, longest {longest}"
    if TWO_PIECES[0] <= times["p50"] <= TWO_PIECES[1]:
        words += "; it seems to send each reply in two pieces, and the system holds back the second: send it in one"
    return words


def times_of(findings: Findings) -> dict[str, float]:
    """Milliseconds of the replies: the median, the 99th percentile, and the longest."""
    if len(findings.seconds) < 2:
        return dict.fromkeys(("p50", "p99", "max"), 1000 * sum(findings.seconds))
    cuts = quantiles(findings.seconds, n=100, method="inclusive")
    return {"p50": 1000 * cuts[49], "p99": 1000 * cuts[98], "max": 1000 * max(findings.seconds)}

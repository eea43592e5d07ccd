"""The results of a check as tables for people, and as JSON."""

import json
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dealer.checker.scoring.findings import Finding, Findings, Played
from dealer.checker.scoring.verdict import LineVerdict, Verdict, times_of
from dealer.cli.tables import coloured, drawn, new_table

#: Findings of one line that are shown in full, each with another cause.
SHOWN = 3

#: Bytes of a reply that are shown.
BYTES_SHOWN = 48

#: Examples that are shown of each situation that was not played sensibly.
EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Results:
    """A check that is over.

    Attributes:
        game: whose rules were applied.
        what: what was checked: the command, or the port.
        seed: that decided the cards.
        least: per cent of the points that are needed to pass; None if every rule must be kept, however it plays.
        findings: of the check.
        verdict: the points for them.
        remark: on what was checked, in a sentence; empty if there is nothing to say.
    """

    game: str
    what: str
    seed: str
    least: float | None
    findings: Findings
    verdict: Verdict
    remark: str = ""

    @property
    def passed(self) -> bool:
        """Whether enough points were reached, or every rule was kept; never where nothing could be judged."""
        if self.least is not None:
            return bool(self.verdict.lines) and self.verdict.percent >= self.least
        rules = [line.verdict for line in self.verdict.lines if not line.line.play]
        return bool(rules) and all(verdict == "passed" for verdict in rules)


def as_json(results: Results) -> str:
    """All facts of a check as JSON."""
    verdict = results.verdict
    facts: dict[str, Any] = {
        "game": results.game,
        "what": results.what,
        "seed": results.seed,
        "name": results.findings.names[0] if results.findings.names else None,
        "points": round(verdict.points, 1),
        "of": verdict.of,
        "percent": round(verdict.percent, 1),
        "needed": results.least,
        "passed": results.passed,
        "milliseconds": {key: round(value, 3) for key, value in times_of(results.findings).items()},
        "tried": dict(sorted(results.findings.kinds.items())),
        "lines": [line.as_dict() for line in verdict.lines],
    }
    if results.remark:
        facts["remark"] = results.remark
    return json.dumps(facts, indent=2)


def show(results: Results) -> None:
    """Print the points of the program and of each line, and what was wrong, on standard output."""
    console = Console(highlight=False, markup=False, emoji=False)
    console.print(_total(results), soft_wrap=True)
    if results.remark:
        console.print(results.remark, soft_wrap=True)
    console.print()
    console.print(_table(results))
    for line in results.verdict.lines:
        for block in _broken(line):
            console.print("\n" + block, soft_wrap=True)
        for block in _not_sensible(line):
            console.print(Text("\n").append(drawn(block, console)), soft_wrap=True)


def _total(results: Results) -> Text:
    verdict = results.verdict
    points = f"{verdict.points:.4g} of {verdict.of} points, {verdict.percent:.0f} %"
    if not verdict.lines:
        return coloured("failed", f"{points}; nothing could be judged")
    if results.least is None:
        kept = "every rule is kept" if results.passed else "not every rule is kept"
        return coloured("passed" if results.passed else "failed", f"{points}; {kept}")
    if results.passed:
        return coloured("passed", points)
    return coloured("failed", f"{points}; {results.least:g} % are needed")


def _table(results: Results) -> Table:
    table = new_table(f"{results.game}: {results.what}")
    table.add_column("Points", justify="right", no_wrap=True)
    table.add_column("The program ...")
    table.add_column("Verdict")
    for line in results.verdict.lines:
        verdict = coloured(line.verdict)
        if line.note:
            verdict.append(f": {line.note}", "default")
        table.add_row(f"{line.points:.3g}/{line.line.points}", Text(line.line.rule), verdict)
    return table


def blocks_of(line: LineVerdict) -> list[str]:
    """What was wrong with a line in words, a paragraph for each of the first few causes."""
    return [*_broken(line), *_not_sensible(line)]


def _broken(line: LineVerdict) -> list[str]:
    """The rules that were broken."""
    return [f"{line.line.id}: {in_words(finding, times)}" for finding, times in by_cause(line)[:SHOWN]]


def _not_sensible(line: LineVerdict) -> list[str]:
    """The situations that were not played sensibly, if there were too many of them."""
    enough = line.verdict == "passed"
    return [f"{line.line.id}: {_played_in_words(one)}" for one in line.played if not (one.good or enough)]


def by_cause(line: LineVerdict) -> list[tuple[Finding, int]]:
    """The first finding of each cause, and how many there were; the most frequent first, those without a cause last."""
    first: dict[str, Finding] = {}
    for finding in line.findings:
        first.setdefault(finding.cause, finding)
    kinds = [(finding, line.causes[cause]) for cause, finding in first.items()]
    return sorted(kinds, key=lambda kind: (not kind[0].cause, -kind[1]))


def in_words(finding: Finding, times: int) -> str:
    """A finding in words: what was sent, what came back byte for byte, the rule, and a likely cause."""
    rows = [finding.what + (f" ({times} times like this)" if times > 1 else "")]
    if finding.sent:
        rows.append(f"   sent    {finding.sent}")
    if finding.came is not None:
        rows.append(f"   came    {bytes_in_words(finding.came)}")
    rows.append(f"   rule    {finding.rule}")
    if finding.cause:
        rows.append(f"   likely  {finding.cause}")
    if finding.where:
        rows.append(f"   where   {finding.where}")
    rows += [f"   {'said' if number == 0 else '':<7} {line}" for number, line in enumerate(finding.said)]
    return "\n".join(rows)


def bytes_in_words(data: bytes) -> str:
    """Bytes as hexadecimal digits and as text."""
    if not data:
        return "nothing"
    more = f" ... ({len(data)} bytes)" if len(data) > BYTES_SHOWN else ""
    shown = data[:BYTES_SHOWN]
    text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in shown)
    return f"{shown.hex(' ')}{more}   {text}"


def _played_in_words(played: Played) -> str:
    if played.good is None:
        return f"{played.name}: not judged: {played.seen[0]}"
    examples = [f"   asked   {example}" for example in played.seen[:EXAMPLES]]
    return "\n".join([played.name, *examples, f"   why     {played.reason}"])

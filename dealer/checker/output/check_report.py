"""The results of a check as tables for people, as JSON, and as JUnit XML for graders and build servers."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dealer.checker.scoring.findings import Finding, Findings, Played
from dealer.checker.scoring.verdict import LineVerdict, times_of
from dealer.cli.tables import coloured, drawn, new_table
from dealer.errors import OptionError

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
        lines: the verdicts on all lines of the rubric.
        remark: on what was checked, in a sentence; empty if there is nothing to say.
    """

    game: str
    what: str
    seed: str
    least: float | None
    findings: Findings
    lines: tuple[LineVerdict, ...]
    remark: str = ""

    @property
    def passed(self) -> bool:
        """Whether enough points were reached, or every rule was kept; never where nothing could be judged."""
        if self.least is not None:
            return bool(self.lines) and self.percent >= self.least
        rules = [line.verdict for line in self.lines if not line.line.play]
        return bool(rules) and all(verdict == "passed" for verdict in rules)

    @property
    def points(self) -> float:
        """Points of all lines together."""
        return sum(line.points for line in self.lines)

    @property
    def of(self) -> int:
        """Points that could be reached."""
        return sum(line.line.points for line in self.lines)

    @property
    def percent(self) -> float:
        """Points reached of those that could be, from 0 to 100."""
        return 100 * self.points / self.of if self.of else 0.0


def as_json(results: Results) -> str:
    """All facts of a check as JSON."""
    facts: dict[str, Any] = {
        "game": results.game,
        "what": results.what,
        "seed": results.seed,
        "name": results.findings.names[0] if results.findings.names else None,
        "points": round(results.points, 1),
        "of": results.of,
        "percent": round(results.percent, 1),
        "needed": results.least,
        "passed": results.passed,
        "milliseconds": {key: round(value, 3) for key, value in times_of(results.findings).items()},
        "lines": [line.as_dict() for line in results.lines],
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
    for line in results.lines:
        for block in _broken(line):
            console.print("\n" + block, soft_wrap=True)
        for block in _not_sensible(line):
            console.print(Text("\n").append(drawn(block, console)), soft_wrap=True)


def _total(results: Results) -> Text:
    points = f"{results.points:.4g} of {results.of} points, {results.percent:.0f} %"
    if not results.lines:
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
    for line in results.lines:
        verdict = coloured(line.verdict)
        if line.note:
            verdict.append(f": {line.note}", "default")
        table.add_row(f"{line.points:.3g}/{line.line.points}", Text(line.line.rule), verdict)
    return table


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


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_junit(path: Path) -> None:
    """Find out before the check whether its results can be written to a file; a file that exists keeps its text.

    Raises:
        OptionError: they cannot.
    """
    existed = path.exists()
    try:
        path.open("a").close()
        if not existed:
            path.unlink()
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from None


def write_junit(results: Results, path: Path) -> None:
    """Write the results to a file.

    Raises:
        OptionError: it cannot be written.
    """
    cases = results.lines
    failed = sum(case.verdict in ("failed", "partly") for case in cases)
    skipped = sum(case.verdict == "not judged" for case in cases)
    name = _clean(results.what)
    counts = {"tests": str(len(cases)), "failures": str(failed), "errors": "0", "skipped": str(skipped)}
    suite = Element("testsuite", {"name": f"casino check {results.game}: {name}", **counts})
    properties = SubElement(suite, "properties")
    for key, value in (("points", f"{results.points:.4g}"), ("of", str(results.of))):
        SubElement(properties, "property", name=key, value=value)
    for case in cases:
        _add(suite, case, results.game)
    indent(suite)
    try:
        ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from None


def _add(suite: Element, case: LineVerdict, game: str) -> None:
    element = SubElement(suite, "testcase", classname=f"casino.check.{game}", name=f"{case.line.id}: {case.line.rule}")
    points = f"{case.points:.3g} of {case.line.points} points"
    if case.verdict == "not judged":
        SubElement(element, "skipped", message=_clean(case.note))
    elif case.verdict != "passed":
        failure = SubElement(element, "failure", message=_clean(f"{points}; {case.note}"))
        failure.text = _clean("\n\n".join([*_broken(case), *_not_sensible(case)]))
    SubElement(element, "system-out").text = _clean(f"{points}; {case.note}")


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("?", text)

"""The results of a check as JUnit XML, for graders and build servers: a test case for each line of the rubric."""

import re
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from dealer.checker.output.check_report import Results, blocks_of
from dealer.checker.scoring.verdict import LineVerdict
from dealer.errors import OptionError

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
        OSError: it cannot be written.
    """
    cases = results.verdict.lines
    failed = sum(case.verdict in ("failed", "partly") for case in cases)
    skipped = sum(case.verdict == "not judged" for case in cases)
    name = _clean(results.what)
    counts = {"tests": str(len(cases)), "failures": str(failed), "errors": "0", "skipped": str(skipped)}
    suite = Element("testsuite", {"name": f"casino check {results.game}: {name}", **counts})
    properties = SubElement(suite, "properties")
    for key, value in (("points", f"{results.verdict.points:.4g}"), ("of", str(results.verdict.of))):
        SubElement(properties, "property", name=key, value=value)
    for case in cases:
        _add(suite, case, results.game)
    indent(suite)
    ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def _add(suite: Element, case: LineVerdict, game: str) -> None:
    element = SubElement(suite, "testcase", classname=f"casino.check.{game}", name=f"{case.line.id}: {case.line.rule}")
    points = f"{case.points:.3g} of {case.line.points} points"
    if case.verdict == "not judged":
        SubElement(element, "skipped", message=_clean(case.note))
    elif case.verdict != "passed":
        failure = SubElement(element, "failure", message=_clean(f"{points}; {case.note}"))
        failure.text = _clean("\n\n".join(blocks_of(case)))
    SubElement(element, "system-out").text = _clean(f"{points}; {case.note}")


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("?", text)

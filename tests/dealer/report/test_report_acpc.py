"""What a report says of a program of the ACPC whose actions were corrected."""

from functools import partial
from pathlib import Path

from dealer.report.write import ReportOptions, write_report
from tests.dealer.support.acpc_players import play_acpc
from tests.dealer.support.recorded import run_at_once


def test_corrected_actions_are_told_with_their_hands(tmp_path: Path) -> None:
    journal, out = tmp_path / "j", tmp_path / "report"
    run_at_once(partial(play_acpc, journal))
    assert write_report(ReportOptions(journal, out, None, False, False, False)) == 0
    summary = (out / "players" / "acpc-2" / "summary.txt").read_text()
    assert "Fault 1: corrected" in summary
    assert "does not count" not in summary
    first = summary.split("Fault 1: corrected")[1].split("Fault 2")[0]
    assert "casino replay j --hand " in first
    assert "--seat " in first
    assert "No faults." in (out / "players" / "acpc-1" / "summary.txt").read_text()
    header, *rows = (out / "grades.csv").read_text(encoding="utf-8-sig").splitlines()
    column = header.split(",").index("corrected")
    counts = {row.split(",")[0]: int(row.split(",")[column]) for row in rows}
    assert counts["acpc-1"] == 0
    assert counts["acpc-2"] == summary.count(": corrected\n")

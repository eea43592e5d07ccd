"""``casino round-robin --report``: the page of a bulk tournament."""

from csv import DictReader
from dataclasses import replace
from pathlib import Path

import pytest

from bots.bulk.output import report_page
from bots.bulk.played import Played, PlayerMeasures
from bots.bulk.round_robin import make_plan, show
from bots.bulk.standings import Standings, make_standings
from bots.commands import round_robin
from bots.report_file import check_report, write_report
from dealer.errors import ReportError


def standings() -> Standings:
    """A tournament of two, in which the first wins 2 or 3 chips in each block of 10 rounds."""
    plan = make_plan(["dice-four", "caller"], [], [], 320, 1, "<b>seed")
    measures = (
        PlayerMeasures("", "", 5 << 20, 1.0, 100, 2.5e-5, 0, 0),
        PlayerMeasures("", "", None, None, 0, 0.0, 0, 3),
    )
    chips = tuple(number for block in range(32) for number in (0, 2 + block % 2, 0, 0))
    return make_standings(plan, [Played(0, chips, measures, (), 0.1)])


def test_page_has_standings_cross_table_and_violations() -> None:
    page = report_page(standings())
    assert "<h1>Dice: 320 rounds</h1>" in page
    for cell in ("<td>+0.2500</td>", "<td>0.25 us</td>", "<td>5.0 MB</td>", '<td class="name">dice-four</td>'):
        assert cell in page
    assert '<td class="won">+0.2500<small>+0.23' in page
    assert '<td class="lost">-0.2500<small>-0.26' in page
    assert "<p>caller: it called srand 3 times, which does nothing: the tournament seeds rand</p>" in page
    assert "--seed &#39;&lt;b&gt;seed&#39;" in page


def test_csv_has_a_line_for_each_player(capsys: pytest.CaptureFixture[str]) -> None:
    found = standings()
    show(replace(found, rows=(replace(found.rows[0], name="=1+1"), found.rows[1])), "csv")
    first, second = DictReader(capsys.readouterr().out.splitlines())
    assert (first["name"], first["chips_per_deal"], first["place"], first["rounds"]) == ("'=1+1", "0.25", "1", "320")
    assert (second["violations"], second["memory"]) == ("1", "")


def test_names_of_authors_stay_text() -> None:
    page = report_page(replace(standings(), names=("<script>", "caller")))
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_file_must_be_new_and_have_a_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.html"
    check_report(path)
    write_report(report_page(standings()), path)
    assert path.read_text("utf-8") == report_page(standings())
    with pytest.raises(ReportError, match=r"cannot write the report .*: File exists"):
        write_report(report_page(standings()), path)
    assert round_robin("dice", "dice-four", "caller", rounds=10, report=path) == 2
    assert "there is already a file" in capsys.readouterr().err
    assert round_robin("dice", "dice-four", "caller", rounds=10, report=tmp_path / "none" / "x.html") == 2
    assert "there is no such folder" in capsys.readouterr().err


def test_a_program_that_told_no_name_is_named_after_its_command() -> None:
    folder = "/home/ada/submissions/of/a/long/path"
    commands = [
        f"java -cp {folder} Poker {{host}} {{port}}",
        f"{folder}/python {folder}/poker.py --at={{host}}:{{port}} --level {'9' * 40}",
    ]
    plan = make_plan([], [], [], 32, 1, "any", commands)
    measures = tuple(PlayerMeasures.of_program("", 0, 0.0) for _ in commands)
    found = make_standings(plan, [Played(0, (0,) * 128, measures, (), 0.1)])
    assert found.names == ("java -cp path Poker", "python poker.py --level 9999999…")
    assert {row.source for row in found.rows} == {*commands}

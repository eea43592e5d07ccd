"""The HTML report: whole without a network, and saying what the simulation found."""

import json
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from bots.commands import simulate
from bots.simulation.html_report import final_chips, report_page, running_mean, wins_by_opener
from bots.simulation.plan import Plan
from bots.simulation.simulation_flags import GameFlags
from bots.simulation.whole_games import Outcome
from bots.simulation.whole_games import simulate as play
from protocol.games.blockhead import BlockheadGame


class Page(HTMLParser):
    """What a browser would load, and the text it would show."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        self.loads += [f"{tag} {key}={value}" for key, value in attrs if key in ("src", "href", "srcset", "data")]

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        (self.scripts if self._inside in ("script", "style") else self.words).append(data)


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return play(Plan(("random", "maniac"), BlockheadGame(hands=4), 600, True, "x"))


@pytest.fixture(scope="module")
def page(outcome: Outcome) -> Page:
    return Page(report_page(outcome))


def drawn(figure: Any) -> Any:
    return json.loads(figure.to_json())


def test_the_page_loads_nothing(page: Page) -> None:
    assert page.loads == []
    assert not [script for script in page.scripts if "@import" in script]


def test_page_holds_three_figures_and_one_script(page: Page) -> None:
    for title in ("Chips at the end of a game", "Chips won a hand, with 95 % interval", "Games won, by who opened"):
        assert sum(title in script for script in page.scripts) == 1, title
    assert sum(len(script) > 1_000_000 for script in page.scripts) == 1


def test_the_page_says_what_was_found(page: Page, outcome: Outcome) -> None:
    text = "".join(page.words)
    for words in ("maniac beats random", "1,200 games (600 deals", "by the arena", "--seed x", "p < 0.001"):
        assert words in text
    assert f"{outcome.tally.players[1].won:,}" in text


def test_every_game_is_in_the_distribution(outcome: Outcome) -> None:
    for bars in final_chips(outcome).data:
        assert sum(bars.y) == pytest.approx(1)
        assert len(bars.x) <= 60


def test_the_running_mean_ends_at_the_mean(outcome: Outcome) -> None:
    curves = [curve for curve in running_mean(outcome).data if curve.name]
    assert [curve.name for curve in curves] == ["random", "maniac"]
    for player, curve in enumerate(curves):
        assert list(curve.x) == [500, 1000, 1200]
        assert curve.y[-1] == outcome.tally.chips_per_hand(player).value


def test_wins_are_told_apart_by_who_opened(outcome: Outcome) -> None:
    bars = wins_by_opener(outcome).data
    assert [bar.name for bar in bars] == ["random", "maniac"]
    for player, bar in zip(outcome.tally.players, bars, strict=True):
        assert list(bar.y) == [player.won_as_opener[opener] / 600 for opener in (0, 1)]


def test_the_command_writes_the_file_and_still_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.html"
    assert simulate("blockhead", "caller", "maniac", hands=2, whole=GameFlags(games=5, report=path)) == 0
    assert "not decided" in capsys.readouterr().out
    assert "not decided" in path.read_text(encoding="utf-8")


def test_report_without_plotly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    path = tmp_path / "report.html"
    assert simulate("blockhead", "caller", "maniac", whole=GameFlags(games=10**9, report=path)) == 2
    told = "a report needs plotly: pip install '.[report]' in the folder of Casino Day"
    assert capsys.readouterr().err == f"casino: {told}\n"
    assert not path.exists()


def test_name_of_a_bot_is_text(outcome: Outcome) -> None:
    """Bots come from packages of any author; neither HTML nor a template may come with their names."""
    hostile = "<script>{{ 7*7 }}</script>"
    named = replace(outcome, names=[hostile, "maniac"], verdict=replace(outcome.verdict, words=f"{hostile} wins"))
    text = report_page(named)
    assert hostile not in text
    assert "".join(Page(text).words).count(hostile) == 2  # the verdict and the table
    assert "&lt;script&gt;{{ 7*7 }}" in "".join(Page(text).scripts)  # plotly reads HTML in names by itself


def test_report_replaces_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.html"
    path.write_text("of yesterday")
    assert simulate("blockhead", "caller", "maniac", whole=GameFlags(games=10**9, report=path)) == 2
    assert capsys.readouterr().err == (
        f"casino: there is already a file {path}: name a new one for the report, or delete it\n"
    )
    assert path.read_text() == "of yesterday"

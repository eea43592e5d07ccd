"""Tables on narrow terminals: nothing is cut, whatever the width."""

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bots import catalogue
from bots.catalogue import show_bots
from bots.fitting_table import FittingTable
from bots.simulation.engine import play
from bots.simulation.facts import outcome_text
from bots.simulation.plan import Plan
from dealer.cli.game_flags import game_with

#: As narrow as half a laptop's screen with a large font.
NARROW = 40

WORDS = st.text("abcdefgh", min_size=1, max_size=9)


def words_of(text: str) -> list[str]:
    return text.replace("┃", " ").replace("│", " ").split()


@given(
    rows=st.lists(st.tuples(WORDS, WORDS, st.lists(WORDS, min_size=1, max_size=6).map(" ".join)), min_size=1),
    width=st.integers(30, 90),
)
def test_no_word_is_cut_at_any_width(rows: list[tuple[str, str, str]], width: int) -> None:
    table = Table()
    for heading, no_wrap in (("name", True), ("number of games", True), ("a longer text", False)):
        table.add_column(heading, no_wrap=no_wrap)
    for row in rows:
        table.add_row(*map(Text, row))
    shown = shown_at(width, FittingTable(table, ("name", "number of games", "a longer text")))
    assert max(map(len, shown.splitlines())) <= width
    for row in rows:
        for cell in row:
            assert set(cell.split()) <= set(words_of(shown))
    assert {"name", "number", "games"} <= set(words_of(shown.replace(":", " ")))


def shown_at(width: int, what: object, *, soft_wrap: bool = False) -> str:
    console = Console(width=width, file=StringIO())
    console.print(what, soft_wrap=soft_wrap)
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


@pytest.mark.parametrize("width", [NARROW, 80, 200])
def test_bots_at_every_width(width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert show_bots(as_json=False) == []
    shown = capsys.readouterr().out
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= width
    for bot in catalogue.catalogue()[0]:
        assert {bot.name, bot.level, *bot.source.split()} <= set(shown.split())


@pytest.mark.parametrize("game", ["stud", "holdem", "blockhead"])
@pytest.mark.parametrize(("width", "is_list"), [(NARROW, True), (100, False)])
def test_simulation_at_every_width(game: str, width: int, is_list: bool) -> None:
    plan = Plan(("caller", "random"), game_with(game, {}), 4, False, "narrow")
    shown = shown_at(width, outcome_text(play(plan)), soft_wrap=True)
    assert "…" not in shown
    assert max(map(len, shown.partition("average pot")[0].splitlines()[1:])) <= width
    assert ("win rate, 95 % from: " in shown) == is_list
    assert ("Bot " in shown) != is_list

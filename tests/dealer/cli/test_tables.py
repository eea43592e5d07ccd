"""One style of tables for all commands, colours for verdicts, and cards with symbols."""

import io
import re

import pytest
from rich.console import Console

from bots import fitting_table
from dealer.cli import tables
from dealer.cli.tables import drawn
from tests.docs.pages import ROOT


def console(encoding: str = "utf-8", *, terminal: bool = False) -> Console:
    file = io.TextIOWrapper(io.BytesIO(), encoding)
    return Console(file=file, width=80, force_terminal=terminal, color_system="standard" if terminal else None)


@pytest.mark.parametrize("narrow", [False, True])
def test_bots_and_dealer_have_the_same_tables(narrow: bool) -> None:
    made = [module.new_table("[Chips]", narrow=narrow) for module in (tables, fitting_table)]
    for table in made:
        table.add_column("Bot")
        table.add_row("tight")
    first, second = ({**vars(table), "columns": [column.header for column in table.columns]} for table in made)
    assert {**first, "title": str(first["title"])} == {**second, "title": str(second["title"])}
    assert made[0].title is not None
    assert str(made[0].title) == "[Chips]"


def test_no_command_makes_tables_of_its_own() -> None:
    own = re.compile(r"from rich\.table import .*(?<!\w)Table\(", re.DOTALL)
    files = [path for room in ("dealer", "bots") for path in (ROOT / room).rglob("*.py")]
    makers = [path.relative_to(ROOT).as_posix() for path in files if own.search(path.read_text(encoding="utf-8"))]
    assert sorted(makers) == ["bots/fitting_table.py", "dealer/cli/tables.py"]


def test_verdicts_have_colours_in_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(terminal: bool) -> str:
        with (to := console(terminal=terminal)).capture() as text:
            to.print(tables.coloured("failed"))
        return text.get()

    assert "\x1b[31m" in shown(True)
    assert shown(False) == "failed\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[31m" not in shown(True)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("bet2:299:QD:6H:up:10H:AS -> bet:0", "bet2:299:Q♦:6♥:up:10♥:A♠ -> bet:0"),
        ("hand 2S,3C", "hand 2♠,3♣"),
        ("the player AStar has 10S", "the player AStar has 10♠"),
        ("bet1:300:up", "bet1:300:up"),
    ],
)
def test_cards_of_messages_have_symbols(message: str, shown: str) -> None:
    assert drawn(message, console()).plain == shown
    assert drawn(message, console("ascii")).plain == message


def test_red_suits_are_red() -> None:
    with (to := console(terminal=True)).capture() as text:
        to.print(drawn("6H:6S", to))
    assert text.get() == "\x1b[31m6♥\x1b[0m:6♠\n"

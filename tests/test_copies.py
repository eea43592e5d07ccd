"""What two parts of the project each say in code of their own: they say the same."""

import ast
import re
from pathlib import Path

import pytest

from bots.new_program import GAMES
from tests.docs.pages import ROOT


@pytest.mark.parametrize("game", GAMES)
def test_starters_of_all_games_talk_to_the_dealer_in_the_same_way(game: str) -> None:
    """A starter is one file for a student to copy; only what it plays differs."""
    stud, other = (_functions(ROOT / "bots/starters/python" / folder / "poker.py") for folder in ("", game))
    assert stud.keys() == other.keys()
    for name in ("read", "write", "show", "main"):
        assert stud[name] == other[name]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("name", "own"), [("java/Poker.java", "replyTo("), ("cpp/poker.cpp", "reply_to(")])
def test_compiled_starters_of_all_games_talk_to_the_dealer_in_the_same_way(name: str, own: str, game: str) -> None:
    """Only the top of the file, the strategy, the reply to a question and the loop that asks for it differ."""
    path = ROOT / "bots/starters" / name
    stud = path.read_text().split("\n\n")
    other = (path.parent / game / path.name).read_text().split("\n\n")
    differing = [block for block in stud if block not in other]
    assert [
        block for block in differing if not re.search(rf"three-card|^import|^#include|decide|{re.escape(own)}", block)
    ] == []
    assert len(differing) <= 5 < len(stud) - len(differing)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["java", "cpp"])
def test_makefiles_of_compiled_starters_differ_in_the_game_alone(language: str, game: str) -> None:
    folder = ROOT / "bots/starters" / language
    makefile = (folder / "Makefile").read_text().replace("casino check stud", f"casino check {game}")
    assert (folder / game / "Makefile").read_text() == makefile


def _functions(path: Path) -> dict[str, str]:
    """The functions of a program, by name."""
    return {
        node.name: ast.unparse(node) for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)
    }

"""What two parts of the project each say in code of their own: they say the same."""

import ast
import re
from pathlib import Path

import pytest

from bots.human.updates import Scene, SeatView
from bots.human.web.facts import scene_facts
from bots.new_program import GAMES
from dealer.telling.scene import SeatScene, TableScene
from protocol.cards import DECK
from protocol.events import Dealt
from tests.docs.pages import ROOT


def test_both_pages_are_told_a_table_in_the_same_words() -> None:
    """One script draws it on both. Facts that a seat lacks are left out, so here seats have them all."""
    full = SeatView("Ada", 5, DECK[:1], 1, DECK[1:2], note="call 5", won=9, button=True, all_in=True)
    told = scene_facts(Scene((full, SeatView("you", None, place="folded")), 1, 3, 2, 9, 3, 0, DECK[2:3], (6, 3)))
    dealt = TableScene(Dealt(0, 3, 0, 1, (7, 8), (5, 5), (1, 1), (0, 0), 0, None)).facts()
    assert told.keys() - dealt.keys() == {"players", "me", "headline", "level"}
    hole, up = [DECK[0].text], [DECK[1].text]
    own = SeatScene(0, 5, 1, hole, up, turn=True, deed="call 5", won=9, button=True, all_in=True)
    assert told["seats"][0] == own.facts()
    assert told["seats"][1] == {"player": 1, "stack": None, "last": "folded"}


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

"""The examples of a house bot and of environments run, and the page of house bots has every bot."""

import re
from random import Random
from typing import Any

import pytest

from bots.arena import play_hands
from bots.catalogue import playing
from bots.strategies.caller import Caller
from bots.strategy import bot_names
from protocol.games.stud import StudGame
from protocol.shuffle import seed_from_text
from tests.docs.pages import blocks, page, section

EXAMPLE, LIST = page("bots/docs/write-a-house-bot.md"), page("bots/docs/house-bots.md")


def test_the_example_of_a_house_bot_keeps_the_rules() -> None:
    names: dict[str, Any] = {}
    (example,) = (body for kind, body in blocks(EXAMPLE) if kind == "python")
    exec(example, names)
    strategies = [names["Spades"](Random(1)), Caller(Random(1))]
    hands = list(play_hands(StudGame(60), strategies, seed_from_text("readme"), 300, False))
    assert any(hand.settlement.payoffs[0] > 1 for hand in hands)


@pytest.mark.parametrize("name", ["learning", "observations"])
def test_the_examples_of_environments_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for kind, body in blocks(page(f"bots/docs/{name}.md")):
        if kind == "python":
            exec(body, {})
    assert ("hole 52 0 1 the own hole card" in capsys.readouterr().out) == (name == "observations")


def named(text: str) -> set[str]:
    """The bots that the first cells of tables name; "`a-1` to `a-3`" names all between."""
    cells = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    names = {name for cell in cells for name in re.findall(r"`(.*?)`", cell)}
    for kind, first, last in re.findall(r"`(\S+-)(\d+)` to `\1(\d+)`", "\n".join(cells)):
        names |= {f"{kind}{number}" for number in range(int(first), int(last) + 1)}
    return names


def test_every_installed_bot_is_described() -> None:
    assert named(section(LIST, "## What they do")) == set(bot_names())


def test_every_bot_of_stud_is_measured() -> None:
    measured = named(section(LIST, "## How strong they are"))
    assert measured >= {bot.name for bot in playing("stud")}

"""The example of a house bot runs, and the page of house bots has every bot."""

import re
from random import Random
from typing import Any

from bots.arena import play_hands
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


def test_every_installed_bot_is_described_and_measured() -> None:
    described, measured = section(LIST, "## What they do"), section(LIST, "## How strong they are")
    assert sorted(re.findall(r"^\| `(.*?)` \|", described, re.MULTILINE)) == bot_names()
    of_stud = set(bot_names()) - {"alpha", "beta", "beta-chips", "gamma", "balance"}
    assert set(re.findall(r"^\| `(.*?)` \|", measured, re.MULTILINE)) >= of_stud

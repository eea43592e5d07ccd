"""The picture of the page ``play-yourself.md``: ``python -m tests.bots.human.screenshot bots/human/table.svg``."""

import asyncio
import re
import sys
from pathlib import Path
from random import Random

from bots.human.table_order import Order
from bots.strategies.tight import Tight
from protocol.games.base import FOLD, Action, Bet, Status
from tests.bots.human.person import sitting_down

SIZE = (124, 36)
ORDER = Order("stud", "picture 3", ("stud", "tight", "caller", "maniac", "pair-or-fold"), speed="none")
HANDS = 12


def key(action: Action, owed: int) -> str:
    """The key that does it; a raise is the smallest there is."""
    if action == FOLD:
        return "f2"
    return "f3" if action == Bet(owed) else "f4"


def screenshot() -> str:
    """A table in the middle of a hand, with chances counted; the hands before were played about as ``tight`` would."""

    async def play() -> str:
        async with sitting_down(ORDER, SIZE) as person:
            tight = Tight(Random(1))
            for _ in range(HANDS):
                while await person.asked_in_this_hand():
                    await person.press(key(tight.decide(person.turn), person.turn.owed))
                tight.hand_over(Status(False, ()))
                await person.press("enter")
            await person.asked()
            while person.turn.street == 1:
                await person.press("f3")
                await person.asked()
            await person.press("plus", "plus", "f1")
            await person.sees("best cards")
            return person.app.export_screenshot(title="casino play stud")

    svg = asyncio.run(play())
    return re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)  # no font from elsewhere


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(screenshot(), encoding="utf-8")

"""The worth of chips to a player: their number, or the chance to win the game with them."""

import sys
from array import array
from collections.abc import Callable
from typing import Any, Literal

from bots.strategies.blockhead import tables
from protocol.games.blockhead import DEFAULT_HANDS

Aim = Literal["games", "chips"]

#: What it is worth to have so many chips in front at the end of the hand.
Worth = Callable[[float], float]

CHIPS_STYLE = 2
#: Leads beyond this are as good (or bad) as this.
SPAN = 600

#: What a chip counts for in chances to win: little, but none is thrown away when the game is decided.
CHIP_WORTH = 5e-5


class Aims:
    """What chips are worth, and which style of play suits, with so many hands left; made by bots/train/make_tables.py.

    More hands left than the tables know count as the most they know.
    """

    def __init__(self, aim: Aim) -> None:
        self._aim = aim
        shipped: dict[str, Any] = tables.load()
        chance = array("H")
        chance.frombytes(shipped["chance"])
        if sys.byteorder == "big":
            chance.byteswap()
        width = 2 * SPAN + 1
        self._chance = [chance[n * width : (n + 1) * width] for n in range(DEFAULT_HANDS + 1)]
        self._style: bytes = shipped["style"]

    def style(self, left: int, lead: int) -> int:
        """The style for a hand that begins with ``left`` hands to play, it included, and ``lead`` chips won."""
        if self._aim == "chips":
            return CHIPS_STYLE
        return self._style[(min(left, DEFAULT_HANDS) - 1) * (2 * SPAN + 1) + min(max(lead, -SPAN), SPAN) + SPAN]

    def worth(self, left: int, stack: int) -> Worth:
        """The worth of chips at the end of that hand, in a game begun with ``stack``."""
        if self._aim == "chips":
            return lambda chips: chips
        chance = self._chance[min(left, DEFAULT_HANDS) - 1]

        def win(chips: float) -> float:
            """The chance to win the game, with a slope that only breaks ties."""
            lead = min(max(chips - stack, -SPAN), SPAN - 0.001) + SPAN
            i = int(lead)
            return (chance[i] + (chance[i + 1] - chance[i]) * (lead - i)) / 65535 + chips * CHIP_WORTH

        return win

"""A person at a headless screen: presses keys, waits for what is to be seen, reads it."""

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from html import unescape
from typing import Any, ParamSpec

from textual.pilot import Pilot

from bots.human.bet_bar import BetBar, Slider
from bots.human.panes import History
from bots.human.person_app import Casino
from bots.human.table_order import Order
from bots.human.table_screen import TableScreen
from tests.patience import PATIENCE

#: Of a character in a screenshot.
CELL_WIDTH, LINE_HEIGHT = 12.2, 24.4

_PIECE = re.compile(r'<text class="[^"]*-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>')


P = ParamSpec("P")


def on_asyncio(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """Run a test by asyncio, as Textual needs; without it pytest would run it by trio."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


class Person:
    """A person at the keyboard."""

    def __init__(self, app: Casino, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def table(self) -> TableScreen:
        """The table, also under a dialog."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, TableScreen))

    @property
    def ended(self) -> bool:
        """Whether the game is over."""
        return self.table.session.reason != ""

    @property
    def slider(self) -> Slider:
        """Where the amount is chosen."""
        return self.table.query_one(BetBar).query_one(Slider)

    @property
    def screen(self) -> str:
        """The text on the screen, line by line."""
        lines: dict[int, str] = defaultdict(str)
        for x, y, text in sorted(_PIECE.findall(self.app.export_screenshot()), key=lambda piece: float(piece[0])):
            line = round(float(y) / LINE_HEIGHT)
            lines[line] = lines[line].ljust(round(float(x) / CELL_WIDTH)) + unescape(text).replace("\xa0", " ")
        return "\n".join(lines[line].rstrip() for line in sorted(lines))

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        await self.pilot.press(*keys)

    async def until(self, ready: Callable[[], bool]) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(PATIENCE):
            while not ready():
                await self.pilot.pause()

    async def sees(self, *texts: str) -> None:
        """Wait until all of these are on the screen."""
        try:
            await self.until(lambda: all(text in self.screen for text in texts))
        except TimeoutError:
            missing = [text for text in texts if text not in self.screen]
            raise AssertionError(f"{missing} cannot be seen on\n{self.screen}") from None

    async def reads(self, line: str) -> None:
        """Wait until the history tells this, also where it has scrolled away."""
        history = self.table.query_one(History)
        try:
            await self.until(lambda: line in history.lines)
        except TimeoutError:
            raise AssertionError(f"{line!r} is not among {history.lines}") from None

    async def asked(self) -> None:
        """Wait for the person's turn."""
        await self.until(lambda: self.table.asked is not None)

    @property
    def turn(self) -> Any:
        """What the person is asked."""
        assert self.table.asked is not None
        return self.table.asked.turn

    async def asked_in_this_hand(self) -> bool:
        """Wait for the person's turn, or (False) for the end of the hand."""
        await self.until(lambda: self.table.asked is not None or self.table.waiting is not None)
        return self.table.asked is not None

    async def call_to_the_end_of_the_hand(self) -> None:
        """Check and call until the hand is over."""
        while await self.asked_in_this_hand():
            await self.press("f3")


@asynccontextmanager
async def sitting_down(order: Order, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Person]:
    """A person in front of the first screen for this order."""
    app = Casino(order)
    async with app.run_test(size=size) as pilot:
        yield Person(app, pilot)

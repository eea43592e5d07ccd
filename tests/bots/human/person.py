"""A person at a headless screen: presses keys, waits for what is to be seen, reads it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, ParamSpec

from textual._compositor import LayoutUpdate
from textual.pilot import Pilot

from bots.human.bet_bar import BetBar, Slider
from bots.human.game_seat import load_seat
from bots.human.panes import History
from bots.human.person_app import Casino
from bots.human.table_order import Order
from bots.human.table_screen import TableScreen
from bots.human.updates import PersonScene
from dealer.telling.scene import SeatScene, TableScene
from protocol.events import Dealt
from protocol.games.game import Game
from tests.patience import PATIENCE

P = ParamSpec("P")


def on_asyncio(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """Run a test by asyncio, as Textual needs; without it pytest would run it by trio."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


class Person:
    def __init__(self, app: Casino, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def table(self) -> TableScreen:
        """The table, also under a dialog."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, TableScreen))

    @property
    def ended(self) -> bool:
        return self.table.session.reason != ""

    @property
    def slider(self) -> Slider:
        return self.table.query_one(BetBar).query_one(Slider)

    @property
    def screen(self) -> str:
        # a screenshot shows the same, but draws an SVG first, which takes ten times as long
        update = self.app.screen._compositor.render_update(full=True, screen_stack=self.app._background_screens)
        assert isinstance(update, LayoutUpdate)
        lines = ("".join(strip.text for strip in line).rstrip() for line in update.strips)
        return "\n".join(lines).replace("\xa0", " ")  # some words are kept on one line

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def until(self, ready: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not ready():
                await self.pilot.pause()

    async def sees(self, *texts: str) -> None:
        """Wait until all of these are on the screen."""
        screen = ""

        def seen() -> bool:
            nonlocal screen
            screen = self.screen
            return all(text in screen for text in texts)

        try:
            await self.until(seen)
        except TimeoutError:
            missing = [text for text in texts if text not in screen]
            raise AssertionError(f"{missing} cannot be seen on\n{screen}") from None

    async def reads(self, line: str) -> None:
        """Wait until the history tells this, also where it has scrolled away."""
        history = self.table.query_one(History)
        try:
            await self.until(lambda: line in history.lines)
        except TimeoutError:
            raise AssertionError(f"{line!r} is not among {history.lines}") from None

    async def asked(self) -> None:
        await self.until(lambda: self.table.asked is not None)

    @property
    def turn(self) -> Any:
        assert self.table.asked is not None
        return self.table.asked.turn

    async def asked_in_this_hand(self) -> bool:
        """Wait for the person's turn, or (False) for the end of the hand."""
        await self.until(lambda: self.table.asked is not None or self.table.waiting is not None)
        return self.table.asked is not None

    async def call_to_the_end_of_the_hand(self) -> None:
        while await self.asked_in_this_hand():
            await self.press("f3")


def scene_of(game: Game, names: Sequence[str], seats: Sequence[SeatScene], me: int = 0) -> PersonScene:
    """A scene of the first hand before its first action, with these seats."""
    count = len(seats)
    dealt = Dealt(0, 1, 0, 1, tuple(range(count)), (0,) * count, (0,) * count, (0,) * count, None, None)
    table = TableScene(dealt)
    table.street, table.seats = 1, [*seats]
    return PersonScene(table, tuple(names), me, 1, game, load_seat(game.name))


@asynccontextmanager
async def sitting_down(order: Order, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Person]:
    """A person in front of the first screen for this order."""
    app = Casino(order)
    async with app.run_test(size=size) as pilot:
        yield Person(app, pilot)

"""The program a person sees: lobby, table, lobby again, until the person leaves."""

import secrets
from collections.abc import Callable
from dataclasses import replace

from textual.app import App

from bots.human.dialogs import Dialog
from bots.human.lobby_screen import Lobby
from bots.human.session_record import Play
from bots.human.table_order import Order, numbered, sit_down
from bots.human.table_screen import Table
from bots.human.thread_bridge import Desk
from protocol.games.game import Game


class Casino(App[None]):
    """Screens for one person.

    Args:
        order: a table of house bots; the lobby comes first unless bots are named.
        join: or a seat somewhere else: where that is, and what sits down there.
    """

    CSS_PATH = "table.tcss"
    TITLE = "Casino Day"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012  (its type is the base class's)

    def __init__(self, order: Order | None = None, join: tuple[str, Callable[[Desk], Play]] | None = None) -> None:
        super().__init__()
        self._order = order
        self._join = join
        self._tables: list[Table] = []

    @property
    def farewell(self) -> list[str]:
        """What the person did at every table, in lines."""
        return [line for table in self._tables for sitting in table.sittings for line in sitting.summary]

    def on_mount(self) -> None:
        """Show the first screen."""
        if self._join is not None:
            where, seat = self._join
            self._open_table(Table("", where, "", seat, lobby=False))
        elif self._order is not None and self._order.against:
            self._sit_down(self._order)
        elif self._order is not None:
            self.push_screen(Lobby(self._order), self._sit_down)

    def _sit_down(self, order: Order | None) -> None:
        if order is None:
            self.exit()
            return
        self._order = order
        title, company = _title(order.agreed), f"against {', '.join(numbered(order.seats))}"
        self._open_table(Table(order.game, title, company, lambda desk: sit_down(order, desk), lobby=True))

    def _open_table(self, table: Table) -> None:
        self._tables.append(table)
        self.push_screen(table, self._got_up)

    def _got_up(self, choice: str | None) -> None:
        if choice == "lobby" and self._order is not None:
            self.push_screen(Lobby(replace(self._order, seed=secrets.token_hex(8))), self._sit_down)
        else:
            self.exit()

    async def action_quit(self) -> None:
        """Leave; somebody who sits at a table is asked first."""
        if isinstance(self.screen, Table):
            self.screen.action_leave()
        elif not isinstance(self.screen, Dialog):
            self.exit()


def _title(game: Game) -> str:
    return game.title[0].upper() + game.title[1:]

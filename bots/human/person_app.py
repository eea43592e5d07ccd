"""The program a person sees: lobby, table, lobby again, until the person leaves; and how a terminal starts it."""

import os
import secrets
import socket
from dataclasses import replace
from functools import partial
from pathlib import Path

from textual.app import App

from bots.human.dealer_seat import DealerSeat
from bots.human.dialogs import Dialog
from bots.human.lobby_screen import LobbyScreen
from bots.human.play_statistics import Counting, opponents_text, statistics_path
from bots.human.table_order import Order, sit_down
from bots.human.table_screen import TableScreen
from bots.human.thread_bridge import MakePlay, ThreadPlay
from protocol.games.game import Game
from protocol.plurals import distinct
from protocol.wire.framing import Framing
from protocol.wire.messages import Name

#: Seconds between two looks whether the terminal is still there.
_LOOK_SECONDS = 1.0

#: The exit code of a program whose terminal was closed, as shells give it for SIGHUP (128 + 1).
_HUNG_UP = 129


class Casino(App[None]):
    """Screens for one person.

    Args:
        order: a table of house bots; the lobby comes first unless bots are named.
        join: or a seat at a dealer: its name for the status line, and what makes the seat.
        statistics: the file to which hands against house bots are added; None to keep none.
    """

    CSS_PATH = "table.tcss"
    TITLE = "Casino Day"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (50, "-small"), (80, "-narrow"), (120, "-wide")]  # noqa: RUF012  (its type is the base class's)

    def __init__(
        self,
        order: Order | None = None,
        join: tuple[str, MakePlay] | None = None,
        statistics: Path | None = None,
    ) -> None:
        super().__init__()
        self._statistics = statistics
        self._order = order
        self._join = join
        self._tables: list[TableScreen] = []

    @property
    def closing_lines(self) -> list[str]:
        """What the person did at every table, in lines for the terminal."""
        return [line for table in self._tables for session in table.sessions for line in session.summary]

    def on_mount(self) -> None:
        """Show the first screen."""
        if os.isatty(0):
            self.set_interval(_LOOK_SECONDS, self._leave_without_terminal)
        if self._join is not None:
            where, make_play = self._join
            self._open_table(TableScreen(where, "", make_play, lobby=False))
        elif self._order is not None and self._order.against:
            self._sit_down(self._order)
        elif self._order is not None:
            self.push_screen(LobbyScreen(self._order), self._sit_down)

    def _leave_without_terminal(self) -> None:
        # Textual reads the end of the input of a closed terminal for ever.
        if not os.isatty(0):
            os._exit(_HUNG_UP)  # nothing can be painted, put back or told

    def _sit_down(self, order: Order | None) -> None:
        if order is None:
            self.exit()
            return
        self._order = order
        title, company = _title(order.agreed), f"against {', '.join(distinct(order.seats, ' '))}"
        path = self._statistics
        counting = None if path is None else Counting(path, order.game, opponents_text(order.seats))
        make_play = partial(ThreadPlay, partial(sit_down, order))
        self._open_table(TableScreen(title, company, make_play, lobby=True, counting=counting))

    def _open_table(self, table: TableScreen) -> None:
        self._tables.append(table)
        self.push_screen(table, self._table_closed)

    def _table_closed(self, choice: str | None) -> None:
        if choice == "lobby" and self._order is not None:
            self.push_screen(LobbyScreen(replace(self._order, seed=secrets.token_hex(8))), self._sit_down)
        else:
            self.exit()

    async def action_quit(self) -> None:
        """Leave; a person who sits at a table is asked first."""
        if isinstance(self.screen, TableScreen):
            self.screen.action_leave()
        elif not isinstance(self.screen, Dialog):
            self.exit()


def _title(game: Game) -> str:
    return game.title[0].upper() + game.title[1:]


def play_here(order: Order) -> int:
    """Play against house bots until the person leaves; the exit code."""
    return _run(Casino(order, statistics=statistics_path()))


def play_there(sock: socket.socket, framing: Framing, name: Name, where: str, *, watches: bool) -> int:
    """Play at a dealer's table until it ends or the person leaves; the exit code. The socket is closed then.

    Args:
        sock: connected to the dealer.
        framing: how messages travel there.
        name: who the person is.
        where: the dealer, for the status line.
        watches: whether the dealer is to tell what happens at the table, as it does at the port for people.
    """
    with sock:
        return _run(Casino(join=(where, partial(DealerSeat, sock, framing, name, watches=watches))))


def _run(app: Casino) -> int:
    app.run()
    for line in app.closing_lines:
        print(line)
    return app.return_code or 0

"""When a hosted tournament starts: enough seats are taken, a wait is over, or the host says so."""

import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import trio
from rich.console import Console

from dealer.errors import NoStartError
from dealer.hosting.keyboard import read_line
from dealer.hosting.pace_keys import PaceKeys, hint
from dealer.lobby.lobby import Lobby
from dealer.lobby.player import Player
from dealer.tournament.opening import MIN_PLAYERS


@dataclass(frozen=True, slots=True)
class StartConditions:
    """What starts a tournament: whichever of these comes first. Enter on standard input is always one of them.

    Attributes:
        seats: start with this many players; None does not.
        wait: start after this many seconds, or with the second player if there are fewer then; None does not.
        least: players that Enter, or the end of the wait, needs to start.
        asked: set when the desk is told to start; None if there is no desk.
        resumed: whether a tournament goes on that had begun.
    """

    seats: int | None = None
    wait: float | None = None
    least: int = MIN_PLAYERS
    asked: trio.Event | None = None
    resumed: bool = False

    @property
    def needs_enter(self) -> bool:
        """Whether only Enter can start the tournament."""
        return self.seats is None and self.wait is None and self.asked is None

    def in_words(self) -> str:
        """A sentence for the host: when the tournament starts."""
        ways = [f"when {_players(self.seats)} here"] if self.seats is not None else []
        if self.wait is not None:
            ways.append(f"after {self.wait:g} s")
        if sys.stdin is not None and sys.stdin.isatty():
            ways.append("when you press Enter")
        if self.asked is not None:
            ways.append("when the desk says so")
        begins = "goes on" if self.resumed else "starts"
        return f"The tournament {begins} {', or '.join(ways) or 'on a line of input'}."


async def wait_for_start(
    lobby: Lobby,
    conditions: StartConditions,
    console: Console,
    sleep: Callable[[float], Awaitable[None]] = trio.sleep,
    keys: PaceKeys | None = None,
) -> None:
    """Show who comes and goes, until the first of the conditions holds.

    Args:
        lobby: where players gather.
        conditions: what starts the tournament.
        console: for the host.
        sleep: waits for so many seconds.
        keys: of the host; None where only lines are read.

    Raises:
        NoStartError: (in a group) only Enter could start it, and standard input is closed.
    """

    async def players_here(count: int) -> None:
        while len(lobby.players) < count:
            await lobby.changed()

    async def enter() -> None:
        while await (enter_pressed() if keys is None else _enter_among(keys)):
            if len(lobby.players) >= conditions.least:
                return
            console.print(f"Not before {_players(conditions.least)} here.")
        if conditions.needs_enter:
            raise NoStartError("nobody can press Enter here (standard input is closed): give --seats or --wait")
        await trio.sleep_forever()  # one of the other conditions will hold

    async def wait_over(seconds: float) -> None:
        await sleep(seconds)
        if len(lobby.players) < conditions.least:
            console.print("The wait is over; the tournament starts as soon as two players are here.")
            await players_here(MIN_PLAYERS)

    async with trio.open_nursery() as nursery:

        async def start_after(condition: Callable[[], Awaitable[None]]) -> None:
            await condition()
            nursery.cancel_scope.cancel()

        nursery.start_soon(_show_lobby, lobby, console)
        nursery.start_soon(start_after, enter)
        if conditions.seats is not None:
            nursery.start_soon(start_after, partial(players_here, conditions.seats))
        if conditions.wait is not None:
            nursery.start_soon(start_after, partial(wait_over, conditions.wait))
        if conditions.asked is not None:
            nursery.start_soon(start_after, conditions.asked.wait)
        console.print(conditions.in_words(), highlight=False)
        if keys is not None:
            console.print(f"Now and during play: {hint(paused=False)}.", highlight=False)


async def _enter_among(keys: PaceKeys) -> bool:
    """Wait for Enter; the other keys do what they stand for. False if standard input is closed."""
    while (pressed := await keys.keys.pressed()) is not None:
        for key in pressed:
            keys.take(key)
        if "\n" in pressed:
            return True
    return False


def _players(count: int) -> str:
    return "one player is" if count == 1 else f"{count} players are"


async def enter_pressed() -> bool:
    """Wait for a line on standard input; False if it is closed."""
    return await read_line() is not None


async def _show_lobby(lobby: Lobby, console: Console) -> None:
    """Print a line for every player who comes or leaves, until cancelled."""
    shown: tuple[Player, ...] = ()
    while True:
        here = lobby.players
        for player in here:
            if player not in shown:
                _say(console, f"  + {player.avatar} ({len(here)} here), id {player.id}")
        for player in shown:
            if player not in here:
                _say(console, f"  - {player.avatar} left ({len(here)} here), id {player.id}")
        shown = here
        await lobby.changed()


def _say(console: Console, text: str) -> None:
    """Print a line with a name in it exactly as it is: a name may look like markup."""
    console.print(text, highlight=False, markup=False, emoji=False)

"""When a tournament starts: enough seats are taken, a wait is over, or the host presses Enter."""

import os
import sys

import trio
from rich.console import Console

from dealer.errors import NoStartError
from dealer.lobby.lobby import Lobby
from dealer.lobby.player import Player

MIN_PLAYERS = 2


async def wait_for_start(
    lobby: Lobby,
    seats: int | None,
    wait: float | None,
    console: Console,
    least: int = MIN_PLAYERS,
    asked: trio.Event | None = None,
) -> None:
    """Show who comes and goes until the first reason to start, whichever it is.

    Args:
        lobby: where players gather.
        seats: start with this many players; None does not.
        wait: start after this many seconds, or, if there are too few then, when two are here; None does not.
        console: where the host reads.
        least: with how many players the host, or the end of the wait, can start.
        asked: is set when somebody else wants it to start; None if nobody can.

    Raises:
        NoStartError: (in a group) nothing of that is given, and standard input is closed.
    """
    async with trio.open_nursery() as nursery:

        async def start_when_full(seats: int) -> None:
            while len(lobby.players) < seats:
                await lobby.changed()
            nursery.cancel_scope.cancel()

        async def start_after(wait: float) -> None:
            await trio.sleep(wait)
            if len(lobby.players) < least:
                console.print("The wait is over; the tournament starts as soon as two players are here.")
                await start_when_full(MIN_PLAYERS)
            nursery.cancel_scope.cancel()

        async def start_on_enter() -> None:
            while await enter_pressed():
                if len(lobby.players) >= least:
                    nursery.cancel_scope.cancel()
                    return
                console.print(f"Not before {_players(least)} here.")
            if seats is None and wait is None and asked is None:
                raise NoStartError("nobody can press Enter here (standard input is closed): give --seats or --wait")

        async def start_when_asked(asked: trio.Event) -> None:
            await asked.wait()
            nursery.cancel_scope.cancel()

        nursery.start_soon(_show_lobby, lobby, console)
        nursery.start_soon(start_on_enter)
        if seats is not None:
            nursery.start_soon(start_when_full, seats)
        if wait is not None:
            nursery.start_soon(start_after, wait)
        if asked is not None:
            nursery.start_soon(start_when_asked, asked)
        console.print(_how_it_starts(seats, wait, at_desk=asked is not None), highlight=False)


def _players(count: int) -> str:
    return "one player is" if count == 1 else f"{count} players are"


def _how_it_starts(seats: int | None, wait: float | None, *, at_desk: bool) -> str:
    ways = [f"when {_players(seats)} here"] if seats is not None else []
    if wait is not None:
        ways.append(f"after {wait:g} s")
    if sys.stdin is not None and sys.stdin.isatty():
        ways.append("when you press Enter")
    if at_desk:
        ways.append("when the desk says so")
    return f"The tournament starts {', or '.join(ways) or 'on a line of input'}."


async def enter_pressed() -> bool:
    """Wait for a line on standard input; False when there will never be one.

    Reads the file descriptor, not ``sys.stdin``: the thread may still be reading when the program ends, and a
    lock it held then would abort the interpreter.
    """
    try:
        return bool(await trio.to_thread.run_sync(os.read, 0, 1024, abandon_on_cancel=True))
    except OSError:
        return False


def _say(console: Console, text: str) -> None:
    """Show a line with a name in it, as it is."""
    console.print(text, highlight=False, markup=False, emoji=False)


async def _show_lobby(lobby: Lobby, console: Console) -> None:
    shown: tuple[Player, ...] = ()
    while True:
        here = lobby.players
        for player in here:
            if player not in shown:
                _say(console, f"  + {player.avatar} ({len(here)} here)")
        for player in shown:
            if player not in here:
                _say(console, f"  - {player.avatar} left ({len(here)} here)")
        shown = here
        await lobby.changed()

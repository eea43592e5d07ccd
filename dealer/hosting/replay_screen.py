"""``casino replay`` at a terminal: one hand on the screen at a time, which keys pause and step through."""

import sys
from pathlib import Path

import trio
from rich.console import Console, Group

from dealer.hosting.keyboard import at_terminal
from dealer.hosting.keys import Keys, single_keys
from dealer.replay.hand_screen import CardStyle
from dealer.replay.hand_walk import HandWalk
from dealer.replay.journal_reader import Choice, replay_items

#: Seconds between two looks at the size of the terminal, for which the screen is painted again.
LOOK_SECONDS = 0.25


def can_watch(speed: float) -> bool:
    """Whether hands can be watched with keys: at a terminal that hands over keys, and with pauses."""
    return bool(speed) and sys.platform != "win32" and at_terminal() and Console().is_terminal


async def watch_replay(path: Path, choice: Choice, speed: float) -> int:
    """Show the hands that were asked for until the viewer ends it; the exit code.

    Args:
        path: of the journal.
        choice: what is asked for.
        speed: see ``HandWalk``; the viewer may change it.

    Raises:
        CasinoError: see ``replay_items``.
    """
    console = Console(highlight=False, markup=False, emoji=False)
    walk = HandWalk(replay_items(path, choice), speed, CardStyle(console))
    if walk.is_empty:
        console.print("There are no hands in this journal.")
        return 0
    with single_keys() as keys:
        if keys is not None:
            await _watch(walk, keys, console)
    return 0


async def _watch(walk: HandWalk, keys: Keys, console: Console) -> None:
    with console.screen() as screen:
        while not walk.over:
            size, until, typed = console.size, trio.current_time() + walk.seconds, ""
            screen.update(Group(*walk.lines(*size)))
            while not typed and console.size == size and trio.current_time() < until:
                with trio.move_on_at(min(until, trio.current_time() + LOOK_SECONDS)):
                    pressed = await keys.pressed()
                    if pressed is None:
                        return
                    typed = pressed
            if typed:
                walk.press(typed)
            elif console.size == size:
                walk.forward()

"""A tournament as its host sees it at the terminal: where the page is, progress, and how it is stopped."""

from collections.abc import Callable
from math import ceil

import trio
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from dealer.hosting.control import Control
from dealer.hosting.interrupts import open_interrupts
from dealer.hosting.keyboard import read_line
from dealer.hosting.pace_keys import hint
from dealer.ledger.standings import Standing
from dealer.net.ports import PEOPLE
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament

#: Seconds between two updates of the progress bar.
REFRESH_SECONDS = 0.1

#: What the host types after the end to have another tournament, and how that is said.
NEXT = ("n", "next")
NEXT_WAY = "n and Enter opens the lobby for the next tournament"


class TimeLeft(TimeRemainingColumn):
    """The time that is left: of a show as it is planned, else as the hands so far suggest."""

    def render(self, task: Task) -> Text:
        """The time as h:mm:ss."""
        left: float | None = task.fields["show_left"]
        if left is None:
            return super().render(task)
        minutes, seconds = divmod(max(ceil(left), 0), 60)
        return Text(f"{minutes // 60}:{minutes % 60:02}:{seconds:02}", style="progress.remaining")


def announce_page(scene: Scene, console: Console) -> None:
    """Print the addresses of the page, if there is one."""
    if scene.pages:
        where = " or ".join(scene.pages)
        console.print(f"For browsers, such as the projector's: {where}", highlight=False, soft_wrap=True)
        if scene.ports is not None and PEOPLE.name in scene.ports.numbers:
            play = " or ".join(f"{page}play" for page in scene.pages)
            console.print(f"People play in a browser: {play}", highlight=False, soft_wrap=True)


async def stay_until_told(say: Callable[[str], None], next_asked: trio.Event | None = None) -> None:
    """Wait until the host presses Ctrl-C, so that the page stays up, or wants another tournament.

    Args:
        say: tells the host.
        next_asked: is set if the host types "next" here, and may be set elsewhere; None if there can be no other.

    It ends with standard input, too. An Enter meant for the start of a short tournament may come only now, and must not
    take the results off the projector.
    """
    with trio.CancelScope() as staying:
        async with open_interrupts(staying.cancel):
            say(f"The page stays up; {'' if next_asked is None else f'{NEXT_WAY}, '}Ctrl-C ends it.")
            async with trio.open_nursery() as nursery:
                if next_asked is not None:
                    nursery.start_soon(_until, next_asked, nursery.cancel_scope)
                while (line := await read_line()) is not None:
                    if next_asked is not None and line.strip().lower() in NEXT:
                        next_asked.set()
                nursery.cancel_scope.cancel()


async def ask_for_next(say: Callable[[str], None], next_asked: trio.Event) -> None:
    """Ask the host whether there is to be another tournament, where no page stays up meanwhile.

    Args:
        say: tells the host.
        next_asked: is set if the host wants one. Every other answer, Ctrl-C and the end of standard input decline.
    """
    with trio.CancelScope() as asking:
        async with open_interrupts(asking.cancel):
            say(f"{NEXT_WAY}; Enter alone, or Ctrl-C, ends the dealer.")
            if (await read_line() or "").strip().lower() in NEXT:
                next_asked.set()


async def _until(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


async def run_with_progress(tournament: Tournament, console: Console, control: Control) -> list[Standing]:
    """Run a tournament to its end, with a progress bar if ``console`` is a terminal; return the standings.

    ``control`` hides the bar while it asks the host.
    """
    columns = (TextColumn("hand"), MofNCompleteColumn(), BarColumn(), TextColumn("{task.fields[note]}"))
    hidden = not console.is_terminal
    with Progress(*columns, TimeLeft(), console=console, transient=True, disable=hidden) as progress:
        control.progress = progress
        task = progress.add_task("hands", total=_hands_of_all_rounds(tournament), note="", show_left=None)

        async def show() -> None:
            while True:
                tempo = tournament.tempo
                playing = f"{tournament.playing} of {len(tournament.players)} playing"
                note = tournament.journal.trouble or f"{playing}, {tournament.decisions} decisions"
                if control.keys is not None and not tournament.journal.trouble:
                    pace = "paused" if tempo.paused else tempo.in_words if tempo.show_left is None else "a show"
                    note = f"{playing}, {pace}; {hint(tempo.paused)}"
                hands = _hands_so_far(tournament)
                progress.update(task, completed=hands, note=note, show_left=tempo.show_left)
                await trio.sleep(REFRESH_SECONDS)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(show)
            if control.keys is not None:
                nursery.start_soon(control.keys.heed)
            standings = await tournament.run()
            nursery.cancel_scope.cancel()
    return standings


def _hands_of_all_rounds(tournament: Tournament) -> int | None:
    """The planned hands of one table in all rounds; None where nobody can tell how many there will be."""
    planned = tournament.hands_planned
    return None if planned is None else planned * tournament.ledger.seating.rounds


def _hands_so_far(tournament: Tournament) -> int:
    """The hands of ``_hands_of_all_rounds`` that are done. An earlier round counts in full, even if it ended early."""
    return (tournament.ledger.seating.round - 1) * (tournament.hands_planned or 0) + tournament.hand_number

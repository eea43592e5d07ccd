"""A tournament as its host sees it: progress while it runs, Ctrl-C that ends it gently, results at the end."""

import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dealer.hosting.start import enter_pressed
from dealer.ledger.standings import Standing
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament

REFRESH_SECONDS = 0.1


class Interrupts:
    """What Ctrl-C, or a request to terminate, does: the first calls ``gently``, the second cancels everything.

    Attributes:
        gently: stops at the next good moment.
        count: how many interrupts there have been.
    """

    def __init__(self, gently: Callable[[], None]) -> None:
        self.gently = gently
        self.count = 0


@asynccontextmanager
async def open_interrupts(gently: Callable[[], None]) -> AsyncIterator[Interrupts]:
    """Obey interrupts while the block runs. The second cancels the block; ``count`` is 2 afterwards."""
    interrupts = Interrupts(gently)
    # Open before anything is announced: a signal in between would kill the process.
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:

            async def obey() -> None:
                async for _ in signals:
                    interrupts.count += 1
                    if interrupts.count > 1:
                        nursery.cancel_scope.cancel()
                    else:
                        interrupts.gently()

            nursery.start_soon(obey)
            yield interrupts
            nursery.cancel_scope.cancel()


def stop_gently(tournament: Tournament, console: Console) -> None:
    """What the first interrupt does to a tournament."""
    tournament.stop_after_hand()
    when = "as soon as the journal can be written" if tournament.journal.trouble else "after this hand"
    console.print(f"Stopping {when}; interrupt again to stop at once.")


def _hands_of_all_rounds(tournament: Tournament) -> int | None:
    """Hands of the table that plays most of them, as far as that can be told."""
    planned = tournament.hands_planned
    return None if planned is None else planned * tournament.ledger.seating.rounds


def announce_page(scene: Scene, console: Console) -> None:
    """Say where browsers find the page, if there is one."""
    if scene.pages:
        where = " or ".join(scene.pages)
        console.print(f"For browsers, such as the projector's: {where}", highlight=False, soft_wrap=True)


async def stay_until_told(say: Callable[[str], None]) -> None:
    """Keep the page up until the host, who is told so with ``say``, presses Ctrl-C, or Enter."""
    with trio.CancelScope() as staying:
        async with open_interrupts(staying.cancel):
            say("The page stays up; Ctrl-C ends it.")
            await enter_pressed()


async def run_with_progress(tournament: Tournament, console: Console) -> list[Standing]:
    """Run the tournament with a progress bar where ``console`` is a terminal."""
    columns = (TextColumn("hand"), MofNCompleteColumn(), BarColumn(), TextColumn("{task.fields[note]}"))
    hidden = not console.is_terminal
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("hands", total=_hands_of_all_rounds(tournament), note="")

        async def show() -> None:
            while True:
                playing = f"{tournament.playing} of {len(tournament.players)} playing"
                note = tournament.journal.trouble or f"{playing}, {tournament.decisions} decisions"
                planned = tournament.hands_planned
                # A round that was over early counts as a whole one.
                before = (tournament.ledger.seating.round - 1) * (planned or 0)
                progress.update(task, completed=before + tournament.hand_number, note=note)
                await trio.sleep(REFRESH_SECONDS)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(show)
            standings = await tournament.run()
            nursery.cancel_scope.cancel()
    return standings

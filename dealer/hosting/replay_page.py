"""``casino replay --page``: show a journal on the page, as if its tournament were played now."""

from pathlib import Path

import trio
from rich.console import Console

from dealer.cli.flags import ReplayPageFlags
from dealer.cli.logs import configure_logs
from dealer.desk.desk import open_desk
from dealer.errors import OptionError
from dealer.feed.port import open_feed
from dealer.hosting.control import host_keys
from dealer.hosting.interrupts import open_interrupts
from dealer.hosting.pace_keys import hint
from dealer.hosting.progress import announce_page
from dealer.replay.journal_reader import Choice
from dealer.tournament.opening import NewTournament
from dealer.tournament.replayed_tournament import ReplayedTournament
from dealer.tournament.scene import Scene
from dealer.tournament.show_plan import DEFAULT_MINUTES


def check_page_flags(flags: ReplayPageFlags, choice: Choice, other_output: bool) -> None:
    """Check that the flags of a replay fit to the page, or that none of the page is given without it.

    Raises:
        OptionError: they do not.
    """
    if not flags.page:
        if flags != ReplayPageFlags():
            raise OptionError("--host, --page-port and --open-cards are for the page of a replay; give --page too")
        return
    if other_output:
        raise OptionError("--page shows the journal to browsers; leave out --json, --csv and --export")
    if choice.table is not None or choice.seat is not None:
        raise OptionError("--page shows all tables, of which each browser chooses one; leave out --table and --seat")


async def replay_on_page(path: Path, first: int, speed: float, flags: ReplayPageFlags) -> int:
    """Serve the page of a journal until the host interrupts, and return the exit code.

    Args:
        path: of the journal.
        first: the hand to begin with, from 1.
        speed: at 1 the whole takes about as long as a show, at 2 half of that; 0 makes no pauses.
        flags: where the page is served, and what it shows.

    Raises:
        OptionError: there is no such hand.
        JournalError: the journal cannot be read, or is wrong; what was shown before stays on the page until then.
        PortError: the page's port cannot be opened.
    """
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    configure_logs("warning")
    tournament = ReplayedTournament(path, first)
    if speed:
        tournament.tempo.begin_show(60 * DEFAULT_MINUTES / speed)
    scene = Scene(NewTournament(tournament.settings, len(tournament.players)), flags.open_cards)
    scene.tournament = tournament
    # Imported here because it takes half a second, which only a replay with a page should pay.
    from dealer.hosting.page_process import open_page  # noqa: PLC0415
    from dealer.web.serving import PagePlace  # noqa: PLC0415

    with trio.CancelScope() as showing:
        async with (
            open_interrupts(showing.cancel),
            open_desk(scene, None) as desk,
            open_feed(scene, flags.host, None, desk) as feed,
            open_page(scene, PagePlace(flags.host, flags.page_port), console.print, feed, desk),
        ):
            announce_page(scene, console)
            await _show(tournament, scene, console)
            console.print("The replay has come to the end of the journal. The page stays up; Ctrl-C ends it.")
            await trio.sleep_forever()
    return 0


async def _show(tournament: ReplayedTournament, scene: Scene, console: Console) -> None:
    """Show all hands, and heed the host's keys meanwhile."""
    with host_keys(scene, console) as keys:
        async with trio.open_nursery() as nursery:
            if keys is not None:
                console.print(f"At this terminal: {hint(paused=False)}.")
                nursery.start_soon(keys.heed)
            await tournament.run()
            nursery.cancel_scope.cancel()

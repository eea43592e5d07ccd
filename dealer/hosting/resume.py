"""Resume a tournament from its journal, after its dealer died or was stopped at once."""

from pathlib import Path

from rich.console import Console

from dealer.cli.flags import DEFAULT_PORT, PageFlags, ResumeFlags, RunFlags
from dealer.cli.output import configure_logs
from dealer.hosting.league import league_programs, play_programs
from dealer.hosting.outputs import Outputs
from dealer.hosting.serve import Hosting, check_page, play_guests
from dealer.net.limits import Limits, fit_descriptors
from dealer.settings import LeagueWords, OpenPorts
from dealer.tournament.opening import ResumedTournament, reopen_journal


async def resume_tournament(path: Path, flags: ResumeFlags, run: RunFlags, limits: Limits, page: PageFlags) -> int:
    """Resume as ``casino resume`` describes it, print the results, and return the exit code.

    The journal tells where the players came from: the programs of a league are started again, guests are awaited at
    the same ports.

    Args:
        path: of the journal.
        flags: what is different from before.
        run: journal, feed and results.
        limits: for guests.
        page: the page for browsers.

    Raises:
        OptionError, NoStartError, PortError, JournalError, NobodyPlayedError: with a text for the host.
    """
    check_page(page)
    configure_logs(run.log_level)
    journal = reopen_journal(path)
    outputs = Outputs(Console(stderr=run.json), run, page)
    if journal.kept:
        outputs.say(f"The last record of {path} was torn: its {journal.cut} bytes are now in {journal.kept}.")
    opening = ResumedTournament(journal.rebuild, journal.cut)
    played = max(table.finished for table in journal.rebuild.ledger.seating.tables)
    outputs.say(f"{path}: {played} hands finished; a hand that was under way does not count.")
    origin = opening.settings.origin
    if isinstance(origin, LeagueWords):
        programs = league_programs(origin, opening.settings.seed_text or "", path)
        allow = flags.allow_failures
        return await play_programs(origin, programs, opening, journal.file, outputs, allow_failures=allow)
    hosting = Hosting(_same_ports(origin, flags), len(opening.wanted), flags.wait, fit_descriptors(limits))
    return await play_guests(hosting, opening, journal.file, outputs)


def _same_ports(before: OpenPorts | None, flags: ResumeFlags) -> OpenPorts:
    """The ports that programs connected to before, unless the flags say otherwise."""
    old = before or OpenPorts("0.0.0.0", DEFAULT_PORT, DEFAULT_PORT + 1)
    return OpenPorts(
        old.host if flags.host is None else flags.host,
        old.port if flags.port is None else flags.port,
        old.line_port if flags.line_port is None else flags.line_port,
        old.people_port,
        old.people_limit,
    )

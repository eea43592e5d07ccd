"""Resume a tournament from its journal, after its dealer died or was stopped at once."""

from dataclasses import replace
from pathlib import Path

from rich.console import Console

from dealer.cli.flags import PageFlags, PortFlags, ResumeFlags, RunFlags
from dealer.cli.logs import configure_logs
from dealer.errors import OptionError
from dealer.hosting.guests import Hosting
from dealer.hosting.league import league_programs, play_programs
from dealer.hosting.outputs import Outputs
from dealer.hosting.series import play_guests
from dealer.hosting.serve import check_page, check_people
from dealer.net.limits import Limits, fit_descriptors
from dealer.net.ports import ACPC, PEOPLE, USUAL_PORTS
from dealer.settings import LeagueWords, OpenPorts, Services
from dealer.tournament.opening import ResumedTournament, reopen_journal
from dealer.tournament.scene import FirstOrders
from protocol.plurals import counted


async def resume_tournament(
    path: Path, flags: ResumeFlags, ports: PortFlags, run: RunFlags, limits: Limits, page: PageFlags
) -> int:
    """Resume as ``casino resume`` describes it, print the results, and return the exit code.

    The journal tells where the players came from: the programs of a league are started again, guests are awaited at
    the same ports.

    Raises:
        OptionError, NoStartError, PortError, JournalError, NobodyPlayedError: with a text for the host.
    """
    check_page(page)
    configure_logs(run.log_level)
    journal = reopen_journal(path)
    before = journal.rebuild.services
    page = _same_page(before, page)
    if before is not None and run.feed_port is None:
        run = replace(run, feed_port=before.feed_port)
    outputs = Outputs(Console(stderr=run.json), run, page, None if before is None else before.page_port)
    if journal.kept:
        outputs.say(f"The end of {path} was torn: its {journal.cut} bytes are now in {journal.kept}.")
    opening = ResumedTournament(journal.rebuild, journal.cut, journal.curves)
    played = journal.rebuild.ledger.seating.finished
    rest = "no hand was under way" if journal.rebuild.ledger.stopped else "hands that were under way do not count"
    outputs.say(f"{path}: {counted(played, 'hand')} finished; {rest}.")
    origin, orders = opening.settings.origin, FirstOrders(length=None if flags.show is None else 60 * flags.show)
    with outputs.owned(journal.file):
        if isinstance(origin, LeagueWords):
            programs = league_programs(origin, opening.settings, path)
            return await play_programs(origin, programs, opening, journal.file, outputs, orders)
        if ACPC.name in ports.numbers and opening.settings.acpc is None:
            raise OptionError(f"{ACPC.flag}: this tournament began without programs of the ACPC")
        known = before.ports if before is not None and isinstance(before.ports, OpenPorts) else origin
        where = ports.open_ports(known or USUAL_PORTS)
        if ports.people is not None or PEOPLE.name in ports.numbers:
            check_people(opening.settings.game.name, where)
        hosting = Hosting(where, len(opening.expected), flags.wait, fit_descriptors(limits), orders)
        return await play_guests(hosting, opening, journal.file, outputs)


def _same_page(before: Services | None, page: PageFlags) -> PageFlags:
    """The page that was served before, with a desk if it had one, unless the flags say otherwise.

    Its port is left to ``Outputs``, which tries the one from before first.
    """
    if before is None or page.no_page:
        return page
    return PageFlags(
        page.page_port,
        no_page=page.page_port is None and before.page_port is None and not page.desk,
        open_cards=page.open_cards or before.open_cards,
        desk=page.desk or before.desk,
    )

"""``casino serve`` and ``casino resume``: check the flags, agree on the settings, and host the tournament."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

from rich.console import Console

from dealer.cli.flags import (
    AcpcFlags,
    HostFlags,
    PageFlags,
    PortFlags,
    ResumeFlags,
    RunFlags,
    ShowFlags,
    TournamentFlags,
)
from dealer.cli.logs import configure_logs
from dealer.cli.options import default_journal, seed_or_chance
from dealer.cli.roster import read_roster, roster_in_words
from dealer.errors import OptionError
from dealer.hosting.acpc import acpc_terms, check_no_acpc
from dealer.hosting.guests import Hosting, StartConditions
from dealer.hosting.league import league_programs, play_programs
from dealer.hosting.outputs import Outputs
from dealer.hosting.series import play_guests, show_seconds
from dealer.hosting.tournament_settings import Options, agree, most_players
from dealer.journal.file import AppendFile
from dealer.net.limits import Limits, fit_descriptors
from dealer.net.ports import ACPC, USUAL_PORTS, open_kinds
from dealer.settings import LeagueWords, OpenPorts, Services
from dealer.tournament.opening import MIN_PLAYERS, NewTournament, ResumedTournament, reopen_journal
from dealer.tournament.scene import FirstOrders
from protocol.plurals import counted


async def serve_tournament(
    game: str,
    options: Options,
    host: HostFlags,
    ports: PortFlags,
    flags: TournamentFlags,
    run: RunFlags,
    limits: Limits,
    page: PageFlags,
    acpc: AcpcFlags,
    show: ShowFlags,
) -> int:
    """Host a tournament as ``casino serve`` describes it, print the results, and return the exit code.

    Raises:
        OptionError, NoStartError, PortError, JournalError, NobodyPlayedError: with a text for the host.
    """
    where = ports.open_ports()
    if ACPC.name not in where.numbers:
        check_no_acpc(acpc, ACPC.flag)
    terms = acpc_terms(acpc) if ACPC.name in where.numbers else None
    settings = agree(game, options, flags, seed_or_chance(flags.seed), terms)
    settings = replace(settings, rejoin=host.rejoin, secrets=host.secrets)
    most = most_players(settings)
    _check_host(game, host, flags, most)
    _check_ports(where, secrets=host.secrets)
    check_page(page)
    _check_show(show)
    roster = None if host.roster is None else read_roster(host.roster)
    if roster is not None and host.seats is not None and host.seats > len(roster):
        raise OptionError(f"--seats {host.seats} waits for more players than the {len(roster)} of {host.roster}")
    configure_logs(run.log_level)
    outputs = Outputs(Console(stderr=run.json), run, page)
    opening = NewTournament(settings, host.seats or most, roster)
    orders = FirstOrders(length=show_seconds(show, page, run))
    hosting = Hosting(
        where, StartConditions(host.seats, host.wait), fit_descriptors(limits), orders, host.roster, flags.seed
    )
    if roster is not None:
        outputs.say(roster_in_words(roster))
    if flags.seed is not None:
        outputs.say("Anyone who guesses the text of --seed knows every card. Leave it out when it counts.")
    # Created last, so that a mistake in another flag leaves no empty file behind.
    file = None if host.no_journal else AppendFile.create(flags.journal or default_journal(game))
    return await play_guests(hosting, opening, file, outputs)


def _check_host(game: str, host: HostFlags, flags: TournamentFlags, most: int) -> None:
    """Check the flags of a host.

    Raises:
        OptionError: too few or too many seats, or flags that contradict each other.
    """
    if host.seats is not None and not MIN_PLAYERS <= host.seats <= most:
        raise OptionError(f"--seats takes {MIN_PLAYERS} to {most}, as many as can play {game}; got {host.seats}")
    if host.no_journal and flags.journal is not None:
        raise OptionError("--journal and --no-journal contradict each other; give one of them")


def _check_ports(ports: OpenPorts, *, secrets: bool) -> None:
    """Check the ports that a host wants.

    Raises:
        OptionError: two are the same, or one does not go with secrets.
    """
    if ACPC.name in ports.numbers and secrets:
        raise OptionError(f"{ACPC.flag} and --secrets contradict each other: programs of the ACPC give no secret")
    for (one, port), (other, same) in combinations(open_kinds(ports), 2):
        if port == same and port:
            raise OptionError(f"{one.flag} and {other.flag} are both {port}; each needs its own port")


def check_page(page: PageFlags) -> None:
    """Check the flags of the page.

    Raises:
        OptionError: they contradict each other.
    """
    if page.desk and page.no_page:
        raise OptionError("--desk and --no-page contradict each other; the desk is part of the page")


def _check_show(show: ShowFlags) -> None:
    """Check how long the tournament is to take.

    Raises:
        OptionError: the flags contradict each other.
    """
    if show.fast and show.show is not None:
        raise OptionError("--show and --fast contradict each other; give one of them")


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
        hosting = Hosting(where, StartConditions(len(opening.expected), flags.wait), fit_descriptors(limits), orders)
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

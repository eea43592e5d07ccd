"""From what was typed to a tournament and its results: a league on this machine, a hosted Casino Day, or either

played on after a crash.
"""

import sys
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from rich.console import Console

from dealer.agreeing import agree, agree_on_duplicate
from dealer.descriptors import fit_descriptors
from dealer.exits import BAD_USAGE, FAILED, INTERRUPTED
from dealer.flags import DEFAULT_PORT, HostFlags, ResumeFlags, RunFlags, TournamentFlags
from dealer.host import Hosting, host_tournament
from dealer.journal.file import AppendFile
from dealer.journal.records import JournalError, LostRecordsError
from dealer.journal.writer import Journal, open_journal
from dealer.league import League, LeagueError, Program, guest_bots, house_bots
from dealer.limits import Limits
from dealer.logs import configure_logs
from dealer.opening import NewTournament, Opening, PlayedOn, reopen
from dealer.options import OptionError, default_journal, read_roster, seed_or_chance
from dealer.results import Results, show_results
from dealer.server import DoorError
from dealer.settings import LeagueWords, OpenDoors
from dealer.starting import NobodyPlayedError, NoStartError

MEGABYTE = 10**6


async def report_errors(work: Awaitable[int]) -> int:
    """The exit code of ``work``; an error that a person can mend is told in a line on standard error."""
    code = 0
    try:
        code = await work
    except* (OptionError, LeagueError, NoStartError) as errors:
        code = _tell(errors, BAD_USAGE)
    except* (DoorError, JournalError, NobodyPlayedError) as errors:
        code = _tell(errors, FAILED)
    return code


def _tell(errors: BaseExceptionGroup[Exception], code: int) -> int:
    for error in errors.exceptions:
        if isinstance(error, BaseExceptionGroup):
            _tell(error, code)
        else:
            print(f"casino: {error}", file=sys.stderr)
    return code


@dataclass(frozen=True, slots=True)
class _Output:
    """Where things are said, and how."""

    console: Console
    run: RunFlags

    def say(self, text: str) -> None:
        self.console.print(text, highlight=False, markup=False, emoji=False, soft_wrap=True)


async def play_league(
    game: str,
    bots: Sequence[str],
    commands: Sequence[str],
    duplicate: bool,
    flags: TournamentFlags,
    run: RunFlags,
) -> int:
    """Start every bot, play, print the results; the exit code.

    Raises:
        OptionError, LeagueError, DoorError, JournalError, NobodyPlayedError: in words for whoever typed the command.
    """
    seed = seed_or_chance(flags.seed)
    settings = agree_on_duplicate(game, flags, seed) if duplicate else agree(game, flags, seed)
    words = LeagueWords(tuple(bots), tuple(commands))
    programs = _programs(words, seed)
    seats = settings.game.seats
    if len(programs) not in seats:
        raise LeagueError(f"a league of {game} needs {seats[0]} to {seats[-1]} bots, got {len(programs)}")
    configure_logs(run.log_level)
    file = AppendFile.create(flags.journal) if flags.journal else None
    output = _Output(Console(stderr=True), run)
    return await _play_programs(words, programs, NewTournament(settings, len(programs)), file, output)


async def play_hosted(game: str, host: HostFlags, flags: TournamentFlags, run: RunFlags, limits: Limits) -> int:
    """Host a tournament, print the results; the exit code.

    Raises:
        OptionError, NoStartError, DoorError, JournalError, NobodyPlayedError: in words for the host.
    """
    settings = agree(game, flags, seed_or_chance(flags.seed))
    settings = replace(settings, rejoin=host.rejoin, secrets=host.secrets)
    table = settings.game.seats
    if host.seats is not None and host.seats not in table:
        raise OptionError(f"--seats takes {table[0]} to {table[-1]}, the size of a table of {game}; got {host.seats}")
    if host.no_journal and flags.journal is not None:
        raise OptionError("--journal and --no-journal contradict each other; give one of them")
    _check_ports(host.doors)
    roster = None if host.roster is None else read_roster(host.roster)
    configure_logs(run.log_level)
    output = _Output(Console(stderr=run.json), run)
    opening = NewTournament(settings, host.seats or table[-1], roster)
    hosting = Hosting(host.doors, host.seats, host.wait, fit_descriptors(limits))
    if flags.seed is not None:
        output.say("Whoever guesses --seed knows every card. Leave it out when it counts.")
    file = None if host.no_journal else AppendFile.create(flags.journal or default_journal(game))
    return await _play_with_guests(hosting, opening, file, output)


async def play_on(path: Path, flags: ResumeFlags, run: RunFlags, limits: Limits) -> int:
    """Play on a tournament whose dealer died; the exit code.

    Raises:
        OptionError, LeagueError, NoStartError, DoorError, JournalError, NobodyPlayedError: in words for the host.
    """
    configure_logs(run.log_level)
    journal = reopen(path)
    output = _Output(Console(stderr=run.json), run)
    if journal.kept:
        output.say(f"The last record of {path} was torn: its {journal.cut} bytes are now in {journal.kept}.")
    opening = PlayedOn(journal.fold, journal.cut)
    played = max(table.finished for table in journal.fold.ledger.tables)
    output.say(f"{path}: {played} hands finished; a hand that was under way does not count.")
    origin = opening.settings.origin
    if isinstance(origin, LeagueWords):
        programs = _programs(origin, opening.settings.seed_text or "")
        return await _play_programs(origin, programs, opening, journal.file, output)
    hosting = Hosting(_same_doors(origin, flags), len(opening.wanted), flags.wait, fit_descriptors(limits))
    return await _play_with_guests(hosting, opening, journal.file, output)


def _check_ports(doors: OpenDoors) -> None:
    ports = {"--port": doors.port, "--line-port": doors.line_port, "--people-port": doors.people_port}
    for (one, port), (other, same) in combinations(ports.items(), 2):
        if port == same and port:
            raise OptionError(f"{one} and {other} are both {port}; each door needs a port of its own")


def _same_doors(before: OpenDoors | None, flags: ResumeFlags) -> OpenDoors:
    """Where programs found the dealer before it died, unless the flags say otherwise."""
    old = before or OpenDoors("0.0.0.0", DEFAULT_PORT, DEFAULT_PORT + 1)
    return OpenDoors(
        old.host if flags.host is None else flags.host,
        old.port if flags.port is None else flags.port,
        old.line_port if flags.line_port is None else flags.line_port,
        old.people_port,
        old.people_limit,
    )


def _programs(words: LeagueWords, seed: str) -> list[Program]:
    return house_bots(words.bots, seed) + guest_bots(words.commands)


@asynccontextmanager
async def _journal(file: AppendFile | None, output: _Output) -> AsyncIterator[Journal]:
    """A journal; a host who stops at once while the disk is full is told what is lost, and still gets the results."""
    try:
        async with open_journal(file, output.say, output.run.journal_limit * MEGABYTE) as journal:
            yield journal
    except LostRecordsError as lost:
        print(f"casino: {lost}", file=sys.stderr)


def _kept(file: AppendFile | None) -> Path | None:
    """Where the journal is; None if none was kept, or nothing could be written."""
    return file.path if file and file.size else None


async def _play_programs(
    words: LeagueWords,
    programs: Sequence[Program],
    opening: Opening,
    file: AppendFile | None,
    output: _Output,
) -> int:
    async with _journal(file, output) as journal:
        league = League(programs, opening, words, journal, output.console)
        cut_short = await league.play()
    results = Results(league.tournament, opening.settings, _kept(file), league.failures, cut_short)
    show_results(results, output.run.json)
    if league.tournament is None:
        return FAILED
    return INTERRUPTED if cut_short else 0


async def _play_with_guests(
    hosting: Hosting,
    opening: Opening,
    file: AppendFile | None,
    output: _Output,
) -> int:
    if file is not None:
        output.say(f"journal: {file.path}")
    async with _journal(file, output) as journal:
        tournament, cut_short = await host_tournament(hosting, opening, journal, output.console)
    show_results(Results(tournament, opening.settings, _kept(file), (), cut_short), output.run.json)
    return INTERRUPTED if cut_short else 0

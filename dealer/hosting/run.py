"""From what was typed to a tournament and its results: a league on this machine, a hosted Casino Day, or either

played on after a crash.
"""

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import combinations, cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from dealer.cli.flags import DEFAULT_PORT, HostFlags, PageFlags, ResumeFlags, RunFlags, TournamentFlags
from dealer.cli.house_bots import default_bots
from dealer.cli.options import default_journal, read_roster, seed_or_chance
from dealer.cli.output import complain, configure_logs
from dealer.cli.tournament_settings import Options, agree, agree_on_duplicate, most_players
from dealer.errors import (
    FAILED,
    INTERRUPTED,
    LostRecordsError,
    OptionError,
)
from dealer.feed.port import open_feed
from dealer.hosting.league import League, Program, guest_bots, house_bots
from dealer.hosting.progress import stay_until_told
from dealer.hosting.results import Results, show_results
from dealer.hosting.serve import Hosting, host_tournament, least_players
from dealer.hosting.start import MIN_PLAYERS
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal, open_journal
from dealer.net.limits import Limits, fit_descriptors
from dealer.settings import LeagueWords, OpenDoors
from dealer.tournament.opening import NewTournament, Opening, ResumedTournament, reopen
from dealer.tournament.scene import Scene
from dealer.web.admin.host_desk import Desk

if TYPE_CHECKING:
    from starlette.routing import Route

    from dealer.web.board import Board

MEGABYTE = 10**6


@dataclass(frozen=True, slots=True)
class _Output:
    """Where things are said, and how."""

    console: Console
    run: RunFlags
    page: PageFlags

    def tell_token(self, token: str) -> None:
        """The one time that the token of the desk is seen."""
        self.say(f"desk token, shown only here and now: {token}")

    def say(self, text: str) -> None:
        self.console.print(text, highlight=False, markup=False, emoji=False, soft_wrap=True)


@dataclass(frozen=True, slots=True)
class LeagueBots:
    """Who plays in a league.

    Attributes:
        bots: house bots by name.
        players: how many house bots play, if more than those named; they take the seats in turn.
        commands: command lines of other programs.
    """

    bots: Sequence[str]
    players: int | None
    commands: Sequence[str]

    def named(self, game: str) -> tuple[str, ...]:
        """House bots, one a seat; those that the game has for a league if nobody is named.

        Raises:
            OptionError: nobody is named, and no bot joins a league of this game by itself.
        """
        names = tuple(self.bots) or (() if self.commands else default_bots(game))
        if self.players is None or not names:
            return names
        return tuple(islice(cycle(names), max(self.players, len(names))))


async def play_league(
    game: str,
    options: Options,
    bots: LeagueBots,
    duplicate: bool,
    flags: TournamentFlags,
    run: RunFlags,
    page: PageFlags,
) -> int:
    """Start every bot, play, print the results; the exit code.

    Raises:
        OptionError, PortError, JournalError, NobodyPlayedError: in words for whoever typed the command.
    """
    seed = seed_or_chance(flags.seed)
    settings = (agree_on_duplicate if duplicate else agree)(game, options, flags, seed)
    words = LeagueWords(bots.named(game), tuple(bots.commands))
    programs = _programs(words, seed)
    most = most_players(settings)
    if not MIN_PLAYERS <= len(programs) <= most:
        raise OptionError(f"a league of {game} needs {MIN_PLAYERS} to {most} bots, got {len(programs)}")
    configure_logs(run.log_level)
    file = AppendFile.create(flags.journal) if flags.journal else None
    output = _Output(Console(stderr=True), run, page)
    return await _play_programs(words, programs, NewTournament(settings, len(programs)), file, output)


async def play_hosted(
    game: str,
    options: Options,
    host: HostFlags,
    flags: TournamentFlags,
    run: RunFlags,
    limits: Limits,
    page: PageFlags,
) -> int:
    """Host a tournament, print the results; the exit code.

    Raises:
        OptionError, NoStartError, PortError, JournalError, NobodyPlayedError: in words for the host.
    """
    settings = agree(game, options, flags, seed_or_chance(flags.seed))
    settings = replace(settings, rejoin=host.rejoin, secrets=host.secrets)
    most = most_players(settings)
    if host.seats is not None and not MIN_PLAYERS <= host.seats <= most:
        raise OptionError(f"--seats takes {MIN_PLAYERS} to {most}, as many as can play {game}; got {host.seats}")
    if host.no_journal and flags.journal is not None:
        raise OptionError("--journal and --no-journal contradict each other; give one of them")
    _check_ports(host.doors)
    roster = None if host.roster is None else read_roster(host.roster)
    _check_page(page)
    configure_logs(run.log_level)
    output = _Output(Console(stderr=run.json), run, page)
    opening = NewTournament(settings, host.seats or most, roster)
    hosting = Hosting(host.doors, host.seats, host.wait, fit_descriptors(limits))
    if flags.seed is not None:
        output.say("Whoever guesses --seed knows every card. Leave it out when it counts.")
    file = None if host.no_journal else AppendFile.create(flags.journal or default_journal(game))
    return await _play_with_guests(hosting, opening, file, output)


async def play_on(path: Path, flags: ResumeFlags, run: RunFlags, limits: Limits, page: PageFlags) -> int:
    """Play on a tournament whose dealer died; the exit code.

    Raises:
        OptionError, NoStartError, PortError, JournalError, NobodyPlayedError: in words for the host.
    """
    _check_page(page)
    configure_logs(run.log_level)
    journal = reopen(path)
    output = _Output(Console(stderr=run.json), run, page)
    if journal.kept:
        output.say(f"The last record of {path} was torn: its {journal.cut} bytes are now in {journal.kept}.")
    opening = ResumedTournament(journal.rebuild, journal.cut)
    played = max(table.finished for table in journal.rebuild.ledger.seating.tables)
    output.say(f"{path}: {played} hands finished; a hand that was under way does not count.")
    origin = opening.settings.origin
    if isinstance(origin, LeagueWords):
        programs = _programs(origin, opening.settings.seed_text or "")
        return await _play_programs(origin, programs, opening, journal.file, output)
    hosting = Hosting(_same_doors(origin, flags), len(opening.wanted), flags.wait, fit_descriptors(limits))
    return await _play_with_guests(hosting, opening, journal.file, output)


def _check_page(page: PageFlags) -> None:
    if page.desk and page.no_page:
        raise OptionError("--desk and --no-page contradict each other; the desk is part of the page")


def _check_ports(doors: OpenDoors) -> None:
    ports = {"--port": doors.port, "--line-port": doors.line_port, "--people-port": doors.people_port}
    for (one, port), (other, same) in combinations(ports.items(), 2):
        if port == same and port:
            raise OptionError(f"{one} and {other} are both {port}; each listener needs a port of its own")


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
        complain(lost)


@asynccontextmanager
async def _page(scene: Scene, host: str, output: _Output, desk: Desk | None = None) -> AsyncIterator[None]:
    """The page, if one is wanted; where somebody sits at a terminal it stays behind the end, for the podium."""
    if output.page.no_page:
        yield
        return
    # half a second that only a page costs
    from dealer.web.admin.admin_routes import desk_routes  # noqa: PLC0415
    from dealer.web.admin.guard import Guard  # noqa: PLC0415
    from dealer.web.metrics import metrics_routes  # noqa: PLC0415
    from dealer.web.serving import PagePlace, open_page  # noqa: PLC0415

    guard = Guard()

    def routes_of(board: "Board") -> "list[Route]":
        routes = metrics_routes(scene, lambda: board.viewers)
        return routes if desk is None else [*desk_routes(desk, guard), *routes]

    async with open_page(scene, PagePlace(host, output.page.page_port), output.say, routes_of):
        if desk is not None:
            output.tell_token(guard.token)
        yield
        ended = scene.tournament is not None and scene.tournament.ended
        if ended and not output.run.json and sys.stdin is not None and sys.stdin.isatty():
            await stay_until_told(output.say)


@asynccontextmanager
async def _feed(scene: Scene, journal: Journal, host: str, output: _Output) -> AsyncIterator[None]:
    """The feed for programs, if one is wanted."""
    scene.journal = journal
    if output.run.feed_port is None:
        yield
        return
    async with open_feed(scene, journal, host, output.run.feed_port) as (feed, port):
        scene.listeners = lambda: len(feed.listeners)
        output.say(f"The spectator feed for programs: port {port}")
        yield


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
    scene = Scene(opening, output.page.open_cards)
    async with _page(scene, "0.0.0.0", output):
        async with _journal(file, output) as journal, _feed(scene, journal, "0.0.0.0", output):
            league = League(programs, scene, words, journal, output.console)
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
    scene = Scene(opening, output.page.open_cards)
    desk = Desk(scene, least_players(opening)) if output.page.desk else None
    async with _page(scene, hosting.doors.host, output, desk):
        async with _journal(file, output) as journal, _feed(scene, journal, hosting.doors.host, output):
            asked = None if desk is None else desk.asked
            tournament, cut_short = await host_tournament(hosting, scene, journal, output.console, asked)
        show_results(Results(tournament, opening.settings, _kept(file), (), cut_short), output.run.json)
    return INTERRUPTED if cut_short else 0

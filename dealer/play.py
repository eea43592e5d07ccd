"""From what was typed to a tournament and its results: a league on this machine, or a hosted Casino Day."""

import json
import sys
from collections.abc import Awaitable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from dealer.commands import BAD_USAGE, FAILED, INTERRUPTED, TournamentFlags
from dealer.host import Hosting, host_tournament
from dealer.journal import Journal, JournalError
from dealer.league import Failure, League, LeagueError, guest_bots, house_bots
from dealer.logs import configure_logs
from dealer.options import OptionError, read_roster, seed_or_chance
from dealer.server import DoorError
from dealer.standings import standings_table
from dealer.starting import MIN_PLAYERS, NobodyPlayedError, NoStartError
from dealer.tournament import Settings, Tournament
from protocol.games import stud
from protocol.shuffle import seed_from_text

MAX_SEATS = stud.SEATS[-1]


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


async def play_league(bots: Sequence[str], commands: Sequence[str], flags: TournamentFlags) -> int:
    """Start every bot, play, print the results; the exit code.

    Raises:
        OptionError, LeagueError, DoorError, JournalError, NobodyPlayedError: in words for whoever typed the command.
    """
    seed = seed_or_chance(flags.seed)
    settings = _settings(flags, seed)
    programs = house_bots(bots, seed) + guest_bots(commands)
    if not MIN_PLAYERS <= len(programs) <= MAX_SEATS:
        raise LeagueError(f"a league needs {MIN_PLAYERS} to {MAX_SEATS} bots, got {len(programs)}")
    configure_logs(flags.log_level)
    with Journal(flags.journal) as journal:
        league = League(programs, settings, journal, Console(stderr=True))
        cut_short = await league.play()
    _show(league.tournament, flags, seed, league.failures)
    if league.tournament is None:
        return FAILED
    return INTERRUPTED if cut_short else 0


async def play_hosted(
    host: str,
    port: int,
    line_port: int,
    seats: int | None,
    wait: float | None,
    roster: Path | None,
    flags: TournamentFlags,
) -> int:
    """Host a tournament, print the results; the exit code.

    Raises:
        OptionError, NoStartError, DoorError, JournalError, NobodyPlayedError: in words for the host.
    """
    if seats is not None and not MIN_PLAYERS <= seats <= MAX_SEATS:
        raise OptionError(f"--seats takes {MIN_PLAYERS} to {MAX_SEATS}, the size of a stud table; got {seats}")
    seed = seed_or_chance(flags.seed)
    settings = _settings(flags, seed)
    names = None if roster is None else read_roster(roster)
    hosting = Hosting(host, port, line_port, seats, wait, names, seats or MAX_SEATS)
    configure_logs(flags.log_level)
    with Journal(flags.journal) as journal:
        tournament, cut_short = await host_tournament(hosting, settings, journal, Console(stderr=flags.json))
    _show(tournament, flags, seed, [])
    return INTERRUPTED if cut_short else 0


def _settings(flags: TournamentFlags, seed: str) -> Settings:
    if flags.stack < flags.ante:
        raise OptionError(f"a stack of {flags.stack} chips does not pay the ante of {flags.ante}")
    return Settings(seed_from_text(seed), flags.hands, flags.stack, flags.ante, flags.limit, flags.lives)


def _show(tournament: Tournament | None, flags: TournamentFlags, seed: str, failures: Sequence[Failure]) -> None:
    """The results, for a person or as JSON; what went wrong with programs goes to standard error either way."""
    complaints = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)
    for failure in failures:
        complaints.print(f"{failure.program}: {failure.what}")
        for line in failure.stderr:
            complaints.print(f"    {line}")
    if flags.json:
        print(json.dumps(_facts(tournament, flags, seed, failures), indent=2))
    elif tournament is None:
        complaints.print("No tournament: fewer than two bots logged in.")
    else:
        _show_standings(tournament, flags, seed)


def _show_standings(tournament: Tournament, flags: TournamentFlags, seed: str) -> None:
    console = Console(highlight=False, markup=False, emoji=False)
    standings = tournament.standings()
    console.print(standings_table(standings))
    for standing in standings:
        player = standing.player
        if player.faults:
            console.print(f"{player.avatar}: {player.faults[-1].reason}")
    console.print(f"{tournament.hand_number} hands; the same cards again: --seed {seed}", soft_wrap=True)
    if flags.journal:
        console.print(f"journal: {flags.journal}", soft_wrap=True)


def _facts(
    tournament: Tournament | None, flags: TournamentFlags, seed: str, failures: Sequence[Failure]
) -> dict[str, Any]:
    return {
        "game": stud.NAME,
        "seed": seed,
        "hands": tournament.hand_number if tournament else 0,
        "ante": flags.ante,
        "stack": flags.stack,
        "standings": [standing.as_dict() for standing in tournament.standings()] if tournament else [],
        "failures": [asdict(failure) for failure in failures],
        "journal": str(flags.journal) if flags.journal else None,
    }

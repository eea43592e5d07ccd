"""From what was typed to a tournament and its results: a league on this machine, or a hosted Casino Day."""

import sys
from collections.abc import Awaitable, Sequence
from pathlib import Path

from rich.console import Console

from dealer.commands import BAD_USAGE, FAILED, INTERRUPTED, TournamentFlags
from dealer.descriptors import fit_descriptors
from dealer.host import Hosting, host_tournament
from dealer.journal import Journal, JournalError
from dealer.league import League, LeagueError, guest_bots, house_bots
from dealer.limits import Limits
from dealer.logs import configure_logs
from dealer.options import OptionError, read_roster, seed_or_chance
from dealer.results import Results, show_results
from dealer.server import DoorError
from dealer.starting import NobodyPlayedError, NoStartError
from dealer.tournament import Settings
from protocol.games.blockhead import BlockheadGame
from protocol.games.registry import Game
from protocol.games.stud import StudGame
from protocol.shuffle import seed_from_text

DEFAULT_STUD_HANDS = 200


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


async def play_league(game: str, bots: Sequence[str], commands: Sequence[str], flags: TournamentFlags) -> int:
    """Start every bot, play, print the results; the exit code.

    Raises:
        OptionError, LeagueError, DoorError, JournalError, NobodyPlayedError: in words for whoever typed the command.
    """
    seed = seed_or_chance(flags.seed)
    settings = _settings(game, flags, seed)
    programs = house_bots(bots, seed) + guest_bots(commands)
    seats = settings.game.seats
    if len(programs) not in seats:
        raise LeagueError(f"a league of {game} needs {seats[0]} to {seats[-1]} bots, got {len(programs)}")
    configure_logs(flags.log_level)
    with Journal(flags.journal) as journal:
        league = League(programs, settings, journal, Console(stderr=True))
        cut_short = await league.play()
    show_results(Results(league.tournament, settings, seed, flags.journal, league.failures), flags.json)
    if league.tournament is None:
        return FAILED
    return INTERRUPTED if cut_short else 0


async def play_hosted(
    game: str,
    host: str,
    port: int,
    line_port: int,
    seats: int | None,
    wait: float | None,
    roster: Path | None,
    flags: TournamentFlags,
    limits: Limits,
) -> int:
    """Host a tournament, print the results; the exit code.

    Raises:
        OptionError, NoStartError, DoorError, JournalError, NobodyPlayedError: in words for the host.
    """
    seed = seed_or_chance(flags.seed)
    settings = _settings(game, flags, seed)
    table = settings.game.seats
    if seats is not None and seats not in table:
        raise OptionError(f"--seats takes {table[0]} to {table[-1]}, the size of a table of {game}; got {seats}")
    names = None if roster is None else read_roster(roster)
    configure_logs(flags.log_level)
    fitting = fit_descriptors(limits)
    hosting = Hosting(host, port, line_port, seats, wait, names, seats or table[-1], fitting)
    with Journal(flags.journal) as journal:
        tournament, cut_short = await host_tournament(hosting, settings, journal, Console(stderr=flags.json))
    show_results(Results(tournament, settings, seed, flags.journal), flags.json)
    return INTERRUPTED if cut_short else 0


def _settings(game: str, flags: TournamentFlags, seed: str) -> Settings:
    agreed = _agree(game, flags)
    hands = flags.hands or (agreed.hands if isinstance(agreed, BlockheadGame) else DEFAULT_STUD_HANDS)
    size = agreed.seats[-1]
    return Settings(seed_from_text(seed), agreed, hands, flags.games, flags.limit, flags.lives, size)


def _agree(game: str, flags: TournamentFlags) -> Game:
    """The game that the flags describe.

    Raises:
        OptionError: a flag belongs to another game, or a stack does not pay an ante.
    """
    if game == StudGame.name:
        if flags.ranks is not None:
            raise OptionError("--ranks is for blockhead; three-card stud has its own")
        usual = StudGame()
        stud = StudGame(flags.stack or usual.stack, flags.ante or usual.ante)
        if stud.stack < stud.ante:
            raise OptionError(f"a stack of {stud.stack} chips does not pay the ante of {stud.ante}")
        return stud
    if flags.ante is not None:
        raise OptionError("--ante is for stud; the buy-in of blockhead is fixed")
    default = BlockheadGame()
    return BlockheadGame(flags.stack or default.stack, flags.hands or default.hands, flags.ranks or default.ranks)

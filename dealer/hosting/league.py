"""The command ``casino league``: from its flags to the programs that play, and to the results.

The dealer and every bot run on this machine, each in a process of its own, over real sockets.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from rich.console import Console

from dealer.cli.flags import AcpcFlags, PageFlags, RunFlags, TournamentFlags
from dealer.cli.house_bots import check_bots, default_bots
from dealer.cli.logs import configure_logs
from dealer.cli.options import seed_or_chance
from dealer.errors import FAILED, INTERRUPTED, OptionError
from dealer.hosting.acpc import acpc_terms, check_no_acpc
from dealer.hosting.league_run import League
from dealer.hosting.outputs import Outputs, kept_journal
from dealer.hosting.results import Results, show_results
from dealer.hosting.tournament_settings import Options, agree, agree_on_duplicate, most_players
from dealer.journal.file import AppendFile
from dealer.programs import (
    Program,
    acpc_programs,
    guest_bots,
    house_bots,
    in_sandboxes,
)
from dealer.settings import LeagueWords, Settings
from dealer.tournament.opening import MIN_PLAYERS, NewTournament, Opening
from dealer.tournament.scene import NO_ORDERS, FirstOrders
from protocol.plurals import span

#: Where the page and the feed of a league are served: a projector may be on another machine.
EVERYWHERE = "0.0.0.0"


def seated_bots(asked: LeagueWords, players: int | None, game: str, most: int) -> tuple[str, ...]:
    """The house bots by name, one for each seat.

    Where none is named, those that the game has for a league play, as many as have room beside the other programs,
    unless several of these meet each other.

    Args:
        asked: what was typed.
        players: how many house bots play, if more than those named; they take the seats in turn.
        game: the name of the game.
        most: how many can play.

    Raises:
        OptionError: none is named, and no bot joins a league of this game by itself; or a bot is not installed, or
            does not play this game.
    """
    others = len(asked.commands) + len(asked.acpc_commands)
    alone = others < MIN_PLAYERS or players is not None
    names = asked.bots or (default_bots(game) if alone else ())
    check_bots(dict.fromkeys(names), game)
    if players is None:
        return names if asked.bots else names[: most - others]
    # Bots that nobody named make room; those that were named all play.
    return tuple(islice(cycle(names), max(players, len(asked.bots))))


async def play_league(
    game: str,
    options: Options,
    asked: LeagueWords,
    players: int | None,
    duplicate: bool,
    flags: TournamentFlags,
    run: RunFlags,
    page: PageFlags,
    acpc: AcpcFlags,
) -> int:
    """Play a league as ``casino league`` describes it, print the results, and return the exit code.

    Raises:
        OptionError, PortError, JournalError, NobodyPlayedError: with a text for the user.
    """
    seed = seed_or_chance(flags.seed)
    if not asked.acpc_commands:
        check_no_acpc(acpc, "--acpc-cmd")
    terms = acpc_terms(acpc) if asked.acpc_commands else None
    settings = (agree_on_duplicate if duplicate else agree)(game, options, flags, seed, terms)
    most = most_players(settings)
    words = replace(asked, bots=seated_bots(asked, players, game, most))
    programs = league_programs(words, settings, flags.journal)
    if not MIN_PLAYERS <= len(programs) <= most:
        seats = span(range(MIN_PLAYERS, most + 1))
        raise OptionError(f"a league of {game} needs {seats} bots, got {len(programs)}")
    configure_logs(run.log_level)
    file = AppendFile.create(flags.journal) if flags.journal else None
    outputs = Outputs(Console(stderr=True), run, page)
    opening = NewTournament(settings, len(programs))
    return await play_programs(words, programs, opening, file, outputs)


def league_programs(words: LeagueWords, settings: Settings, journal: Path | None) -> list[Program]:
    """The programs of a league, house bots first; those that are not ours in sandboxes, if that is wanted.

    Raises:
        OptionError: a command line cannot be used, there are too few names, or there can be no sandbox.
    """
    guests = guest_bots(words.commands, words.bots)
    if settings.acpc is not None:
        guests += acpc_programs(words.acpc_commands, settings.acpc)
    if words.sandbox:
        guests = in_sandboxes(guests, journal, [Path(folder) for folder in words.sandbox_python])
    return house_bots(words.bots, settings.seed_text or "") + guests


def _warn_of_journal(words: LeagueWords, file: AppendFile | None, outputs: Outputs) -> None:
    """Say that programs which run as the user can read the journal, if there are such."""
    flags = [flag for flag, given in (("--bot-cmd", words.commands), ("--acpc-cmd", words.acpc_commands)) if given]
    if file is not None and flags and not words.sandbox:
        outputs.say(
            f"Warning: the programs of {' and '.join(flags)} run as you do, so they can read the journal during play, "
            "and it tells every card. --sandbox hides it from them."
        )


async def play_programs(
    words: LeagueWords,
    programs: Sequence[Program],
    opening: Opening,
    file: AppendFile | None,
    outputs: Outputs,
    orders: FirstOrders = NO_ORDERS,
) -> int:
    """Play a new or resumed league to its end, print the results, and return the exit code.

    A program that fails makes it ``FAILED``, also when the others played to the end.
    """
    _warn_of_journal(words, file, outputs)
    scene = outputs.scene(opening)
    with outputs.owned(file):
        async with outputs.open_stream(scene, EVERYWHERE) as feed:
            async with outputs.open_journal(scene, file, feed) as journal:
                league = League(programs, scene, words, journal, outputs.console, asks=True, orders=orders)
                cut_short = await league.play()
            results = Results(league.tournament, opening.settings, kept_journal(file), league.failures, cut_short)
            show_results(results, outputs.run.json)
            await outputs.stay(scene)
    if league.tournament is None:
        return FAILED
    if cut_short and not league.tournament.suspended:
        return INTERRUPTED
    return FAILED if league.failures else 0

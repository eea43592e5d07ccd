"""``casino practice``: from what was typed to the exit code."""

import shlex
from collections.abc import Sequence
from math import inf
from pathlib import Path

from rich.console import Console

from dealer.cli.house_bots import default_bots
from dealer.cli.options import data_folder, new_journal, seed_or_chance
from dealer.cli.output import configure_logs
from dealer.errors import FAILED, INTERRUPTED, OptionError
from dealer.hosting.league import STARTUP_SECONDS
from dealer.hosting.programs import Program, guest_bots, house_bots
from dealer.hosting.results import show_failures
from dealer.hosting.tournament_settings import UNTIL_ONE_IS_LEFT
from dealer.journal.file import AppendFile
from dealer.practice.analysis import read_session
from dealer.practice.house import check_bots, teacher
from dealer.practice.mistakes import most_expensive
from dealer.practice.practice_flags import PracticeFlags
from dealer.practice.practice_report import Results, as_json, show
from dealer.practice.tournaments import Played, Team, play
from dealer.settings import LeagueWords, Settings
from protocol.games.stud import StudGame
from protocol.shuffle import seed_from_text

WITHOUT_CLOCK = 10.0**6
"""Seconds; more than eleven days."""


async def practise(game: str, command: Sequence[str], flags: PracticeFlags) -> int:
    """Play, find out what there is to learn, and show it; the exit code.

    Raises:
        OptionError: something that was typed cannot be used.
        PortError, JournalError, NobodyPlayedError: it could not be played.
    """
    if game != "stud":
        raise OptionError(f"practice does not know {game} yet; it knows stud")
    against = flags.against or default_bots(game)
    seed = seed_or_chance(flags.seed)
    own, house = _own(command, flags.listen), house_bots(against, seed)
    words = LeagueWords(tuple(against), (own.name,) if own.command else ())
    check_bots(against, game)
    settings = _settings(flags, seed, len(house) + 1)
    configure_logs("error")  # a fault is told at the end, in words for whoever wrote the program
    console = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)
    path = new_journal(flags.out or data_folder("practice"), game, "name another one with --out")
    patience = flags.patience or (STARTUP_SECONDS if flags.listen is None and not flags.no_clock else inf)
    played = await play(Team(own, house, words), settings, AppendFile.create(path), patience, console)
    if played.cut_short:
        return INTERRUPTED
    results = _study(played, path, flags, seed, console) if played.tournament else None
    show_failures(played.failures, console)
    if results is None:
        console.print("No tournament: somebody did not log in.")
        return FAILED
    print(as_json(results)) if flags.json else show(results)
    return FAILED if results.failed else 0


def _own(command: Sequence[str], port: int | None) -> Program:
    """The program that practises, as a league knows it."""
    if port is not None and command:
        raise OptionError("--listen waits for a program that you start yourself; leave out the command, or --listen")
    if port is not None:
        return Program("your program", (), port)
    if not command:
        raise OptionError("give the program's command behind --, like: -- java Poker {host} {port}; or --listen PORT")
    (own,) = guest_bots([shlex.join(command)])
    return own


def _settings(flags: PracticeFlags, seed: str, players: int) -> Settings:
    """Freezeouts at one table, one after the other."""
    seats = StudGame.seats
    if players not in seats:
        raise OptionError(f"stud is played by {seats[0]} to {seats[-1]}: give at most {seats[-1] - 1} house bots")
    return Settings(
        seed_from_text(seed),
        StudGame(flags.stack),
        UNTIL_ONE_IS_LEFT,
        limit=WITHOUT_CLOCK if flags.no_clock else flags.limit,
        seed_text=seed,
        levels=flags.levels,
        rounds=flags.tournaments,
    )


def _study(played: Played, path: Path, flags: PracticeFlags, seed: str, console: Console) -> Results:
    """All that the journal tells."""
    assert played.player is not None
    with console.status("asking stud what it would have done") as status:
        session = read_session(path, played.player.program, teacher())

        def on_progress(done: int, total: int) -> None:
            status.update(f"playing {done} of {total} decisions again, with other cards")

        mistakes = most_expensive(session.differences, seed, on_progress) if session else []
    players = played.tournament.players if played.tournament else ()
    return Results(played.player, session, mistakes, flags.tournaments, players, seed, path, played.failures)

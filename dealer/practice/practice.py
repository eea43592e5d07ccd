"""``casino practice``: play a program against house bots, and show what there is to learn."""

import shlex
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any

import trio
from rich.console import Console

from dealer.cli.flags import TournamentFlags
from dealer.cli.house_bots import check_bots, usual_company
from dealer.cli.options import data_folder, new_journal, seed_or_chance
from dealer.cli.output import configure_logs
from dealer.errors import FAILED, INTERRUPTED, OptionError
from dealer.hosting.arrivals import STARTUP_SECONDS
from dealer.hosting.league_run import League
from dealer.hosting.programs import Program, guest_bots, house_bots, in_sandboxes
from dealer.hosting.progress import REFRESH_SECONDS
from dealer.hosting.results import show_failures
from dealer.hosting.tournament_settings import agree, can_rise, game_with, never_ends
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.lobby.player import Player
from dealer.practice.game_practice import GamePractice, find_practice
from dealer.practice.mistakes import most_expensive
from dealer.practice.practice_flags import PracticeFlags
from dealer.practice.practice_report import Results, as_json, show
from dealer.practice.practice_session import read_session
from dealer.settings import LeagueWords, Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from protocol.games.registry import load_game
from protocol.plurals import plural, span

#: The journal ends at this size, so that a practice cannot fill the disk. No practice reaches it.
JOURNAL_BYTES = 10**9


def _player_of(program: Program, scene: Scene) -> Player | None:
    players = scene.tournament.players if scene.tournament else ()
    return next((player for player in players if player.program == program.name), None)


async def _stop_when_out(program: Program, scene: Scene) -> None:
    """Stop the tournaments once the program is out: what house bots play among themselves teaches nothing."""
    while (player := _player_of(program, scene)) is None or not player.faults:
        await trio.sleep(REFRESH_SECONDS)
    assert scene.tournament is not None
    scene.tournament.stop_after_hand()


#: The limit for a reply with ``--no-clock``, in seconds: more than eleven days.
WITHOUT_CLOCK = 10.0**6

#: Chips of every player, and hands of a level, where nothing else is said.
USUAL_STACK, USUAL_LEVELS = 200, 10

NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


async def practise(
    game: str, command: Sequence[str], flags: PracticeFlags, options: Mapping[str, Any] = NO_OPTIONS
) -> int:
    """Play, find out what there is to learn, and show it.

    Args:
        game: as it was typed.
        command: that starts the program; empty with ``flags.listen``.
        flags: of the command line.
        options: of the game, by name, as far as they were given.

    Returns:
        The exit code.

    Raises:
        OptionError: practice does not know the game, or a flag or the command cannot be used.
        PortError, JournalError, NobodyPlayedError: it could not be played.
    """
    practice, seed = find_practice(game), seed_or_chance(flags.seed)
    against = flags.against or usual_company(game)
    check_bots(against, game)
    own, house = _own(command, flags.listen, against), house_bots(against, seed)
    if flags.sandbox and not own.command:
        raise OptionError("--sandbox is for a program that is started here; leave out --listen, or --sandbox")
    words = LeagueWords(tuple(against), (own.name,) if own.command else (), flags.sandbox)
    settings = practice_settings(game, flags, options, seed, len(house) + 1)
    configure_logs("error")  # the results show faults at the end, in words for the author of the program
    console = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)
    path = new_journal(flags.out or data_folder("practice"), game, "name another one with --out")
    if flags.sandbox:
        (own,) = in_sandboxes([own], path, flags.sandbox_python)
    patience = flags.patience or (STARTUP_SECONDS if flags.listen is None and not flags.no_clock else inf)
    programs = [own, *house]
    scene = Scene(NewTournament(settings, len(programs)))
    async with open_journal(AppendFile.create(path), console.print, JOURNAL_BYTES) as journal:
        league = League(programs, scene, words, journal, console, len(programs), patience)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_stop_when_out, own, scene)
            cut_short = await league.play()
            nursery.cancel_scope.cancel()
    if cut_short:
        return INTERRUPTED
    player = _player_of(own, scene)
    results = None if player is None else _study(game, practice, player, league, path, flags, seed, console)
    show_failures(league.failures, console)
    if results is None:
        console.print("No tournament: not every program logged in.")
        return FAILED
    print(as_json(results)) if flags.json else show(results)
    return FAILED if results.failed else 0


def _own(command: Sequence[str], port: int | None, against: Sequence[str]) -> Program:
    """The program that practises against house bots, as a league knows it."""
    if port is not None and command:
        raise OptionError("--listen waits for a program that you start yourself; leave out the command, or --listen")
    if port is not None:
        return Program("your program", (), port)
    if not command:
        raise OptionError("give the program's command behind --, like: -- java Poker {host} {port}; or --listen PORT")
    (own,) = guest_bots([shlex.join(command)], against)
    return own


def practice_settings(game: str, flags: PracticeFlags, options: Mapping[str, Any], seed: str, players: int) -> Settings:
    """Freezeouts at one table, one after the other; games of so many hands where nobody can go out.

    Raises:
        OptionError: an option or the levels do not fit the game, or there are too many players for it.
    """
    options = {**options, "stack": flags.stack or _usual_stack(game, options)}
    agreed = game_with(game, options)
    seats = agreed.table_seats
    if players not in seats:
        raise OptionError(f"{game} is played by {span(seats)}: give at most {plural(seats[-1] - 1, 'house bot')}")
    rises = flags.level_table is None and can_rise(agreed) and not never_ends(agreed)
    tournament = TournamentFlags(
        limit=WITHOUT_CLOCK if flags.no_clock else flags.limit,
        format="freezeout",
        series=flags.tournaments,
        table_size=None if agreed.in_games else seats[-1],
        levels=flags.levels or (USUAL_LEVELS if rises else None),
        level_table=flags.level_table,
    )
    return agree(game, options, tournament, seed)


def _usual_stack(game: str, options: Mapping[str, Any]) -> int:
    """Chips of every player where none are named: few, so that tournaments are short.

    An option that sets others as well, as a preset does, sets the stack too.
    """
    usual, agreed = load_game(game)(), game_with(game, options)
    sets_others = any(agreed.facts[name] != value for name, value in usual.facts.items() if name not in options)
    return agreed.stack if sets_others else USUAL_STACK


def _study(
    game: str,
    practice: GamePractice,
    player: Player,
    league: League,
    path: Path,
    flags: PracticeFlags,
    seed: str,
    console: Console,
) -> Results:
    """The results: the journal read back, and the most expensive decisions measured."""
    with console.status(f"asking {practice.teacher} what it would have done") as status:
        session = read_session(path, player.program, practice)

        def on_progress(done: int, total: int) -> None:
            status.update(f"playing {done} of {total} decisions again, with other cards")

        mistakes = most_expensive(game, session.differences, seed, on_progress) if session else []
    everybody = league.tournament.players if league.tournament else ()
    failures, planned = league.failures, flags.tournaments
    return Results(game, practice.teacher, player, session, mistakes, planned, everybody, seed, path, failures)

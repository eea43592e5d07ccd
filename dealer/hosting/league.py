"""The command ``casino league``: from its flags to the programs that play, and to the results.

The dealer and every bot run on this machine, each in a process of its own, over real sockets. Each program gets its own
loopback port. So the league knows which program is which without trusting an id, and players sit in the order in which
their programs were named.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import trio
from rich.console import Console
from rich.status import Status
from rich.text import Text

from dealer.cli.flags import AcpcFlags, PageFlags, RunFlags, TournamentFlags
from dealer.cli.house_bots import check_bots, default_bots
from dealer.cli.logs import configure_logs
from dealer.cli.options import seed_or_chance
from dealer.errors import FAILED, INTERRUPTED, NobodyPlayedError, OptionError
from dealer.faults import FaultKind
from dealer.hosting.acpc import acpc_terms, check_no_acpc
from dealer.hosting.control import Control, begin_as_told
from dealer.hosting.interrupts import open_interrupts
from dealer.hosting.outputs import Outputs, kept_journal
from dealer.hosting.progress import announce_page, run_with_progress
from dealer.hosting.results import Results, show_results
from dealer.hosting.tournament_settings import Options, agree, agree_on_duplicate, most_players
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal
from dealer.lobby.player import Player
from dealer.net.stalls import Stalls
from dealer.net.watchdog import open_watchdog
from dealer.programs import (
    STARTUP_SECONDS,
    Failure,
    Participant,
    Program,
    acpc_programs,
    all_ended,
    gather,
    guest_bots,
    house_bots,
    in_sandboxes,
)
from dealer.settings import LeagueWords, Settings
from dealer.tournament.opening import MIN_PLAYERS, NewTournament, Opening
from dealer.tournament.scene import NO_ORDERS, FirstOrders, Scene
from dealer.tournament.tournament import Tournament
from protocol.plurals import span

#: Where the page and the feed of a league are served: a projector may be on another machine.
EVERYWHERE = "0.0.0.0"

#: Seconds after which the host is told which programs have not logged in yet.
QUIET_SECONDS = 2.0


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


class League:
    """Programs, the lobby they log in to, and the tournament they play.

    Args:
        programs: all programs of the league; of a resumed one, only those whose players are still in are started.
        scene: how the tournament begins; it is told when it has.
        words: what the league was started with, for the journal.
        journal: of the tournament.
        console: where progress is shown.
        least: players without whom there is no tournament.
        patience: seconds a program may take to log in.
        asks: whether Ctrl-C asks the host what to do; else it ends the tournament after the hand in progress.
        orders: of the host, before the first hand.

    Attributes:
        tournament: None until enough programs have logged in.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        scene: Scene,
        words: LeagueWords,
        journal: Journal,
        console: Console,
        least: int = MIN_PLAYERS,
        patience: float = STARTUP_SECONDS,
        *,
        asks: bool = False,
        orders: FirstOrders = NO_ORDERS,
    ) -> None:
        opening = scene.opening
        self._orders = orders
        self.tournament: Tournament | None = None
        wanted = None if opening.wanted is None else {player.program for player in opening.wanted}
        self._scene = scene
        self._opening = opening
        self._words = words
        self._journal = journal
        self._console = console
        self._least = least
        self._asks = asks
        self._participants = [
            Participant(program, opening.lobby, opening.settings.limit, patience)
            for program in programs
            if wanted is None or program.name in wanted
        ]

    async def play(self) -> bool:
        """Play the league and wait until every program has ended; True if it can go on: see ``host_tournament``.

        Without enough players there is no tournament, only failures.

        Raises:
            PortError: a port cannot be opened.
            NobodyPlayedError: interrupted before the start.
        """
        try:
            async with open_interrupts(lambda: None) as interrupts, open_watchdog() as watchdog:
                async with trio.open_nursery() as nursery:
                    interrupts.gently = nursery.cancel_scope.cancel
                    announce_page(self._scene, self._console)
                    for one in self._participants:
                        await one.start(nursery, watchdog, self._console.print)
                    players = await self._gather(watchdog.stalls)
                    if len(players) >= min(self._least, len(self._participants)):
                        self.tournament = self._scene.begin(self._journal, players, self._words, watchdog.stalls)
                        control = Control(self.tournament, self._console, interrupts, asks=self._asks)
                        begin_as_told(self.tournament, self._orders, control, self._console, self._scene)
                        await run_with_progress(self.tournament, self._console, control)
                        await self._finish(watchdog.stalls)
                    nursery.cancel_scope.cancel()
        finally:
            for one in self._participants:
                await one.stop()
        if self.tournament is None and interrupts.count:
            raise NobodyPlayedError(f"interrupted before {self._beginning}")
        return self.tournament is not None and not self.tournament.ended

    @property
    def failures(self) -> list[Failure]:
        """Programs that did not start, did not log in, failed, or had to be stopped."""
        return [one.failure for one in self._participants if one.failure is not None]

    @property
    def _beginning(self) -> str:
        if self._opening.wanted is None:
            return "the tournament started"
        return "play went on; nothing is lost, the journal can be resumed again"

    async def _gather(self, stalls: Stalls) -> list[Player]:
        """Wait for the logins, and tell the host who is awaited; the players in the order of their programs."""
        with self._console.status("starting the bots") as status:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._say_who_is_awaited, status)
                await gather(self._participants, stalls)
                nursery.cancel_scope.cancel()
        order = [one.program.name for one in self._participants]
        return sorted(self._opening.lobby.players, key=lambda player: order.index(player.program))

    async def _say_who_is_awaited(self, status: Status) -> None:
        """Tell the host which programs have not logged in yet, once that takes longer than a moment."""
        began = trio.current_time()
        await trio.sleep(QUIET_SECONDS)
        while True:
            missing = [one for one in self._participants if one.player is None and one.failure is None]
            names = ", ".join(one.program.name for one in missing)
            most = max((one.patience for one in missing), default=0.0)
            waited = trio.current_time() - began
            status.update(Text(f"waiting for the login of {names} ({waited:.0f} s, at most {most:g} s)"))
            await trio.sleep(1.0)

    async def _finish(self, stalls: Stalls) -> None:
        """Give every program a moment to exit after its ``done:``, and note those that did not play or exit well."""
        with self._console.status("waiting for the bots to end"):
            await all_ended(self._participants, stalls)
        for one in self._participants:
            if one.failure is not None or not one.running.here:
                continue
            if (what := self._ended_badly(one.program, one.running.code)) is not None:
                one.fail(what)

    def _ended_badly(self, program: Program, code: int | None) -> str | None:
        """What a program did wrong at its end, as the rest of a sentence; None if it ended as it should."""
        if code is None:
            return "did not end by itself"
        if code:
            return f"ended with exit code {code}"
        if not self._left_early(program):
            return None
        # Programs of the ACPC know no "done:".
        return f"left before {'it was told done:' if program.acpc is None else 'the tournament was over'}"

    def _left_early(self, program: Program) -> bool:
        """Whether the player of a program ended its connection during play."""
        players = self.tournament.players if self.tournament else ()
        faults = [fault for player in players if player.program == program.name for fault in player.faults]
        return any(fault.kind is FaultKind.GONE for fault in faults)

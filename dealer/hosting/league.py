"""A league on this machine: the dealer and every bot in a process of its own, over real sockets.

Each program gets its own loopback port. So the league knows which program is which without trusting an id, and players
sit in the order in which their programs were named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice

import trio
from rich.console import Console

from dealer.cli.flags import PageFlags, RunFlags, TournamentFlags
from dealer.cli.house_bots import default_bots
from dealer.cli.options import seed_or_chance
from dealer.cli.output import configure_logs
from dealer.errors import FAILED, INTERRUPTED, NobodyPlayedError, OptionError
from dealer.hosting.interrupts import open_interrupts
from dealer.hosting.outputs import Outputs, kept_journal
from dealer.hosting.programs import Failure, Program, RunningProgram, guest_bots, house_bots, start_program
from dealer.hosting.progress import announce_page, run_with_progress, stop_gently
from dealer.hosting.results import Results, show_results
from dealer.hosting.start import MIN_PLAYERS
from dealer.hosting.tournament_settings import Options, agree, agree_on_duplicate, most_players
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal
from dealer.lobby.listener import accept_players, open_listener
from dealer.lobby.player import Player
from dealer.net.stalls import Stalls
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.settings import LeagueWords
from dealer.tournament.opening import NewTournament, Opening
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament

#: Where the programs of a league connect: nobody else can reach it.
HOST = "127.0.0.1"

#: Where the page and the feed of a league are served: a projector may be on another machine.
EVERYWHERE = "0.0.0.0"

#: Seconds a program may take to log in; a Java machine under load needs several.
STARTUP_SECONDS = 30.0

#: Seconds a program may take to exit after its ``done:``.
EXIT_SECONDS = 3.0


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
        """The house bots by name, one for each seat; those that the game has for a league if none is named.

        Raises:
            OptionError: none is named, and no bot joins a league of this game by itself.
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
    """Play a league as ``casino league`` describes it, print the results, and return the exit code.

    Args:
        game: the name of the game.
        options: of the game, as they were given.
        bots: who plays.
        duplicate: whether every deal is played again with the players rotated through the seats.
        flags: what is agreed for the tournament.
        run: journal, feed and results.
        page: the page for browsers.

    Raises:
        OptionError, PortError, JournalError, NobodyPlayedError: with a text for the user.
    """
    seed = seed_or_chance(flags.seed)
    settings = (agree_on_duplicate if duplicate else agree)(game, options, flags, seed)
    words = LeagueWords(bots.named(game), tuple(bots.commands))
    programs = league_programs(words, seed)
    most = most_players(settings)
    if not MIN_PLAYERS <= len(programs) <= most:
        raise OptionError(f"a league of {game} needs {MIN_PLAYERS} to {most} bots, got {len(programs)}")
    configure_logs(run.log_level)
    file = AppendFile.create(flags.journal) if flags.journal else None
    outputs = Outputs(Console(stderr=True), run, page)
    return await play_programs(words, programs, NewTournament(settings, len(programs)), file, outputs)


def league_programs(words: LeagueWords, seed: str) -> list[Program]:
    """The programs of a league, house bots first.

    Raises:
        OptionError: a command line cannot be used.
    """
    return house_bots(words.bots, seed) + guest_bots(words.commands)


async def play_programs(
    words: LeagueWords, programs: Sequence[Program], opening: Opening, file: AppendFile | None, outputs: Outputs
) -> int:
    """Play a new or resumed league to its end, print the results, and return the exit code."""
    scene = Scene(opening, outputs.page.open_cards)
    async with outputs.open_page(scene, EVERYWHERE):
        async with outputs.open_journal(file) as journal, outputs.open_feed(scene, journal, EVERYWHERE):
            league = League(programs, scene, words, journal, outputs.console)
            cut_short = await league.play()
        results = Results(league.tournament, opening.settings, kept_journal(file), league.failures, cut_short)
        show_results(results, outputs.run.json)
    if league.tournament is None:
        return FAILED
    return INTERRUPTED if cut_short else 0


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

    Attributes:
        tournament: None until enough programs have logged in.
        failures: programs that did not start, did not log in, failed, or had to be stopped.
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
    ) -> None:
        opening = scene.opening
        self.tournament: Tournament | None = None
        self.failures: list[Failure] = []
        wanted = None if opening.wanted is None else {player.program for player in opening.wanted}
        self._programs = [program for program in programs if wanted is None or program.name in wanted]
        self._scene = scene
        self._opening = opening
        self._words = words
        self._journal = journal
        self._console = console
        self._least = least
        self._patience = patience
        self._running: list[RunningProgram] = []

    async def play(self) -> bool:
        """Play the league and wait until every program has ended; True if a second interrupt cut it short.

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
                    with self._console.status("starting the bots"):
                        await self._start_all(nursery, watchdog)
                        players = await self._gather(watchdog.stalls)
                    if len(players) >= min(self._least, len(self._programs)):
                        self.tournament = self._opening.begin(self._journal, players, self._words)
                        self.tournament.heed_stalls(watchdog.stalls)
                        self._scene.tournament = self.tournament
                        interrupts.gently = partial(stop_gently, self.tournament, self._console)
                        await run_with_progress(self.tournament, self._console)
                        await self._finish()
                    nursery.cancel_scope.cancel()
        finally:
            # Shielded: even when the dealer is cancelled, no program may be left behind.
            with trio.CancelScope(shield=True):
                for running in self._running:
                    await running.stop()
        if self.tournament is None and interrupts.count:
            raise NobodyPlayedError("interrupted before the tournament started")
        return interrupts.count > 1 and not (self.tournament and self.tournament.ended)

    async def _start_all(self, nursery: trio.Nursery, watchdog: Watchdog) -> None:
        """Open a port for each program, then start it; the port must be open before its program looks for it."""
        for program in self._programs:
            listener = await open_listener(HOST, program.port, self._opening.settings.limit, program=program.name)
            nursery.start_soon(accept_players, listener, self._opening.lobby, watchdog)
            if program.command:
                await self._start(program, listener.port)
            else:
                self._console.print(f"start your program now, with {HOST} and port {listener.port}")

    async def _start(self, program: Program, port: int) -> None:
        try:
            self._running.append(await start_program(program, HOST, port))
        except OSError as error:
            self.failures.append(Failure(program.name, f"could not be started: {error.strerror}", ()))

    async def _gather(self, stalls: Stalls) -> list[Player]:
        """Wait until every program is logged in, dead, or too slow; the players in the order of their programs."""
        async with stalls.move_on_after(self._patience), trio.open_nursery() as nursery:
            for running in self._running:
                nursery.start_soon(self._logged_in_or_dead, running)
            for program in self._started_by_user:
                nursery.start_soon(self._logged_in, program)
        players = self._opening.lobby.players
        arrived = {player.program for player in players}
        slow = f"did not log in within {self._patience:g} s"
        missing = [program.name for program in self._started_by_user if program.name not in arrived]
        self.failures += [Failure(name, slow, ()) for name in missing]
        for running in self._running:
            if running.program.name not in arrived:
                code = running.process.poll()
                what = slow if code is None else f"ended with exit code {code} before it logged in"
                self.failures.append(running.failure(what))
        order = [program.name for program in self._programs]
        return sorted(players, key=lambda player: order.index(player.program))

    async def _finish(self) -> None:
        """Give every program a moment to exit after its ``done:``, and note those that did not exit well."""
        with trio.move_on_after(EXIT_SECONDS):
            for running in self._running:
                await running.process.wait()
        for running in self._running:
            code = running.process.poll()
            if code != 0 and not running.reported:
                what = "did not end by itself" if code is None else f"ended with exit code {code}"
                self.failures.append(running.failure(what))

    async def _logged_in_or_dead(self, running: RunningProgram) -> None:
        """Wait for the login of a program, or for its end, whichever comes first."""
        async with trio.open_nursery() as nursery:

            async def watch() -> None:
                await running.process.wait()
                nursery.cancel_scope.cancel()

            nursery.start_soon(watch)
            await self._logged_in(running.program)
            nursery.cancel_scope.cancel()

    async def _logged_in(self, program: Program) -> None:
        lobby = self._opening.lobby
        while all(player.program != program.name for player in lobby.players):
            await lobby.changed()

    @property
    def _started_by_user(self) -> list[Program]:
        return [program for program in self._programs if not program.command]

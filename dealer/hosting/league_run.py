"""The run of a league: start its programs, wait for their logins, play, and see how they end.

Each program gets its own loopback port. So the league knows which program is which without trusting an id, and players
sit in the order in which their programs were named.
"""

from collections.abc import Sequence
from dataclasses import replace

import trio
from rich.console import Console
from rich.status import Status
from rich.text import Text

from dealer.errors import NobodyPlayedError
from dealer.faults import FaultKind
from dealer.hosting.control import Control, begin_as_told
from dealer.hosting.interrupts import open_interrupts
from dealer.hosting.programs import (
    Failure,
    Program,
    RunningProgram,
    start_program,
)
from dealer.hosting.progress import announce_page, run_with_progress
from dealer.hosting.start import MIN_PLAYERS
from dealer.journal.writer import Journal
from dealer.lobby.failed_logins import FailedLogin
from dealer.lobby.listener import PlayerListener, accept_players, open_listener
from dealer.lobby.player import Player
from dealer.net.stalls import Stalls
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.settings import LeagueWords
from dealer.tournament.first_orders import NO_ORDERS, FirstOrders
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament

#: Where the programs of a league connect: nobody else can reach it.
HOST = "127.0.0.1"

#: Seconds a program may take to log in; a Java machine under load needs several.
STARTUP_SECONDS = 30.0

#: Seconds a house bot may take: on a slow laptop some compile or load for longer than ``STARTUP_SECONDS``.
HOUSE_STARTUP_SECONDS = 180.0

#: Seconds for which a program whose login failed may try again.
RETRY_SECONDS = 3.0

#: Seconds after which the host is told which programs have not logged in yet.
QUIET_SECONDS = 2.0

#: Seconds a program may take to exit after its ``done:``.
EXIT_SECONDS = 3.0


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
        *,
        asks: bool = False,
        orders: FirstOrders = NO_ORDERS,
    ) -> None:
        opening = scene.opening
        self._orders = orders
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
        self._asks = asks
        self._running: list[RunningProgram] = []

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
                    await self._start_all(nursery, watchdog)
                    players = await self._gather(watchdog.stalls)
                    if len(players) >= min(self._least, len(self._programs)):
                        self.tournament = self._opening.begin(self._journal, players, self._words)
                        self.tournament.heed_stalls(watchdog.stalls)
                        self._scene.tournament = self.tournament
                        self.tournament.services = self._scene.services(None)
                        self.tournament.log_steps = self._scene.log_steps
                        control = Control(self.tournament, self._console, interrupts, asks=self._asks)
                        begin_as_told(self.tournament, self._orders, control, self._console, self._scene)
                        await run_with_progress(self.tournament, self._console, control)
                        await self._finish(watchdog.stalls)
                    nursery.cancel_scope.cancel()
        finally:
            # Shielded: even when the dealer is cancelled, no program may be left behind.
            with trio.CancelScope(shield=True):
                for running in self._running:
                    await running.stop()
        if self.tournament is None and interrupts.count:
            raise NobodyPlayedError(f"interrupted before {self._beginning}")
        return self.tournament is not None and not self.tournament.ended

    @property
    def _beginning(self) -> str:
        if self._opening.wanted is None:
            return "the tournament started"
        return "play went on; nothing is lost, the journal can be resumed again"

    async def _start_all(self, nursery: trio.Nursery, watchdog: Watchdog) -> None:
        """Open a port for each program, then start it; the port must be open before its program looks for it."""
        for program in self._programs:
            listener = await self._open_port(program)
            nursery.start_soon(accept_players, listener, self._opening.lobby, watchdog)
            if program.command:
                await self._start(program, listener.port)
            else:
                self._console.print(f"start your program now, with {HOST} and port {listener.port}")

    async def _open_port(self, program: Program) -> PlayerListener:
        """Listen for one program, in the protocol that it speaks."""
        terms = program.acpc
        if terms is None:
            return await open_listener(HOST, program.port, self._opening.settings.limit, program=program.name)
        listener = await open_listener(HOST, program.port, terms.limit, lines=True, program=program.name)
        return replace(listener, acpc=terms)

    async def _start(self, program: Program, port: int) -> None:
        try:
            self._running.append(await start_program(program, HOST, port))
        except OSError as error:
            self.failures.append(Failure(program.name, f"could not be started: {error.strerror}", ()))

    async def _gather(self, stalls: Stalls) -> list[Player]:
        """Wait until every program is logged in, dead, or too slow; the players in the order of their programs."""
        with self._console.status("starting the bots") as status:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._say_who_is_awaited, status)
                async with trio.open_nursery() as arrivals:
                    for program in self._programs:
                        arrivals.start_soon(self._arrival, program, stalls)
                nursery.cancel_scope.cancel()
        arrived = self._arrived()
        for program in self._programs:
            if program.name not in arrived:
                self._note_missing(program)
        order = [program.name for program in self._programs]
        return sorted(self._opening.lobby.players, key=lambda player: order.index(player.program))

    def _arrived(self) -> set[str]:
        """The names of the programs that are logged in."""
        return {player.program for player in self._opening.lobby.players}

    def _startup_seconds(self, program: Program) -> float:
        """Seconds that a program may take to log in."""
        return max(self._patience, HOUSE_STARTUP_SECONDS) if program.house else self._patience

    async def _arrival(self, program: Program, stalls: Stalls) -> None:
        """Wait until a program is logged in, dead, or too slow."""
        running = next((running for running in self._running if running.program is program), None)
        if running is None and program.command:
            return  # it could not be started
        async with stalls.move_on_after(self._startup_seconds(program)):
            if running is None:
                await self._logged_in(program)
            else:
                await self._logged_in_or_dead(running)

    async def _say_who_is_awaited(self, status: Status) -> None:
        """Tell the host which programs have not logged in yet, once that takes longer than a moment."""
        began = trio.current_time()
        await trio.sleep(QUIET_SECONDS)
        while True:
            arrived = self._arrived()
            failed = {failure.program for failure in self.failures}
            missing = [program for program in self._programs if program.name not in arrived | failed]
            names = ", ".join(program.name for program in missing)
            most = max((self._startup_seconds(program) for program in missing), default=0.0)
            waited = trio.current_time() - began
            status.update(Text(f"waiting for the login of {names} ({waited:.0f} s, at most {most:g} s)"))
            await trio.sleep(1.0)

    def _note_missing(self, program: Program) -> None:
        """Note why a program that did not log in is not there, unless that is noted already."""
        if not program.command:
            self.failures.append(Failure(program.name, self._why_missing(program, None), ()))
        for running in self._running:
            if running.program is program:
                self.failures.append(running.failure(self._why_missing(program, running.process.poll())))

    def _why_missing(self, program: Program, code: int | None) -> str:
        """Why a program did not log in, as the rest of a sentence; ``code`` is its exit code if it has ended."""
        failed = self._failed_login(program)
        left = failed is not None and failed.kind == FaultKind.GONE
        if failed is not None and (code is None or not left):
            return f"got no seat: {failed.reason}"
        if code is not None:
            return f"ended with exit code {code} before it logged in"
        return f"did not log in within {self._startup_seconds(program):g} s"

    async def _finish(self, stalls: Stalls) -> None:
        """Give every program a moment to exit after its ``done:``, and note those that did not play or exit well."""
        async with stalls.move_on_after(EXIT_SECONDS):
            for running in self._running:
                await running.process.wait()
        for running in self._running:
            what = self._ended_badly(running)
            if what is not None and not running.reported:
                self.failures.append(running.failure(what))

    def _ended_badly(self, running: RunningProgram) -> str | None:
        """What a program did wrong at its end, as the rest of a sentence; None if it ended as it should."""
        code = running.process.poll()
        if code is None:
            return "did not end by itself"
        if code:
            return f"ended with exit code {code}"
        return "left before it was told done:" if self._left_early(running.program) else None

    def _left_early(self, program: Program) -> bool:
        """Whether the player of a program ended its connection during play."""
        players = self.tournament.players if self.tournament else ()
        faults = [fault for player in players if player.program == program.name for fault in player.faults]
        return any(fault.kind is FaultKind.GONE for fault in faults)

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
        """Wait for the login of a program; also return when its login has failed and it does not try again at once."""
        lobby, failed = self._opening.lobby, self._failed_login
        while program.name not in self._arrived():
            seen = failed(program)
            if seen is None:
                await lobby.changed()
                continue
            with trio.move_on_after(RETRY_SECONDS):
                while failed(program) is seen and program.name not in self._arrived():
                    await lobby.changed()
                continue
            return

    def _failed_login(self, program: Program) -> FailedLogin | None:
        """The last failed login of a program; None before there is one."""
        return self._opening.lobby.failed_logins.by_program.get(program.name)

"""Programs that are started one by one and log in: each at a port of its own.

So it is known which program is which without trusting an id.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import trio

from dealer.faults import FaultKind
from dealer.hosting.programs import Failure, Program, RunningProgram, start_program
from dealer.lobby.failed_logins import FailedLogin
from dealer.lobby.listener import PlayerListener, accept_players, open_listener
from dealer.lobby.lobby import Lobby
from dealer.lobby.player import Player
from dealer.net.stalls import Stalls
from dealer.net.watchdog import Watchdog

#: Where the programs connect: nobody else can reach it.
HOST = "127.0.0.1"

#: Seconds a program may take to log in; a Java machine under load needs several.
STARTUP_SECONDS = 30.0

#: Seconds a house bot may take: on a slow laptop some compile or load for longer than ``STARTUP_SECONDS``.
HOUSE_STARTUP_SECONDS = 180.0

#: Seconds for which a program whose login failed may try again.
RETRY_SECONDS = 3.0


class Arrivals:
    """Starts programs and waits for their logins. The caller must ``stop`` it.

    Args:
        programs: to start; one without a command is started by the user.
        lobby: which they enter.
        limit: seconds within which each reply of a program is due; those of the ACPC have their own.
        patience: seconds a program may take to log in.

    Attributes:
        running: programs that were started.
        failures: programs that did not start or did not log in.
    """

    def __init__(
        self, programs: Sequence[Program], lobby: Lobby, limit: float, patience: float = STARTUP_SECONDS
    ) -> None:
        self._programs = programs
        self._lobby = lobby
        self._limit = limit
        self._patience = patience
        self.running: list[RunningProgram] = []
        self.failures: list[Failure] = []

    async def start(self, nursery: trio.Nursery, watchdog: Watchdog, say: Callable[[str], None]) -> None:
        """Open a port for each program, then start it; the port must be open before its program looks for it.

        Args:
            nursery: in which connections are accepted.
            watchdog: owns the sockets of the players.
            say: tells the user which program to start.

        Raises:
            PortError: a port cannot be opened.
        """
        for program in self._programs:
            listener = await self._open_port(program)
            nursery.start_soon(accept_players, listener, self._lobby, watchdog)
            if program.command:
                await self._start(program, listener.port)
            else:
                say(f"start your program now, with {HOST} and port {listener.port}")

    async def gather(self, stalls: Stalls) -> list[Player]:
        """Wait until every program is logged in, dead, or too slow; the players in the order of their programs."""
        async with trio.open_nursery() as arrivals:
            for program in self._programs:
                arrivals.start_soon(self._arrival, program, stalls)
        arrived = self._arrived()
        for program in self._programs:
            if program.name not in arrived:
                self._note_missing(program)
        order = [program.name for program in self._programs]
        return sorted(self._lobby.players, key=lambda player: order.index(player.program))

    async def stop(self) -> None:
        """Kill the programs that still run."""
        for running in self.running:
            await running.stop()

    @property
    def awaited(self) -> list[Program]:
        """Programs that have not logged in yet and may do so."""
        done = self._arrived() | {failure.program for failure in self.failures}
        return [program for program in self._programs if program.name not in done]

    def startup_seconds(self, program: Program) -> float:
        """Seconds that a program may take to log in."""
        return max(self._patience, HOUSE_STARTUP_SECONDS) if program.house else self._patience

    async def _open_port(self, program: Program) -> PlayerListener:
        """Listen for one program, in the protocol that it speaks."""
        terms = program.acpc
        if terms is None:
            return await open_listener(HOST, program.port, self._limit, program=program.name)
        listener = await open_listener(HOST, program.port, terms.limit, lines=True, program=program.name)
        return replace(listener, acpc=terms)

    async def _start(self, program: Program, port: int) -> None:
        try:
            self.running.append(await start_program(program, HOST, port))
        except OSError as error:
            self.failures.append(Failure(program.name, f"could not be started: {error.strerror}", ()))

    def _arrived(self) -> set[str]:
        """The names of the programs that are logged in."""
        return {player.program for player in self._lobby.players}

    async def _arrival(self, program: Program, stalls: Stalls) -> None:
        """Wait until a program is logged in, dead, or too slow."""
        running = next((running for running in self.running if running.program is program), None)
        if running is None and program.command:
            return  # it could not be started
        async with stalls.move_on_after(self.startup_seconds(program)):
            if running is None:
                await self._logged_in(program)
            else:
                await self._logged_in_or_dead(running)

    def _note_missing(self, program: Program) -> None:
        """Note why a program that did not log in is not there, unless that is noted already."""
        if not program.command:
            self.failures.append(Failure(program.name, self._why_missing(program, None), ()))
        for running in self.running:
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
        return f"did not log in within {self.startup_seconds(program):g} s"

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
        lobby, failed = self._lobby, self._failed_login
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
        return self._lobby.failed_logins.by_program.get(program.name)

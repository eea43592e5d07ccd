"""A program that answers for a seat over a real socket, logged in as at a table, and started again when it is lost."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio

from dealer.errors import ProgramError
from dealer.faults import FaultKind, SeatLost
from dealer.hosting.arrivals import STARTUP_SECONDS, Arrivals
from dealer.hosting.league_run import EXIT_SECONDS
from dealer.hosting.programs import Failure, Program, RunningProgram
from dealer.lobby.lobby import Lobby
from dealer.net.seat import Seat
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.versions.answerer import Answer, Answerer, HouseSeat
from dealer.versions.version import Version
from protocol.games.base import Turn
from protocol.wire.messages import GameInfo

#: A program that makes a fault in so many hands in a row is not asked any more: it would be the same in the others.
MOST_IN_A_ROW = 10

#: Seconds for a program that has closed its connection to end, so that its exit code and last words can be told.
CRASH_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for programs.

    Attributes:
        limit: seconds until a reply is late.
        patience: seconds a program may take to log in.
        seed: from which the chance of house bots follows.
    """

    limit: float = 1.0
    patience: float | None = None
    seed: str = "casino"


@dataclass(frozen=True, slots=True)
class _Connected:
    """A program that is logged in; ``over`` ends its connection and its process."""

    seat: Seat
    running: RunningProgram
    over: trio.Event


class Programs:
    """Starts the programs of a command, and ends them with it; see ``open_programs``."""

    def __init__(self, terms: Terms, nursery: trio.Nursery, watchdog: Watchdog) -> None:
        self.terms = terms
        self.watchdog = watchdog
        self._nursery = nursery
        self._seats: list[ProgramSeat] = []

    def seat(self, version: Version, chance: str) -> Answerer:
        """Who answers for a version; a program is started when it sits down for the first time.

        Raises:
            OptionError: it is a house bot that is not installed.
        """
        if version.program is None:
            return HouseSeat(version.name, f"{self.terms.seed}/{chance}")
        seat = ProgramSeat(version.program, self)
        self._seats.append(seat)
        return seat

    async def connect(self, program: Program) -> _Connected | Failure:
        """Start a program and wait for its login."""
        connected: _Connected | Failure = await self._nursery.start(self._hold, program)
        return connected

    async def close(self) -> None:
        """Tell all programs that it is over, and give them a moment to end."""
        async with trio.open_nursery() as nursery:
            for seat in self._seats:
                nursery.start_soon(seat.close)
        self._seats = []

    async def _hold(self, program: Program, *, task_status: trio.TaskStatus[_Connected | Failure]) -> None:
        """Keep a program and its port until its connection is over."""
        terms, lobby, over = self.terms, Lobby(1), trio.Event()
        patience = STARTUP_SECONDS if terms.patience is None else terms.patience
        arrivals = Arrivals([program], lobby, terms.limit, patience)
        try:
            async with trio.open_nursery() as nursery:
                await arrivals.start(nursery, self.watchdog, lambda _: None)
                players = await arrivals.gather(self.watchdog.stalls)
                lobby.close(lambda: "the hands are being played")
                if players and players[0].seat is not None:
                    task_status.started(_Connected(players[0].seat, arrivals.running[0], over))
                    await over.wait()
                else:
                    task_status.started(arrivals.failures[0])
                nursery.cancel_scope.cancel()
        finally:
            # Shielded: even when the command is cancelled, no program may be left behind.
            with trio.CancelScope(shield=True):
                await arrivals.stop()


@asynccontextmanager
async def open_programs(terms: Terms) -> AsyncIterator[Programs]:
    """Programs that are ended when the block ends, also after an error."""
    async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
        programs = Programs(terms, nursery, watchdog)
        yield programs
        await programs.close()
        nursery.cancel_scope.cancel()


class ProgramSeat:
    """A program at a seat.

    Args:
        program: to be started.
        programs: who starts and ends it.

    Attributes:
        gave_up: why it is not asked any more, as the rest of a sentence; empty as long as it is.
    """

    def __init__(self, program: Program, programs: Programs) -> None:
        self.gave_up = ""
        self._program = program
        self._programs = programs
        self._connected: _Connected | None = None
        self._was_here = False
        self._game: object = None
        self._in_a_row = 0
        self._failed = False

    async def sit_down(self, game: object, info: GameInfo | None) -> bool:
        """Start the program if it does not run, and tell it which game is played; see ``Answerer``.

        Raises:
            ProgramError: it cannot be started, or does not log in, for the first time.
        """
        self._in_a_row = self._in_a_row + 1 if self._failed else 0
        self._failed = False
        if self._in_a_row == MOST_IN_A_ROW:
            self.gave_up = f"made a fault in {MOST_IN_A_ROW} hands in a row"
            await self.close()
        if self.gave_up or (self._connected is None and not await self._start()):
            return False
        assert self._connected is not None
        if info is not None and game != self._game:
            self._connected.seat.tell(info)
        self._game = game
        return True

    async def answer(self, turn: Turn) -> Answer:
        """See ``Answerer``."""
        if self._connected is None:  # lost earlier in this hand, in a question of which nobody needed the answer
            self._failed = True
            raise SeatLost(FaultKind.GONE, "the program has ended its connection", connected=False)
        seat = self._connected.seat
        try:
            action = await seat.ask(turn)
        except SeatLost as lost:
            self._failed = True
            if lost.connected:
                raise
            raise await self._lose(self._connected, lost) from None
        return Answer(action, seat.reply_seconds)

    def hand_over(self, status: object) -> None:
        """See ``Answerer``."""
        if status is not None and self._connected is not None:
            self._connected.seat.tell(status)  # type: ignore[arg-type]  # a game may tell a status of its own

    async def close(self) -> None:
        """Tell the program that it is over, and end it."""
        if self._connected is None:
            return
        connected, self._connected = self._connected, None
        await connected.seat.close("all hands are played")
        async with self._programs.watchdog.stalls.move_on_after(EXIT_SECONDS):
            await connected.running.process.wait()
        connected.over.set()

    async def _start(self) -> bool:
        self._game = None  # a new process has heard of no game
        connected = await self._programs.connect(self._program)
        if isinstance(connected, Failure):
            self.gave_up = connected.what
            if not self._was_here:
                raise ProgramError("\n".join([f"{self._program.name!r} {connected.what}", *connected.stderr]))
            return False
        self._connected, self._was_here = connected, True
        return True

    async def _lose(self, connected: _Connected, lost: SeatLost) -> SeatLost:
        """Give up a connection; the fault, with the last words of a program that has ended."""
        self._connected = None
        reason = lost.fault.reason
        if lost.fault.kind is FaultKind.GONE:
            async with self._programs.watchdog.stalls.move_on_after(CRASH_SECONDS):
                await connected.running.process.wait()
            if (code := connected.running.process.poll()) is not None:
                last = connected.running.failure("").stderr[-1:]
                reason = f"{reason} and ended with exit code {code}{''.join(f': {line.strip()}' for line in last)}"
        await connected.seat.close(lost.fault.reason)
        connected.over.set()
        return SeatLost(lost.fault.kind, reason, connected=False)

"""A version of a program as it is typed, and who answers for it at a seat: a house bot, or a program over a socket."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import trio

from dealer.audit.hands import Step
from dealer.cli.house_bots import check_bots, load_bot
from dealer.errors import ProgramError
from dealer.faults import Fault, FaultKind, SeatLost
from dealer.hosting.arrivals import STARTUP_SECONDS, Arrivals
from dealer.hosting.league_run import EXIT_SECONDS
from dealer.hosting.programs import Failure, Program, RunningProgram, guest_bots, in_sandboxes
from dealer.lobby.lobby import Lobby
from dealer.net.seat import Seat
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.versions.regress_flags import RegressFlags
from protocol.games.base import Action, Hand, IllegalAction, Turn
from protocol.games.game import Game
from protocol.installed_bots import is_bot_file
from protocol.wire.messages import GameInfo

#: A program that makes a fault in so many hands in a row is not asked any more: it would be the same in the others.
MOST_IN_A_ROW = 10

#: Seconds for a program that has closed its connection to end, so that its exit code and last words can be told.
CRASH_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Version:
    """Who plays.

    Attributes:
        name: as it was typed.
        program: to be started; None for a house bot.
    """

    name: str
    program: Program | None = None


def version_of(text: str) -> Version:
    """The version that a text names. Several words, or a place for the port, are a command line, if not a file's name.

    Raises:
        OptionError: the command line cannot be used.
    """
    if "{" not in text and (len(text.split()) == 1 or is_bot_file(text)):
        return Version(text)
    (program,) = guest_bots([text])
    return Version(text, program)


def check_plays(version: Version, game: str) -> None:
    """Make sure that a house bot plays a game; what a program plays only shows when it is asked.

    Raises:
        OptionError: the bot is not installed, or plays other games.
    """
    if version.program is None:
        check_bots([version.name], game)


def in_own_sandboxes(versions: Sequence[Version], pythons: Sequence[Path]) -> list[Version]:
    """The same versions, their programs in sandboxes that hide them from each other, with other Pythons than ours.

    Raises:
        OptionError: there can be no sandbox here, or a program cannot run without seeing what is hidden from it.
    """
    programs = iter(in_sandboxes([version.program for version in versions if version.program], None, pythons))
    return [replace(version, program=next(programs)) if version.program else version for version in versions]


class HouseSeat:
    """A house bot in this process.

    Args:
        name: under which it is installed.
        chance: the text from which everything that it leaves to chance follows.

    Each method raises a ``ProgramError`` if the bot fails, as one that has learned does at a table that is too large.

    Raises:
        OptionError: it is not installed.
    """

    def __init__(self, name: str, chance: str) -> None:
        self._name = name
        self._bot = _maker(name)(Random(chance))
        self._game: object = None

    async def sit_down(self, game: object, info: GameInfo | None) -> bool:
        """See ``ProgramSeat``."""
        await trio.lowlevel.checkpoint()  # bots in this process never wait, so Ctrl-C would not be noticed
        if info is not None and game != self._game:
            self._call(self._bot.game_begins, info)
        self._game = game
        return True

    async def answer(self, turn: Turn) -> Action:
        """Answer a question; the action is not checked against the rules yet."""
        action: Action = self._call(self._bot.decide, turn)
        return action

    def hand_over(self, status: object) -> None:
        """Hear how a hand ended; None where the game tells the seat nothing."""
        if status is not None:
            self._call(self._bot.hand_over, status)

    def _call(self, method: Callable[[Any], Any], about: object) -> Any:
        try:
            return method(about)
        except Exception as error:
            raise ProgramError(f"the bot {self._name!r} failed: {type(error).__name__}: {error}") from error


@cache  # to look a bot up takes a millisecond, and each hand has new ones
def _maker(name: str) -> Any:
    return load_bot(name)


@dataclass(frozen=True, slots=True)
class _Connected:
    """A program that is logged in; ``over`` ends its connection and its process."""

    seat: Seat
    running: RunningProgram
    over: trio.Event


class ProgramSeat:
    """A program at a seat.

    Attributes:
        gave_up: why it is not asked any more, as the rest of a sentence; empty as long as it is.
    """

    def __init__(self, program: Program, programs: "Programs") -> None:
        self.gave_up = ""
        self._program = program
        self._programs = programs
        self._connected: _Connected | None = None
        self._was_here = False
        self._game: object = None
        self._in_a_row = 0
        self._failed = False

    async def sit_down(self, game: object, info: GameInfo | None) -> bool:
        """Start the program if it does not run, and tell it which game is played.

        Args:
            game: the hand belongs to. Where it is another one than before, it is announced.
            info: what is told of it; None in games without a ``game:`` message.

        Returns:
            Whether it can play; it may have ended for good.

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

    async def answer(self, turn: Turn) -> Action:
        """Ask the program; its action is not checked against the rules yet.

        Raises:
            SeatLost: no answer that can be read came in time.
        """
        assert self._connected is not None
        try:
            return await self._connected.seat.ask(turn)
        except SeatLost as lost:
            self._failed = True
            if lost.connected:
                raise
            raise await self._lose(self._connected, lost) from None

    def hand_over(self, status: object) -> None:
        """See ``HouseSeat``."""
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


#: Who answers for a seat, hand after hand.
Answerer = HouseSeat | ProgramSeat


class Programs:
    """Starts the programs of a command, and ends them with it; see ``open_programs``."""

    def __init__(self, flags: RegressFlags, nursery: trio.Nursery, watchdog: Watchdog) -> None:
        self._flags = flags
        self.watchdog = watchdog
        self._nursery = nursery
        self._seats: list[ProgramSeat] = []

    def seat(self, version: Version, chance: str) -> Answerer:
        """Who answers for a version; a program is started when it sits down for the first time.

        Raises:
            OptionError: it is a house bot that is not installed.
        """
        if version.program is None:
            return HouseSeat(version.name, f"{self._flags.seed}/{chance}")
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
        flags, lobby, over = self._flags, Lobby(1), trio.Event()
        arrivals = Arrivals([program], lobby, flags.limit, STARTUP_SECONDS)
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
async def open_programs(flags: RegressFlags) -> AsyncIterator[Programs]:
    """Programs that are ended when the block ends, also after an error."""
    async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
        programs = Programs(flags, nursery, watchdog)
        yield programs
        await programs.close()
        nursery.cancel_scope.cancel()


async def ask(answerer: Answerer, hand: Hand, seat: int) -> tuple[Step, Hand]:
    """The step of a seat that is asked to act, and the hand after it.

    Where no acceptable answer comes, the seat gives the hand up, as at a table.
    """
    try:
        action = await answerer.answer(hand.view(seat))
        return Step(hand, seat, action, None, None), hand.apply(action)
    except SeatLost as lost:
        fault = lost.fault
    except IllegalAction as illegal:
        fault = Fault(FaultKind.ILLEGAL, str(illegal))
    return Step(hand, seat, None, None, fault), hand.concede()


def game_info(game: Game, seat: int, players: int) -> GameInfo | None:
    """What a seat is told of a game before its hands; None in games that are not announced."""
    return GameInfo.about(game, seat, players) if game.announced else None

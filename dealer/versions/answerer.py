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
from dealer.lobby.lobby import Lobby
from dealer.net.seat import Seat
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.programs import Participant, Program, all_ended, gather, guest_bots, in_sandboxes
from dealer.versions.regress_flags import RegressFlags
from protocol.games.base import Action, Hand, IllegalAction, Turn
from protocol.games.game import Game
from protocol.installed_bots import is_bot_file
from protocol.wire.messages import GameInfo

#: A program that makes a fault in so many hands in a row is not asked any more: it would be the same in the others.
MOST_IN_A_ROW = 10


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


class ProgramSeat:
    """A program at a seat.

    Attributes:
        gave_up: why it is not asked any more, as the rest of a sentence; empty as long as it is.
    """

    def __init__(self, program: Program, programs: "Programs") -> None:
        self.gave_up = ""
        self._program = program
        self._programs = programs
        self._participant: Participant | None = None
        self._seat: Seat | None = None
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
        if self.gave_up:
            return False
        seat = self._seat or await self._start()
        if seat is None:
            return False
        if info is not None and game != self._game:
            seat.tell(info)
        self._game = game
        return True

    async def answer(self, turn: Turn) -> Action:
        """Ask the program; its action is not checked against the rules yet.

        Raises:
            SeatLost: no answer that can be read came in time.
        """
        assert self._seat is not None
        try:
            return await self._seat.ask(turn)
        except SeatLost as lost:
            self._failed = True
            if lost.connected:
                raise
            raise await self._lose(self._seat, lost) from None

    def hand_over(self, status: object) -> None:
        """See ``HouseSeat``."""
        if status is not None and self._seat is not None:
            self._seat.tell(status)  # type: ignore[arg-type]  # a game may tell a status of its own

    async def close(self) -> None:
        """Tell the program that it is over, and end it."""
        if self._seat is not None and self._participant is not None:
            await self._seat.close("all hands are played")
            await all_ended([self._participant], self._programs.watchdog.stalls)
        await self.stop()

    async def stop(self) -> None:
        """End the program at once, even when cancelled."""
        self._seat = None
        if self._participant is not None:
            await self._participant.stop()

    async def _start(self) -> Seat | None:
        """Start the program; its connection, or None if it does not log in again."""
        self._game = None  # a new process has heard of no game
        one = self._participant = Participant(self._program, Lobby(1), self._programs.limit)
        await self._programs.log_in(one)
        if one.failure is None:
            assert one.player is not None
            self._seat, self._was_here = one.player.seat, True
            return self._seat
        self.gave_up = one.failure.what
        if not self._was_here:
            raise ProgramError("\n".join([f"{self._program.name!r} {self.gave_up}", *one.failure.stderr]))
        return None

    async def _lose(self, seat: Seat, lost: SeatLost) -> SeatLost:
        """Give up a connection; the fault, with the last words of a program that has ended."""
        assert self._participant is not None
        why = await self._participant.explain(lost.fault, self._programs.watchdog.stalls)
        await seat.close(lost.fault.reason)
        await self.stop()
        reason = ": ".join([why.what, *(line.strip() for line in why.stderr[-1:])])
        return SeatLost(lost.fault.kind, reason, connected=False)


#: Who answers for a seat, hand after hand.
Answerer = HouseSeat | ProgramSeat


class Programs:
    """Starts the programs of a command, and ends them with it; see ``open_programs``."""

    def __init__(self, flags: RegressFlags, nursery: trio.Nursery, watchdog: Watchdog) -> None:
        self.limit = flags.limit
        self.watchdog = watchdog
        self.seats: list[ProgramSeat] = []
        self._seed = flags.seed
        self._nursery = nursery

    def seat(self, version: Version, chance: str) -> Answerer:
        """Who answers for a version; a program is started when it sits down for the first time.

        Raises:
            OptionError: it is a house bot that is not installed.
        """
        if version.program is None:
            return HouseSeat(version.name, f"{self._seed}/{chance}")
        self.seats.append(ProgramSeat(version.program, self))
        return self.seats[-1]

    async def log_in(self, one: Participant) -> None:
        """Start a program that has its lobby for itself, and wait for its login; its ``failure`` says why none came."""
        await one.start(self._nursery, self.watchdog, lambda _: None)
        await gather([one], self.watchdog.stalls)
        one.lobby.close(lambda: "the hands are being played")


@asynccontextmanager
async def open_programs(flags: RegressFlags) -> AsyncIterator[Programs]:
    """Programs that are ended when the block ends, also after an error."""
    async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
        programs = Programs(flags, nursery, watchdog)
        try:
            yield programs
            async with trio.open_nursery() as closing:
                for seat in programs.seats:
                    closing.start_soon(seat.close)
        finally:
            for seat in programs.seats:
                await seat.stop()
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

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
from dealer.checker.versions.regress_flags import RegressFlags
from dealer.cli.house_bots import check_bots, load_bot
from dealer.errors import ProgramError
from dealer.faults import Fault, FaultKind, SeatLost
from dealer.lobby.lobby import Lobby
from dealer.net.seat import Seat
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.programs import Participant, Program, all_ended, gather, guest_bots, in_sandboxes
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
        self._told: object = None

    async def sit_down(self, place: object, info: GameInfo | None) -> None:
        """See ``ProgramSeat``."""
        await trio.lowlevel.checkpoint()  # bots in this process never wait, so Ctrl-C would not be noticed
        if info is not None and place != self._told:
            self._call(self._bot.game_begins, info)
        self._told = place

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
    """A program at a seat; it is started when it sits down for the first time, and again after it was lost.

    Args:
        program: that answers.
        game: the name of what is played.
        limit: seconds within which each reply is due.
        nursery: in which its connections are accepted.
        watchdog: owns their sockets.
    """

    def __init__(self, program: Program, game: str, limit: float, nursery: trio.Nursery, watchdog: Watchdog) -> None:
        self._program = program
        self._game = game
        self._limit = limit
        self._nursery = nursery
        self._watchdog = watchdog
        self._participant: Participant | None = None
        self._seat: Seat | None = None
        self._told: object = None
        self._in_a_row = 0
        self._fault = ""

    async def sit_down(self, place: object, info: GameInfo | None) -> None:
        """Start the program if it does not run, and tell it which game is played.

        Args:
            place: where it sits. In another one than before, the game is announced.
            info: what is told of it; None in games without a ``game:`` message.

        Raises:
            ProgramError: it cannot be started, does not log in, or has made faults in too many hands.
        """
        self._in_a_row = self._in_a_row + 1 if self._fault else 0
        if self._in_a_row == MOST_IN_A_ROW:
            row = f"made a fault in {MOST_IN_A_ROW} hands in a row of {self._game}"
            raise ProgramError(f"{self._program.name!r} {row}: {self._fault}")
        self._fault = ""
        seat = self._seat or await self._start()
        if info is not None and place != self._told:
            seat.tell(info)
        self._told = place

    async def answer(self, turn: Turn) -> Action:
        """Ask the program; its action is not checked against the rules yet.

        Raises:
            SeatLost: no answer that can be read came in time.
        """
        assert self._seat is not None
        try:
            return await self._seat.ask(turn)
        except SeatLost as lost:
            if not lost.connected:
                lost = await self._lose(self._seat, lost)
            self._fault = lost.fault.reason
            raise lost from None

    def hand_over(self, status: object) -> None:
        """See ``HouseSeat``."""
        if status is not None and self._seat is not None:
            self._seat.tell(status)  # type: ignore[arg-type]  # a game may tell a status of its own

    async def close(self) -> None:
        """Tell the program that it is over, and end it."""
        if self._seat is not None and self._participant is not None:
            await self._seat.close("all hands are played")
            await all_ended([self._participant], self._watchdog.stalls)
        await self.stop()

    async def stop(self) -> None:
        """End the program at once, even when cancelled."""
        self._seat = None
        if self._participant is not None:
            await self._participant.stop()

    async def _start(self) -> Seat:
        self._told = None  # a new process has heard of no game
        one = self._participant = Participant(self._program, Lobby(1), self._limit)
        await one.start(self._nursery, self._watchdog, lambda _: None)
        await gather([one], self._watchdog.stalls)
        one.lobby.close(lambda: "the hands are being played")
        if one.failure is not None:
            raise ProgramError("\n".join([f"{self._program.name!r} {one.failure.what}", *one.failure.stderr]))
        assert one.player is not None
        assert one.player.seat is not None
        self._seat = one.player.seat
        return self._seat

    async def _lose(self, seat: Seat, lost: SeatLost) -> SeatLost:
        """Give up a connection; the fault, with the last words of a program that has ended."""
        assert self._participant is not None
        why = await self._participant.explain(lost.fault, self._watchdog.stalls)
        await seat.close(lost.fault.reason)
        await self.stop()
        reason = ": ".join([why.what, *(line.strip() for line in why.stderr[-1:])])
        return SeatLost(lost.fault.kind, reason, connected=False)


#: Who answers for a seat, hand after hand.
Answerer = HouseSeat | ProgramSeat


@asynccontextmanager
async def open_answerers(versions: Sequence[Version], game: str, flags: RegressFlags) -> AsyncIterator[list[Answerer]]:
    """Who answers for each version in a game; programs are ended when the block ends, also after an error.

    Raises:
        OptionError: a house bot is not installed.
    """
    async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
        answerers: list[Answerer] = []
        for one in versions:
            if one.program is not None:
                answerers.append(ProgramSeat(one.program, game, flags.limit, nursery, watchdog))
            else:  # the same chance for all: two versions that play alike must not differ by luck
                answerers.append(HouseSeat(one.name, f"{flags.seed}/version"))
        programs = [one for one in answerers if isinstance(one, ProgramSeat)]
        try:
            yield answerers
            async with trio.open_nursery() as closing:
                for seat in programs:
                    closing.start_soon(seat.close)
        finally:
            for seat in programs:
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

"""Programs that a simulation asks, which does not run trio: ``casino regress``.

They are started, and their sockets owned, by trio in a thread of its own. Whoever asks waits for the answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trio
from anyio.abc import TaskStatus
from anyio.from_thread import BlockingPortal, start_blocking_portal

from dealer.errors import ProgramError
from dealer.faults import SeatLost
from dealer.lobby.lobby import Lobby
from dealer.net.seat import Seat
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.programs import Participant, Program, all_ended, gather, guest_bots, in_sandboxes
from protocol.games.base import Action, Turn
from protocol.wire.messages import GameInfo

#: A program that makes a fault in so many hands in a row is not asked any more: it would be the same in the others.
MOST_IN_A_ROW = 10


def programs_of(commands: Sequence[str], pythons: Sequence[Path] | None) -> dict[str, Program]:
    """The programs that these commands start, by the command.

    Args:
        commands: each with ``{port}``.
        pythons: the Pythons that programs may use beside ours in sandboxes that hide them from each other; None if they
            run outside.

    Raises:
        OptionError: a command cannot be used, or there can be no sandbox.
    """
    different = list(dict.fromkeys(commands))
    programs = guest_bots(different)
    if pythons is not None:
        programs = in_sandboxes(programs, None, pythons)
    return dict(zip(different, programs, strict=True))


@dataclass(frozen=True, slots=True)
class Programs:
    """The programs of a simulation, which play in the block of ``open_programs``.

    Attributes:
        programs: by the command.
        limit: seconds within which each reply is due.
        portal: into the thread that runs trio.
        watchdog: of that thread, which owns the sockets.
        nursery: of that thread, in which connections are accepted.
    """

    programs: Mapping[str, Program]
    limit: float
    portal: BlockingPortal
    watchdog: Watchdog
    nursery: trio.Nursery

    @contextmanager
    def seated(self, command: str, game: str) -> Iterator["AskedProgram"]:
        """A program that plays a game in the block, and is ended with it, also after an error."""
        one = AskedProgram(self, self.programs[command], game)
        try:
            yield one
            one.close()
        finally:
            one.stop()


class AskedProgram:
    """A program at a seat, started when its first hand begins, and again after it was lost.

    A thread without trio uses it as a ``Strategy``, and begins each hand with ``begin_hand``.
    """

    def __init__(self, host: Programs, program: Program, game: str) -> None:
        self._host = host
        self._call = host.portal.call
        self._program = program
        self._game = game
        self._participant: Participant | None = None
        self._seat: Seat | None = None
        self._info: GameInfo | None = None
        self._in_a_row = 0
        self._fault = ""

    def game_begins(self, info: GameInfo) -> None:
        """Tell it of the game, and again whenever it is started again."""
        self._info = info
        if self._seat is not None:
            self._call(self._seat.tell, info)

    def begin_hand(self) -> None:
        """Start it if it does not run.

        Raises:
            ProgramError: it cannot be started, does not log in, or has made faults in too many hands.
        """
        self._in_a_row = self._in_a_row + 1 if self._fault else 0
        if self._in_a_row == MOST_IN_A_ROW:
            row = f"made a fault in {MOST_IN_A_ROW} hands in a row of {self._game}"
            raise ProgramError(f"{self._program.name!r} {row}: {self._fault}")
        self._fault = ""
        if self._seat is None:
            self._call(self._start)

    def decide(self, turn: Turn) -> Action:
        """Ask it; the action is not checked against the rules yet.

        Raises:
            SeatLost: no answer that can be read came in time.
        """
        action: Action = self._call(self._ask, turn)
        return action

    def hand_over(self, status: Any) -> None:
        """Tell it how a hand ended."""
        if self._seat is not None:
            self._call(self._seat.tell, status)

    def close(self) -> None:
        """Tell it that all is over, and wait until it has ended."""
        self._call(self._close)

    def stop(self) -> None:
        """End it at once."""
        self._call(self._stop)

    async def _start(self) -> None:
        one = self._participant = Participant(self._program, Lobby(1), self._host.limit)
        await one.start(self._host.nursery, self._host.watchdog, lambda _: None)
        await gather([one], self._host.watchdog.stalls)
        one.lobby.close(lambda: "the hands are being played")
        if one.failure is not None:
            raise ProgramError("\n".join([f"{self._program.name!r} {one.failure.what}", *one.failure.stderr]))
        assert one.player is not None
        assert one.player.seat is not None
        self._seat = one.player.seat
        if self._info is not None:
            self._seat.tell(self._info)

    async def _ask(self, turn: Turn) -> Action:
        assert self._seat is not None
        try:
            return await self._seat.ask(turn)
        except SeatLost as lost:
            if not lost.connected:
                lost = await self._lose(self._seat, lost)
            self._fault = lost.fault.reason
            raise lost from None

    async def _lose(self, seat: Seat, lost: SeatLost) -> SeatLost:
        """Give up a connection; the fault, with the last words of a program that has ended."""
        assert self._participant is not None
        why = await self._participant.explain(lost.fault, self._host.watchdog.stalls)
        await seat.close(lost.fault.reason)
        await self._stop()
        reason = ": ".join([why.what, *(line.strip() for line in why.stderr[-1:])])
        return SeatLost(lost.fault.kind, reason, connected=False)

    async def _close(self) -> None:
        if self._seat is not None and self._participant is not None:
            await self._seat.close("all hands are played")
            await all_ended([self._participant], self._host.watchdog.stalls)

    async def _stop(self) -> None:
        self._seat = None
        if self._participant is not None:
            await self._participant.stop()


@contextmanager
def open_programs(programs: Mapping[str, Program], limit: float) -> Iterator[Programs]:
    """Let programs play in the block.

    Args:
        programs: by the name under which they are asked for.
        limit: seconds within which each reply is due.
    """
    with start_blocking_portal("trio") as portal:
        hosting, (watchdog, nursery) = portal.start_task(_host)
        try:
            yield Programs(programs, limit, portal, watchdog, nursery)
        finally:
            portal.call(nursery.cancel_scope.cancel)
            hosting.result()


async def _host(*, task_status: TaskStatus[tuple[Watchdog, trio.Nursery]]) -> None:
    async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
        task_status.started((watchdog, nursery))
        await trio.sleep_forever()

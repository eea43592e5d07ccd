"""Programs over TCP in the bulk tournaments of ``casino round-robin``, which itself belongs to ``bots``.

The process of a tournament may not open sockets. It sends each call of such a player on a socket that it was given (see
``protocol/wire/bulk.py``). Here those calls become messages, with the seats, the time limit and the faults that every
tournament of the dealer has: ``BulkTournament`` answers the calls of one tournament, ``BulkPrograms`` has them all.
"""

import socket
from array import array
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Any, Self, TypeVarTuple

import trio

from dealer.cli.logs import configure_logs
from dealer.faults import SeatLost
from dealer.lobby.lobby import Lobby
from dealer.net.seat import Seat
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.programs import Failure, Participant, Program, all_ended, gather, guest_bots, in_sandboxes
from protocol.games.base import Fold
from protocol.games.dice import DiceGame
from protocol.wire.bulk import CALL_BYTES, LOG_IN, Answer, Call, ProgramFacts, ProgramFailure
from protocol.wire.messages import GameInfo

#: Types of the arguments of a task.
Arguments = TypeVarTuple("Arguments")

#: Seconds within which each reply is due.
LIMIT = 1.0

#: Bytes read at once from the process of the tournament.
READ_BYTES = 1 << 16


class CallRecord:
    """The calls of a program and its answers, for a tournament that is played again."""

    def __init__(self) -> None:
        self._made = array("I")  # a call and its answer in 22 bits: a tournament may have many millions
        self._at = 0

    def rewind(self) -> None:
        """Begin with the first call again."""
        self._at = 0

    def repeated(self, call: Call) -> Answer | None:
        """The answer to a call that was made at this place before; None if there was none.

        If another call was made here, what was recorded from here on counts no longer.
        """
        if self._at == len(self._made):
            return None
        made, answer = divmod(self._made[self._at], 4)
        if made != _packed(call):
            del self._made[self._at :]
            return None
        self._at += 1
        return Answer(answer)

    def add(self, call: Call, answer: Answer) -> None:
        """Record a call that was made now."""
        self._made.append(4 * _packed(call) + answer)
        self._at += 1


def _packed(call: Call) -> int:
    return ((call.opponent * 32 + call.b) * 8 + call.state) * 8 + call.d


class BulkTournament:
    """The programs of one tournament.

    Args:
        programs: by the id of the player.
        players: in the tournament.
        rounds: in it.

    Attributes:
        asking: whether a program is waited for.
        failures: by player.
    """

    def __init__(self, programs: Mapping[int, Program], players: int, rounds: int) -> None:
        self.asking = False
        self.failures: dict[int, ProgramFailure] = {}
        self._players, self._rounds = players, rounds
        # A lobby for each, so that no name depends on who logs in first, and copies of a program may have the same id.
        self._participants = {player: Participant(program, Lobby(1), LIMIT) for player, program in programs.items()}
        self._playing: dict[int, Seat] = {}
        self._facts = {player: ProgramFacts() for player in programs}
        self._records = {player: CallRecord() for player in programs}
        self._own = dict.fromkeys(programs, 0)
        self._one_worker = trio.Lock()
        self._arrived, self._over, self._ended = trio.Event(), trio.Event(), trio.Event()
        self._nursery: trio.Nursery
        self._watchdog: Watchdog

    async def host(self, watchdog: Watchdog) -> None:
        """Start the programs, wait for their logins, and stay until ``end`` and the ends of the programs.

        Raises:
            PortError: a port cannot be opened.
        """
        self._watchdog = watchdog
        try:
            async with trio.open_nursery() as self._nursery:
                for one in self._participants.values():
                    await one.start(self._nursery, watchdog, print)
                await gather(list(self._participants.values()), watchdog.stalls)
                for player, one in self._participants.items():
                    self._seat(player, one)
                self._arrived.set()
                await self._over.wait()
                await self._say_goodbye()
                self._nursery.cancel_scope.cancel()
        finally:
            for one in self._participants.values():
                await one.stop()
        self._ended.set()

    async def answer(self, calls: socket.socket) -> None:
        """Answer the calls that come on a socket until its other end is closed; then close it."""
        async with trio.SocketStream(trio.socket.from_stdlib_socket(_nonblocking(calls))) as stream, self._one_worker:
            for record in self._records.values():
                record.rewind()
            rest = b""
            while data := await _some(stream):
                rest += data
                whole = len(rest) - len(rest) % CALL_BYTES
                for start in range(0, whole, CALL_BYTES):
                    call = Call.unpack(rest[start : start + CALL_BYTES])
                    if not self._is_possible(call):
                        continue
                    answer = await self._answered(call)
                    if call.is_answered:
                        await _send(stream, bytes([answer]))
                rest = rest[whole:]

    async def end(self) -> Mapping[int, ProgramFacts]:
        """Tell the programs that the tournament is over and wait for their ends; what is known of each."""
        self._over.set()
        await self._ended.wait()
        return self._facts

    def _seat(self, id_: int, one: Participant) -> None:
        """Tell a program that is logged in what is played; or note why it is not."""
        one.lobby.close(lambda: "the tournament has begun")
        if one.player is None or one.player.seat is None:
            assert one.failure is not None
            self.failures[id_] = ProgramFailure(-1, 0, _in_words(one.failure))
            return
        self._playing[id_] = one.player.seat
        self._facts[id_].name = one.player.avatar
        game = DiceGame(hands=self._rounds * (self._players - 1))
        one.player.seat.tell(GameInfo.about(game, id_, self._players))

    def _is_possible(self, call: Call) -> bool:
        """Whether the process of the tournament makes such a call. A function in it could write what it likes."""
        if call.state == LOG_IN:
            return call.player in self._participants
        return call.in_range and call.player in self._playing

    async def _answered(self, call: Call) -> Answer:
        """The answer to a call: of the record, or of the program."""
        if call.state == LOG_IN:
            return await self._logged_in(call.player)
        if call.decides:
            self._own[call.player] = call.d
        record = self._records[call.player]
        answer = record.repeated(call)
        if answer is None:
            answer = await self._made(call)
            record.add(call, answer)
        return answer

    async def _logged_in(self, player: int) -> Answer:
        self.asking = True
        await self._arrived.wait()
        self.asking = False
        return Answer.BET if player in self._playing else Answer.FAILED

    async def _made(self, call: Call) -> Answer:
        """The answer of the program to a call that is made now."""
        if call.player in self.failures:
            return Answer.FAILED
        seat, one = self._playing[call.player], self._participants[call.player]
        if not call.decides:
            status: Any = call.status(self._own[call.player])  # a status of the game's own, as in ``Settlement.told``
            seat.tell(status)
            return Answer.FOLD
        self.asking = True
        try:
            action = await seat.ask(call.turn)
        except SeatLost as lost:
            why = _in_words(await one.explain(lost.fault, self._watchdog.stalls))
            self.failures[call.player] = ProgramFailure(call.deal, call.state, why)
            self._nursery.start_soon(self._dismiss, call.player, lost.fault.reason)
            return Answer.FAILED
        finally:
            self.asking = False
        facts = self._facts[call.player]
        facts.replies += 1
        facts.reply_seconds += seat.reply_seconds
        return Answer.FOLD if isinstance(action, Fold) else Answer.BET

    async def _dismiss(self, player: int, reason: str) -> None:
        """Tell a program that failed why it is out, and end it."""
        await self._playing[player].close(reason)
        await self._participants[player].stop()

    async def _say_goodbye(self) -> None:
        """Tell every program that plays that the tournament is over, and give it a moment to end."""
        reason = f"the tournament is over after {self._rounds:,} rounds"
        playing = [player for player in self._playing if player not in self.failures]  # others are told why they failed
        async with trio.open_nursery() as nursery:
            for player in playing:
                nursery.start_soon(self._playing[player].close, reason)
        await all_ended([self._participants[player] for player in playing], self._watchdog.stalls)


def _in_words(failure: Failure) -> str:
    """A failure with the last lines of what the program said."""
    return "\n".join([failure.what, *failure.stderr])


def _nonblocking(sock: socket.socket) -> socket.socket:
    sock.setblocking(False)
    return sock


async def _some(stream: trio.SocketStream) -> bytes:
    """What the process of the tournament has sent; nothing when it has ended."""
    try:
        return bytes(await stream.receive_some(READ_BYTES))
    except trio.BrokenResourceError:
        return b""


async def _send(stream: trio.SocketStream, data: bytes) -> None:
    try:
        await stream.send_all(data)
    except trio.BrokenResourceError:  # it was ended while a program was asked; what it asks next is its end
        return


class BulkPrograms:
    """The programs of all tournaments of a series, in a thread of their own, because who uses it does not run trio.

    Args:
        commands: that start the programs, by the id of the player, with ``{host}`` and ``{port}``.
        players: in a tournament.
        rounds: in a tournament.
        sandbox: the Pythons that programs may use in sandboxes beside ours; None if they run outside.

    Raises:
        OptionError: a command cannot be used, or there can be no sandbox.
    """

    def __init__(
        self, commands: Mapping[int, str], players: int, rounds: int, *, sandbox: Sequence[Path] | None
    ) -> None:
        programs = guest_bots(list(commands.values()))
        if sandbox is not None:
            programs = in_sandboxes(programs, None, sandbox)
        self._programs = dict(zip(commands, programs, strict=True))
        self._players, self._rounds = players, rounds
        self._tournaments: dict[int, BulkTournament] = {}
        self._thread = Thread(target=self._run, name="programs")
        self._begun = Event()
        self._error: BaseException | None = None
        self._token: trio.lowlevel.TrioToken
        self._nursery: trio.Nursery
        self._watchdog: Watchdog

    def __enter__(self) -> Self:
        configure_logs("warning")
        self._thread.start()
        self._begun.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, origin: TracebackType | None
    ) -> None:
        """End all programs.

        Raises:
            BaseException: what ended the thread before.
        """
        if self._error is None:
            self._token.run_sync_soon(self._nursery.cancel_scope.cancel)
        self._thread.join()
        if self._error is not None:
            raise self._error

    def answer(self, number: int, calls: socket.socket) -> None:
        """Begin to answer the calls of tournament ``number`` that come on a socket, which is closed in the end.

        If that tournament is played again, the calls that were made before are answered as they were then, without the
        programs: they play on where they are.
        """
        tournament = self._tournaments.get(number)
        if tournament is None:
            tournament = self._tournaments[number] = BulkTournament(self._programs, self._players, self._rounds)
            self._soon(tournament.host, self._watchdog)
        self._soon(tournament.answer, calls)

    def is_asking(self, number: int) -> bool:
        """Whether a program is waited for in a tournament."""
        return self._tournaments[number].asking

    def failures(self, number: int) -> Mapping[int, ProgramFailure]:
        """The failures in a tournament, by player."""
        return dict(self._tournaments[number].failures)

    def end(self, number: int) -> Mapping[int, ProgramFacts]:
        """Tell the programs of a tournament that it is over, and wait for their ends; what is known of each."""
        return trio.from_thread.run(self._tournaments[number].end, trio_token=self._token)

    def _soon(self, task: Callable[[*Arguments], Awaitable[object]], *arguments: *Arguments) -> None:
        self._token.run_sync_soon(lambda: self._nursery.start_soon(task, *arguments))

    def _run(self) -> None:
        try:
            trio.run(self._host)
        except BaseException as error:  # noqa: BLE001 # the thread that began this one raises it
            self._error = error
        finally:
            self._begun.set()

    async def _host(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        async with open_watchdog() as self._watchdog, trio.open_nursery() as self._nursery:
            self._begun.set()
            await trio.sleep_forever()

"""A worker process: plays the hands that the dealer deals to its tables, with seats that the dealer lends it.

It is started by ``worker_link.py`` with a channel and the memory for its notes, and ends with the channel. It knows
neither ledger nor journal, and asks the dealer what becomes of a player who gave no acceptable answer.
"""

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import structlog
import trio

from dealer.cli.output import configure_logs
from dealer.faults import SeatLost
from dealer.ledger.deal import Deal
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.lobby.player import Player
from dealer.net.seat import Seat
from dealer.net.stalls import TOLD_SECONDS, Stall
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.tournament.hand_log import HandLog
from dealer.tournament.table import Table
from dealer.workers.awaited import Awaited
from dealer.workers.channel import Channel
from dealer.workers.matches import changed
from dealer.workers.messages import (
    Begin,
    CallBack,
    Corrected,
    Drop,
    FromWorker,
    GivenBack,
    GoOn,
    Hasten,
    Judged,
    Lend,
    Logged,
    Lost,
    Play,
    Played,
    SoFar,
    Stalled,
    Tell,
    TellResults,
    Wait,
    Watch,
    from_plain,
    to_plain,
)
from dealer.workers.noted_seat import NotedSeat
from dealer.workers.seat_notes import Notes, SeatNote
from protocol.games.match import Match

#: Seconds between two looks at the hands that somebody watches.
LOOK_SECONDS = 0.1

#: Seconds for which a hand is told on after the dealer asked for it.
WATCH_SECONDS = 1.0

#: Seconds that a hand waits, at most, to be told to the dealer together with others. Each time the dealer is woken, it
#: and the worker lose what the processor had at hand, which costs as much as playing several questions.
GATHER_SECONDS = 0.002


class _SlowHand:
    """The pauses of a hand as the dealer wants them: it is asked before each action."""

    def __init__(self, table: "WorkerTable") -> None:
        self._table = table
        self.slow = False

    def due(self, acted: int) -> bool:
        """See ``Pauses``."""
        return self.slow

    async def wait(self, acted: int) -> None:
        """See ``Pauses``."""
        await self._table.wait()

    def hand_over(self, acted: int) -> None:
        """See ``Pauses``: the dealer counts them."""


class WorkerTable:
    """One table in this process.

    Args:
        number: of the table.
        begin: what the worker must know.
        players: of the tournament, by number.
        places: of seats that are here.
        post: tells the dealer.
        finish: tells the dealer that a hand is over.
    """

    def __init__(
        self,
        number: int,
        begin: Begin,
        players: Sequence[Player],
        places: Mapping[Seat, int],
        post: Callable[[FromWorker], None],
        finish: Callable[[Played], None],
    ) -> None:
        self._number = number
        self._places = places
        self._players = players
        self._post = post
        self._finish = finish
        self._deals: Awaited[Play] = Awaited()
        self._answers: Awaited[Any] = Awaited()
        self._match: Match | None = None
        self._pauses = _SlowHand(self)
        note = self._note_correction if begin.followed else None
        hand_log = HandLog(begin.game, players) if begin.log_steps else None
        self._table = Table(begin.game, players, self._judge, note, hand_log, self._pauses)
        self._played: PlayedHand | None = None
        self._told = 0
        self.watched_until = 0.0
        self.deal: Callable[[Play], None] = self._deals.give
        self.answer: Callable[[Any], None] = self._answers.give

    async def play_forever(self) -> None:
        """Play the hands that are dealt here, one after the other, and tell the dealer; until cancelled."""
        while True:
            await self._play(await self._deals.take())

    async def _play(self, message: Play) -> None:
        table, hand, level, players, sent, deck, self._pauses.slow, self._table.time_account = message
        match = self._match = changed(self._match, sent)
        played = self._played = await self._table.play(Deal(table, hand, level, players, match, deck))
        (_, actions, faults, corrections), starting, pot, settled = played
        payoffs, shares = settled.payoffs, settled.shares
        results = starting, pot, payoffs, shares, settled.tied, settled.carried
        self._finish(Played(self._number, actions, faults, corrections, *results))

    def tell_results(self, notes: Notes) -> None:
        """Tell the players of the last hand how it ended, and note that."""
        if self._played is not None:
            self._table.tell_results(self._played)
            notes.tell(self._number, self._played.deal.number)
            self._played = None

    async def wait(self) -> None:
        """Wait until the dealer lets a slow hand go on."""
        so_far = self.so_far()
        assert so_far is not None
        self._post(Wait(so_far))
        await self._answers.take()

    def so_far(self) -> SoFar | None:
        """The hand under way; None between two hands."""
        record = self._table.so_far()
        return None if record is None else _told(self._number, record)

    def tell_progress(self) -> None:
        """Tell the dealer how the hand under way stands, if there is something new."""
        so_far = self.so_far()
        if so_far is not None and self._told != len(so_far.actions):
            self._told = len(so_far.actions)
            self._post(so_far)

    async def _judge(self, number: int, lost: SeatLost) -> bool:
        player, fault = self._players[number], lost.fault
        seat = player.seat
        assert seat is not None
        place, connected, reached = self._places[seat], lost.connected, lost.reached
        message = Lost(self._number, number, place, fault.kind, fault.reason, connected, reached, seat.heard)
        self._post(message)
        judged = await self._answers.take()
        if judged.gone and player.seat is seat:
            player.seat = None
        return bool(judged.fault)

    def _note_correction(self, number: int, reason: str) -> None:
        self._post(Corrected(self._number, number, reason))


def _told(table: int, record: HandRecord) -> SoFar:
    _, actions, faults, corrections = record
    return SoFar(table, actions, faults, corrections)


class Worker:
    """Plays tables until the channel ends.

    Args:
        channel: to the dealer.
        notes: of its seats, which the dealer reads.
        watchdog: of its seats.
        nursery: in which hands are played.
    """

    def __init__(self, channel: Channel, notes: Notes, watchdog: Watchdog, nursery: trio.Nursery) -> None:
        self._channel = channel
        self._notes = notes
        self._watchdog = watchdog
        self._nursery = nursery
        self._begin: Begin | None = None
        self._players: list[Player] = []
        self._tables: dict[int, WorkerTable] = {}
        self._seats: dict[int, tuple[int, Seat]] = {}
        self._places: dict[Seat, int] = {}
        self._under_way = 0
        self._gathering: Awaited[None] = Awaited()
        self._takes: dict[type, Callable[[Any], None]] = {
            Begin: self._take_begin,
            Lend: self._borrow,
            CallBack: self._give_back,
            Drop: self._drop,
            Tell: lambda tell: self._seats[tell.place][1].tell(tell.message),
            Hasten: lambda hasten: self._seats[hasten.place][1].hasten(hasten.seconds),
            Play: self._play,
            TellResults: lambda tell: self._tables[tell.table].tell_results(notes),
            Judged: lambda judged: self._tables[judged.table].answer(judged),
            GoOn: lambda go_on: self._tables[go_on.table].answer(go_on),
            Watch: self._watch,
        }
        watchdog.stalls.listen(self._tell_stall)

    def take(self, plain: Sequence[Any]) -> None:
        """Do what the dealer asks for."""
        message = from_plain(plain)
        self._takes[type(message)](message)

    async def tell_progress_forever(self) -> None:
        """Tell the dealer now and then how the hands stand that somebody watches; until cancelled."""
        while True:
            await trio.sleep(LOOK_SECONDS)
            now = trio.current_time()
            for table in self._tables.values():
                if table.watched_until > now:
                    table.tell_progress()

    async def gather_forever(self) -> None:
        """Let hands that are over leave ``GATHER_SECONDS`` after the first of them; until cancelled."""
        while True:
            await self._gathering.take()
            await trio.sleep(GATHER_SECONDS)
            self._channel.flush()

    def _post(self, message: FromWorker) -> None:
        self._channel.post(to_plain(message))

    def _finish(self, played: Played) -> None:
        """Tell the dealer that a hand is over: at once if no other is under way, else in a moment."""
        self._under_way -= 1
        if self._channel.post_later(to_plain(played)):
            self._gathering.give(None)
        if not self._under_way:
            self._channel.flush()

    def _take_begin(self, begin: Begin) -> None:
        self._begin = begin
        self._players = [Player(id, avatar, id, number=number) for number, (id, avatar) in enumerate(begin.players)]
        log_to(self._channel, begin.log_level)

    def _table(self, number: int) -> WorkerTable:
        if number not in self._tables:
            assert self._begin is not None
            table = WorkerTable(number, self._begin, self._players, self._places, self._post, self._finish)
            self._tables[number] = table
            self._nursery.start_soon(table.play_forever)
        return self._tables[number]

    def _play(self, play: Play) -> None:
        self._under_way += 1
        self._table(play.table).deal(play)

    def _watch(self, watch: Watch) -> None:
        table = self._table(watch.table)
        table.watched_until = trio.current_time() + WATCH_SECONDS
        table.tell_progress()

    def _borrow(self, lend: Lend) -> None:
        note, look = SeatNote(self._notes, lend.place), self._watchdog.stalls.look
        seat = NotedSeat(self._channel.take_socket(), lend.state, note, look)
        self._places[seat] = lend.place
        self._watchdog.watch(seat)
        self._seats[lend.place] = lend.player, seat
        self._players[lend.player].seat = seat

    def _give_back(self, call: CallBack) -> None:
        self._post(GivenBack(call.place, self._take_from_player(call.place).give()))

    def _drop(self, drop: Drop) -> None:
        self._take_from_player(drop.place).abort()

    def _take_from_player(self, place: int) -> Seat:
        number, seat = self._seats.pop(place)
        del self._places[seat]
        if self._players[number].seat is seat:
            self._players[number].seat = None
        return seat

    def _tell_stall(self, stall: Stall) -> None:
        if stall.seconds >= TOLD_SECONDS:
            self._post(Stalled(stall))


class _LogLines:
    """Takes lines of the log to the dealer, which prints them where its own are printed."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def write(self, text: str) -> int:
        """Send a text to the dealer."""
        self._channel.post(to_plain(Logged(text)))
        return len(text)

    def flush(self) -> None:
        """Nothing: what is posted leaves at once."""


def log_to(channel: Channel, level: str) -> None:
    """Send the lines of the log, in the form that suits the dealer's standard error, to the dealer."""
    configure_logs(level)
    structlog.configure(logger_factory=structlog.WriteLoggerFactory(file=_LogLines(channel)))  # type: ignore[arg-type]


async def work(channel: Channel, notes: Notes) -> None:
    """Play tables until the channel ends."""
    async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
        worker = Worker(channel, notes, watchdog, nursery)
        nursery.start_soon(channel.send_forever)
        nursery.start_soon(worker.tell_progress_forever)
        nursery.start_soon(worker.gather_forever)
        await channel.receive_forever(worker.take)
        nursery.cancel_scope.cancel()
    channel.close()


def main() -> None:
    """Run a worker with the descriptors of its channel and its memory, which are the words of the command line."""
    # The terminal sends its signals to all processes; the dealer says when its workers end.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    channel_descriptor, memory_descriptor = map(int, sys.argv[1:])
    notes = Notes(memory_descriptor)
    os.close(memory_descriptor)
    gc.freeze()
    channel = Channel(socket.socket(fileno=channel_descriptor))
    trio.run(partial(work, channel, notes))

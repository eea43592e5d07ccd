"""The worker processes of a dealer: started, watched, replaced when they die, and given seats and hands.

Table and worker belong together by the number of the table. When a worker dies, the system closes its end of the
channel; the dealer takes its seats back, as its notes describe them, voids the hands it played, and starts another
worker in its place, which deals the next hands.
"""

import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager

import structlog
import trio

from dealer.errors import OptionError, WorkerError
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.net.seat import Seat
from dealer.net.stalls import Stall
from dealer.tournament.hand_player import HandPlayer, HandPlayers, OwnTables, TableTerms
from dealer.workers.channel import CAN_HAND_OVER
from dealer.workers.messages import Begin
from dealer.workers.remote_table import RemoteTable
from dealer.workers.worker_link import WorkerLink

log = structlog.get_logger()

#: Workers that end by themselves, one after the other and before they have played a hand, until the dealer gives up.
MOST_FAILURES = 5


def check_procs(procs: int) -> None:
    """Check that tables can be played by so many processes here.

    Raises:
        OptionError: they cannot.
    """
    if procs > 1 and not CAN_HAND_OVER:
        raise OptionError("--procs: this system cannot hand connections to another process; leave it out")


class Workers:
    """See ``HandPlayers``. Use ``open_workers``.

    Args:
        count: how many processes play.
        nursery: in which they are served.
        log_level: from which on they log.
    """

    def __init__(self, count: int, nursery: trio.Nursery, log_level: str) -> None:
        self._nursery = nursery
        self._log_level = log_level
        self._tables: dict[int, RemoteTable] = {}
        self._owing: dict[Seat, int] = {}
        self._failures = 0
        self._tell_stall: Callable[[Stall], None] = lambda _: None
        self._terms: TableTerms | None = None
        self._links = [self._start() for _ in range(count)]
        for place in range(count):
            nursery.start_soon(self._keep, place)

    def at_table(self, terms: TableTerms) -> HandPlayer:
        """See ``HandPlayers``."""
        self._terms = terms
        table = self._tables[terms.number] = RemoteTable(terms, self._find_worker, self._nursery)
        return table

    def came_back(self, player: Player) -> None:
        """See ``HandPlayers``."""
        for table in self._tables.values():
            table.came_back(player)

    def tell_stalls(self, listener: Callable[[Stall], None]) -> None:
        """See ``HandPlayers``."""
        self._tell_stall = listener

    def pids(self) -> Sequence[int]:
        """See ``HandPlayers``."""
        return [link.process.pid for link in self._links]

    def close(self) -> None:
        """End all workers."""
        for link in self._links:
            link.close()

    def _start(self) -> WorkerLink:
        return WorkerLink(lambda stall: self._tell_stall(stall))  # noqa: PLW0108 - it is set later

    async def _keep(self, place: int) -> None:
        """Serve one worker, and those that take its place when it dies; until cancelled."""
        while True:
            link = self._links[place]
            await link.serve()
            self._owing.update(link.bury())
            link.close()
            code = link.process.returncode
            if link.hands:
                self._failures = 0
            elif code != -signal.SIGKILL:  # somebody outside, or the system for want of memory
                self._failures += 1
            if self._failures == MOST_FAILURES:
                raise WorkerError(f"the worker processes end one after the other, the last with exit code {code}")
            log.warning("worker ended", code=code, reason="its hands are void; another process plays its tables on")
            self._links[place] = self._start()

    async def _find_worker(self, table: int, players: Sequence[Player]) -> WorkerLink:
        """The worker of a table, which has all seats of those who are dealt in and connected."""
        while True:
            link = self._links[table % len(self._links)]
            if link.begun is None:
                self._begin(link)
            missing = [player for player in players if player.seat is not None and not link.has(player.seat)]
            missing = [player for player in missing if player.seat is not None and not player.seat.closed]
            if not missing:
                return link
            for player in missing:
                if player.seat is not None:
                    await self._bring_here(player.seat)
            for player in () if link.dead else missing:
                seat = player.seat
                if seat is not None and not seat.closed and seat.borrower is None and seat not in self._owing:
                    link.lend(player.number, seat)

    async def _bring_here(self, seat: Seat) -> None:
        """Wait until a seat is here, and owes no reply to a question that a dead worker asked."""
        await seat.call_back()
        if seat in self._owing:
            await seat.swallow_overdue(self._owing[seat])
            self._owing.pop(seat, None)

    def _begin(self, link: WorkerLink) -> None:
        assert self._terms is not None
        ledger: Ledger = self._terms.ledger
        settings = ledger.settings
        players = [(player.id, player.avatar) for player in ledger.players]
        link.begun = Begin(settings.game, players, settings.acpc is not None, self._log_level, self._terms.log_steps)
        link.post(link.begun)


@asynccontextmanager
async def open_workers(procs: int, log_level: str) -> AsyncIterator[HandPlayers]:
    """Who plays the hands while the block runs: this process alone if ``procs`` is 1, else so many others.

    Raises:
        WorkerError: (in a group) they die again and again.
    """
    if procs == 1:
        yield OwnTables()
        return
    with ExitStack() as opened:
        async with trio.open_nursery() as nursery:
            workers = Workers(procs, nursery, log_level)
            opened.callback(workers.close)  # when nothing waits for them any more
            yield workers
            nursery.cancel_scope.cancel()

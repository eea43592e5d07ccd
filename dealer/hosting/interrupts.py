"""Interrupts: the first signal stops at a good moment, a second one stops at once.

SIGINT (Ctrl-C), SIGTERM and SIGHUP are taken as long as a tournament is hosted, also between the parts of that work.
Signals that come within a moment count as one: ``timeout`` sends two, and so do shells when a terminal is closed.
"""

import atexit
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from types import FrameType

import trio

from dealer.errors import INTERRUPTED

#: SIGHUP does not exist on Windows.
SIGNALS: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)

#: Seconds after the first signal in which others count as the same one.
SAME_SECONDS = 0.25


class Interrupts:
    """What signals do: the first calls ``gently``, the second cancels everything.

    Attributes:
        gently: stops at the next good moment; may be replaced while the program goes on.
        invite: tells the user that another interrupt stops at once; called when it would, and may be replaced.
        count: how many interrupts there have been; 0 again once the user wants to go on.
        signal: the last one that counted.
        asking: whether the user is being asked what to do. SIGTERM and SIGHUP then count as first ones.
        nursery: of the block that is interrupted.
    """

    def __init__(self, gently: Callable[[], None], nursery: trio.Nursery) -> None:
        self.gently = gently
        self.invite: Callable[[], None] = lambda: None
        self.count = 0
        self.signal = signal.SIGINT
        self.asking = False
        self.nursery = nursery
        self._since = 0.0

    def take(self, number: signal.Signals) -> None:
        """Do what a signal asks for."""
        if self.count == 0 or (self.asking and number != signal.SIGINT):
            self.count, self._since, self.signal, self.asking = 1, trio.current_time(), number, False
            self.nursery.start_soon(self._invite_later)
            self.gently()
        elif number in (signal.SIGINT, signal.SIGTERM) and trio.current_time() - self._since >= SAME_SECONDS:
            self.count += 1
            self.nursery.cancel_scope.cancel()

    async def _invite_later(self) -> None:
        await trio.sleep(SAME_SECONDS)
        if self.count and not self.asking:
            self.invite()


@asynccontextmanager
async def open_interrupts(gently: Callable[[], None]) -> AsyncIterator[Interrupts]:
    """Handle interrupts while the block runs. The second cancels the block, and ``count`` is 2 afterwards."""
    async with trio.open_nursery() as nursery:
        interrupts = Interrupts(gently, nursery)
        # Before anything is announced: a signal in between would kill the process.
        with _caught(interrupts.take):
            yield interrupts
            nursery.cancel_scope.cancel()


async def until_interrupted(work: Awaitable[int]) -> int:
    """Await the work of a command, which the first interrupt cancels, and return the exit code."""
    code = INTERRUPTED
    async with open_interrupts(lambda: None) as interrupts:
        with trio.CancelScope() as scope:
            interrupts.gently = scope.cancel
            code = await work
    return code


@contextmanager
def _caught(take: Callable[[signal.Signals], None]) -> Iterator[None]:
    """Call ``take`` inside trio with every signal that comes while the block runs.

    Not trio's own receiver: at its end it sends signals that nobody took to the process again, which would die of them.
    """
    token = trio.lowlevel.current_trio_token()

    def caught(number: int, _: FrameType | None) -> None:
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(take, signal.Signals(number))

    before = {number: signal.signal(number, caught) for number in SIGNALS}
    for guard in {handler for handler in before.values() if isinstance(handler, SignalGuard)}:
        guard.begun = True
        if guard.missed is not None:
            token.run_sync_soon(take, guard.missed)
            guard.missed = None
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class SignalGuard:
    """Takes signals that come while no ``open_interrupts`` does, so that none ends the process.

    Args:
        stop: called while the work has not come to its first ``open_interrupts``.

    Attributes:
        begun: whether the work has come there.
        missed: a signal that came since, while no ``open_interrupts`` was there to take it; the next one does.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self.begun = False
        self.missed: signal.Signals | None = None
        self._stop = stop
        self._token = trio.lowlevel.current_trio_token()

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.begun:
            self.missed = signal.Signals(number)
        else:
            with suppress(trio.RunFinishedError):
                self._token.run_sync_soon(self._stop)

    def install(self) -> None:
        """Take signals until the process ends."""
        for number in SIGNALS:
            signal.signal(number, self)
        atexit.register(_ignore_signals)


def _ignore_signals() -> None:
    """Let no signal change the exit code of a process that is ending: the interpreter forgets handlers of Python."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)

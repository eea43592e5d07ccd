"""A limited share of the dealer's time for the page, because play comes first.

The page runs in the same event loop as the tables. So whatever a stranger can make the page do waits for its turn
here. Turns are given every ``PAUSE_SECONDS``, for a part of that time, however many wait. If this task wakes up late,
the event loop or the machine is busy: the part is halved, and grows again slowly while it wakes up in time. Addresses
take turns, so that a flood from one of them delays the others little. The part also depends on how many addresses wait:
one that floods the page takes much less of the time than a room full of viewers may.
"""

from collections import deque

import trio

#: Seconds between two times that turns are given while any connection waits.
PAUSE_SECONDS = 0.01

#: Seconds by which this task may wake up late on a machine that is not busy.
LATE_SECONDS = 0.003

#: Seconds of work for the page in each second, at most and at least.
MOST, LEAST = 0.25, 0.02

#: Seconds of work in each second for one address, at most, however much it asks for.
MOST_FOR_ONE = 0.08

#: By how much the part grows each time.
STEP = 0.005

#: Seconds of work that may be done at once after a quiet time.
SAVED_SECONDS = 0.01

# What work costs in seconds, measured on one core of 2026; a slower machine gives the page a larger share.

#: To make and end a connection.
CONNECTION = 0.0006

#: To read what a browser sent.
READ = 0.0002

#: To answer a request.
REQUEST = 0.0010


class WorkBudget:
    """Gives turns to those who want to work for the page. ``give_turns`` must run meanwhile."""

    def __init__(self) -> None:
        self._share = MOST
        self._saved = SAVED_SECONDS
        self._refilled = trio.current_time()
        self._waiting: dict[str, deque[tuple[float, trio.Event]]] = {}
        self._wanted = trio.Event()

    async def turn(self, address: str, seconds: float) -> None:
        """Wait until it is the turn of an address to work for so many seconds."""
        self._wanted.set()
        if not self._waiting and self._saved > 0:
            self._saved -= seconds
            return
        turn = seconds, trio.Event()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            await turn[1].wait()
        except trio.Cancelled:
            self._forget(address, turn)
            raise

    async def give_turns(self) -> None:
        """Give turns to all who wait, until cancelled."""
        while True:
            if not self._wanted.is_set():  # else go on at once: what the last turns took counts as being late
                await self._wanted.wait()
                self._refilled = trio.current_time()
            due = trio.current_time() + PAUSE_SECONDS
            await trio.sleep(PAUSE_SECONDS)
            late = trio.current_time() - due > LATE_SECONDS
            self._share = max(self._share / 2, LEAST) if late else min(self._share + STEP, MOST)
            self._refill()
            while self._waiting and self._saved > 0:
                self._give_one()
            if self._saved >= SAVED_SECONDS:
                self._wanted = trio.Event()

    def _give_one(self) -> None:
        """Give a turn to the address that has waited longest, and put it behind all others."""
        address = next(iter(self._waiting))
        turns = self._waiting.pop(address)
        seconds, event = turns.popleft()
        if turns:
            self._waiting[address] = turns
        self._saved -= seconds
        event.set()

    def _forget(self, address: str, turn: tuple[float, trio.Event]) -> None:
        turns = self._waiting.get(address, deque())
        if turn in turns:
            turns.remove(turn)
        if address in self._waiting and not turns:
            del self._waiting[address]

    def _refill(self) -> None:
        now = trio.current_time()
        # The last turns may have been given to all who waited, so nobody may wait now.
        share = min(self._share, MOST_FOR_ONE * max(len(self._waiting), 1))
        self._saved = min(self._saved + share * (now - self._refilled), SAVED_SECONDS)
        self._refilled = now

"""Jumping clocks that stand still while a thread works.

A clock that jumps when no task runs does not know of the threads that tasks wait for. On a busy machine a thread gets
its turn after many milliseconds, in which the clock would jump over seconds, and so over the limits of replies.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from math import inf
from weakref import WeakKeyDictionary

import pytest
import trio
from trio.testing import MockClock

from dealer.journal.batches import Batch
from dealer.journal.disk_thread import DiskThread
from dealer.lobby.listener import _Reception
from protocol.wire.messages import Name

#: For each clock that is held, its threshold before each of the holds under way: the first is its own.
_thresholds: WeakKeyDictionary[MockClock, list[float]] = WeakKeyDictionary()


@contextmanager
def held_clock() -> Iterator[None]:
    """While the block runs, the clock of this trio run does not jump."""
    clock = trio.lowlevel.current_clock()
    if not isinstance(clock, MockClock):
        yield
        return
    before = _thresholds.setdefault(clock, [])
    before.append(clock.autojump_threshold)
    clock.autojump_threshold = inf
    try:
        yield
    finally:
        clock.autojump_threshold = before.pop()


def wait_for_threads(patch: pytest.MonkeyPatch) -> None:
    """Hold clocks while the disk thread has a batch or comes to its end, and while secrets are checked.

    A disk that refuses a batch is waited for until it has refused it, since tests let time pass meanwhile.
    """
    send, close, answer, serve = DiskThread.send, DiskThread.close, DiskThread._answer, DiskThread.serve
    batches: WeakKeyDictionary[DiskThread, ExitStack] = WeakKeyDictionary()
    ends: WeakKeyDictionary[DiskThread, ExitStack] = WeakKeyDictionary()

    def held_send(thread: DiskThread, batch: Batch) -> None:
        batches.setdefault(thread, ExitStack()).enter_context(held_clock())
        send(thread, batch)

    def held_close(thread: DiskThread) -> None:
        ends.setdefault(thread, ExitStack()).enter_context(held_clock())
        close(thread)

    def held_answer(thread: DiskThread, call: Callable[[], None] | None) -> None:
        def release_and_call() -> None:
            if thread in batches:
                batches[thread].close()
            if call is not None:
                call()

        answer(thread, None if call is None else release_and_call)

    async def held_serve(thread: DiskThread, written: Callable[[Batch], None]) -> None:
        try:
            await serve(thread, written)
        finally:
            for stacks in (batches, ends):
                if thread in stacks:
                    stacks[thread].close()

    proof = _Reception._proof

    async def held_proof(reception: _Reception, name: Name) -> bytes | None:
        with held_clock():
            return await proof(reception, name)

    patch.setattr(DiskThread, "send", held_send)
    patch.setattr(DiskThread, "close", held_close)
    patch.setattr(DiskThread, "_answer", held_answer)
    patch.setattr(DiskThread, "serve", held_serve)
    patch.setattr(_Reception, "_proof", held_proof)

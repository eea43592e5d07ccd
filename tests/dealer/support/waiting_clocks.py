"""Jumping clocks that stand still while a thread works.

A clock that jumps when no task runs does not know of the threads that tasks wait for. On a busy machine a thread gets
its turn after many milliseconds, in which the clock would jump over seconds, and so over the limits of replies.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from weakref import WeakKeyDictionary

import pytest
import trio
from trio.testing import MockClock

from dealer.journal.writer import Journal
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
    """Hold clocks while a journal is forced to the disk, and while secrets are checked."""
    force, proof = Journal._force, _Reception._proof

    async def held_force(journal: Journal) -> None:
        with held_clock():
            await force(journal)

    async def held_proof(reception: _Reception, name: Name) -> bytes | None:
        with held_clock():
            return await proof(reception, name)

    patch.setattr(Journal, "_force", held_force)
    patch.setattr(_Reception, "_proof", held_proof)

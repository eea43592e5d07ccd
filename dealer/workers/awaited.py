"""A value that one task waits for and a callback brings: what takes the place of an event for each hand."""

from collections import deque
from typing import Generic, TypeVar

import outcome
import trio

T = TypeVar("T")


class Awaited(Generic[T]):
    """Values for one task, in the order in which they come.

    It takes a third of the time of a ``trio.Event``, which keeps a set of waiters and works only once. Each hand that a
    worker plays waits four times like this.
    """

    def __init__(self) -> None:
        self._values: deque[T] = deque()
        self._task: trio.lowlevel.Task | None = None

    async def take(self) -> T:
        """The next value; waits while there is none. One task at a time."""
        if self._values:
            return self._values.popleft()
        self._task = trio.lowlevel.current_task()
        value: T = await trio.lowlevel.wait_task_rescheduled(self._give_up)
        return value

    def give(self, value: T) -> None:
        """Bring a value, from a task of the same process."""
        if self._task is None:
            self._values.append(value)
        else:
            task, self._task = self._task, None
            trio.lowlevel.reschedule(task, outcome.Value(value))

    def _give_up(self, _: object) -> trio.lowlevel.Abort:
        self._task = None
        return trio.lowlevel.Abort.SUCCEEDED

"""Worker processes of this machine: work is divided among them, and they are ended as soon as nobody needs them."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing import active_children, get_context, resource_tracker
from typing import Protocol, TypeVar

from dealer.errors import WorkersError

Task = TypeVar("Task")
Result = TypeVar("Result")

#: What Python reads when it starts.
_SAFE_PATH = "PYTHONSAFEPATH"


@contextmanager
def safe_path() -> Iterator[None]:
    """Let Python processes that are started in the block import nothing from the current folder, as ``python -P`` does.

    A process of ``multiprocessing`` looks there first, and a student's folder may have a ``random.py``. It takes no
    flags, only the environment; so start no programs of others in the block, which may need the modules beside them.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Take Ctrl-C after the block, and keep it from the threads and processes that are started in it for good.

    Ctrl-C reaches every process of the terminal's group, and this one ends the others, which would print a traceback
    each. Windows cannot keep it from them.
    """
    held_back: list[int] = []
    # A thread that is there already, of numpy for example, may take what this one has blocked, and Python handles it
    # here all the same.
    handler = signal.signal(signal.SIGINT, lambda number, _: held_back.append(number))
    try:
        with _interrupts_blocked():
            yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if held_back:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # It is started with the first process otherwise, and lets interrupts through again where it is started.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def kill_children() -> None:
    """Kill the processes of ``multiprocessing`` that this one has started, whatever they compute."""
    for child in active_children():
        child.kill()


class Map(Protocol):
    """What ``map`` does, in this process or in others."""

    def __call__(self, function: Callable[[Task], Result], tasks: Sequence[Task], /) -> Iterator[Result]:
        """The result of each task, in their order."""


@contextmanager
def open_processes(jobs: int) -> Iterator[Map]:
    """A ``map`` over so many processes of this machine; over this process, if one is enough.

    Whoever takes results from it gets a ``WorkersError`` if a process was killed, perhaps by the system for its memory.
    """
    if jobs <= 1:
        yield map
        return
    leave_interrupts = (signal.SIGINT, signal.SIG_IGN)
    with ExitStack() as opened:
        opened.enter_context(safe_path())
        pool = opened.enter_context(ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, leave_interrupts))
        opened.callback(kill_children)
        opened.callback(pool.shutdown, wait=False, cancel_futures=True)

        def each(function: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
            # ``pool.map`` cancels what is left when nobody takes its results any more, and the pool's own thread, in
            # Python 3.11, fails at a cancelled task if the processes end at that moment.
            with interrupts_held_back():  # the first tasks start the processes
                results = deque(pool.submit(function, task) for task in tasks)
            try:
                while results:
                    yield results.popleft().result()
            except BrokenProcessPool:
                raise WorkersError(
                    "a process that computed was killed, perhaps because memory ran out; fewer processes need less"
                ) from None

        yield each

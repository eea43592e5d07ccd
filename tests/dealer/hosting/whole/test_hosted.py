"""The output of a hosted tournament that waits for a slow reader."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
import trio

from dealer.cli.streams import StandardStream
from dealer.hosting.hosted import run_hosted
from dealer.hosting.interrupts import SAME_SECONDS, SIGNALS, Interrupts
from tests.patience import PATIENCE

#: More than a pipe holds.
MUCH = 300_000


@contextmanager
def piped_output(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The end of a pipe that reads what is written to standard output.

    Not a fixture: pytest replaces standard output once more between the fixtures and the test.
    """
    reading, writing = os.pipe()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    with ExitStack() as opened:
        for name, descriptor in (("stdout", writing), ("stderr", os.open(os.devnull, os.O_WRONLY))):
            raw = opened.enter_context(os.fdopen(descriptor, "wb", buffering=0))
            stream = io.TextIOWrapper(io.BufferedWriter(StandardStream(name, raw)))
            monkeypatch.setattr(sys, name, stream)
        yield reading
    os.close(reading)
    for number, handler in before.items():
        signal.signal(number, handler)


async def print_much() -> int:
    sys.stdout.write("x" * MUCH)
    return 0


async def test_output_waits_for_its_reader_without_polling(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    """The clock of the test goes on only while a task sleeps; none does while the pipe is full."""
    read = bytearray()
    with piped_output(monkeypatch) as reading:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lambda: run_hosted(print_much(), as_json=False))
            await trio.testing.wait_all_tasks_blocked()
            while len(read) < MUCH:
                read += await trio.to_thread.run_sync(os.read, reading, 65536)
    assert read == b"x" * MUCH
    assert trio.current_time() == 0


async def test_equal_signals_that_come_together_count_as_one(autojump_clock: trio.testing.MockClock) -> None:
    told: list[str] = []
    async with trio.open_nursery() as nursery:
        interrupts = Interrupts(lambda: told.append("gently"), nursery)
        interrupts.take(signal.SIGINT)
        await trio.sleep(0.9 * SAME_SECONDS)
        interrupts.take(signal.SIGINT)
        assert interrupts.count == 1
        await trio.sleep(SAME_SECONDS)
        interrupts.take(signal.SIGINT)
        await trio.sleep_forever()
    assert (interrupts.count, told) == (2, ["gently"])


def test_signal_while_the_interpreter_ends_does_not_change_the_exit_code() -> None:
    """It forgets the handlers of Python before it collects the objects."""
    program = """
import os, signal, sys, trio
from dealer.hosting.interrupts import SIGNALS, SignalGuard

class Late:
    def __del__(self, kill=os.kill, own=os.getpid(), numbers=SIGNALS):
        for number in numbers:
            kill(own, number)

async def main():
    SignalGuard(lambda: None).install()

late = Late()
late.itself = late  # collected at the end of the interpreter
trio.run(main)
sys.exit(7)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=PATIENCE).returncode == 7

"""The output of a hosted tournament with a slow reader, and how long a league waits for its programs."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import StringIO
from typing import ClassVar

import pytest
import trio
from rich.console import Console, RenderableType
from rich.status import Status
from trio.testing import MockClock

from dealer.cli.streams import StandardStream
from dealer.hosting.hosted import run_hosted
from dealer.hosting.interrupts import SAME_SECONDS, SIGNALS, Interrupts, open_interrupts
from dealer.hosting.league import League
from dealer.journal.writer import Journal
from dealer.net.stalls import Stalls
from dealer.programs import HOUSE_STARTUP_SECONDS, STARTUP_SECONDS, Program, start_program
from dealer.settings import LeagueWords, Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from protocol.games.stud import StudGame
from tests.dealer.support.rig import SEED
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


async def test_signal_between_two_tournaments_is_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lobby of the next one would stay open for ever otherwise."""
    told: list[str] = []

    async def host_two() -> int:
        async with open_interrupts(lambda: told.append("first")):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        closed = trio.Event()
        async with open_interrupts(closed.set):
            await closed.wait()
        os.kill(os.getpid(), signal.SIGTERM)  # the work is ending: this changes nothing
        return 3

    with piped_output(monkeypatch):
        assert await run_hosted(host_two(), as_json=False) == 3
    assert not told


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


#: Runs and never connects.
SLEEPER = (sys.executable, "-c", "import time; time.sleep(1000)")


class Shown(Status):
    """A status line whose texts a test can read; a real one is drawn a few times a second of the true clock."""

    texts: ClassVar[list[str]] = []

    def update(self, status: RenderableType | None = None, **_: object) -> None:
        self.texts.append(str(status))


async def started(*programs: Program) -> tuple[League, list[str]]:
    """A league in vain, and what its host saw at a terminal."""
    Shown.texts.clear()
    console = Console(file=StringIO())
    console.status = lambda text, **_: Shown(text, console=console)  # type: ignore[method-assign]
    scene = Scene(NewTournament(Settings(SEED, StudGame()), len(programs)))
    league = League(programs, scene, LeagueWords((), ()), Journal(None), console)
    assert await league.play() is False
    assert league.tournament is None
    return league, Shown.texts


async def test_house_bot_that_compiles_has_more_time_than_a_guest(jumping_clock: MockClock) -> None:
    league, _ = await started(Program("guest", SLEEPER), Program("house", SLEEPER, house=True))
    assert [(failure.program, failure.what) for failure in league.failures] == [
        ("guest", f"did not log in within {STARTUP_SECONDS:g} s"),
        ("house", f"did not log in within {HOUSE_STARTUP_SECONDS:g} s"),
    ]


async def test_program_that_never_logged_in_is_not_awaited_at_the_end(jumping_clock: MockClock) -> None:
    """It is told nothing at which it would end by itself."""
    program = Program("guest", SLEEPER)
    scene = Scene(NewTournament(Settings(SEED, StudGame()), 1))
    league = League([program], scene, LeagueWords((), ()), Journal(None), Console(file=StringIO()))
    (one,) = league._participants
    async with trio.open_nursery() as nursery:
        one.running = await start_program(program, 0, nursery)
        one.fail("did not log in")
        began = trio.current_time()
        await league._finish(Stalls())
        assert trio.current_time() == began
        await one.stop()


async def test_host_is_told_who_is_awaited(jumping_clock: MockClock) -> None:
    _, told = await started(Program("java Poker", SLEEPER), Program("yours", ()), Program("none", ("no-such-file",)))
    assert told[0] == "waiting for the login of java Poker, yours (2 s, at most 30 s)"

"""Runs ``casino`` in a process that a fork server forks; it starts in a tenth of the time of a new Python."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType

import trio
from trio.lowlevel import FdStream

from tests.patience import PATIENCE

NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


class _Signalled:
    """A process that gets signals until it has ended."""

    pid: int

    def poll(self) -> int | None:
        raise NotImplementedError

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has, and the report is on its way
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


class Forked(_Signalled):
    """A forked ``casino`` under way, which is used as a ``trio.Process`` is.

    Attributes:
        pid: its process id.
        returncode: its exit code, once ``poll`` or ``wait`` has found that it ended.
        stdin: None if it has nothing to read.
        stdout: what it prints.
        stderr: what it says of itself.
    """

    def __init__(self, pid: int, stdin: FdStream | None, stdout: FdStream, stderr: FdStream, report: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdin = stdin
        self.stdout: FdStream | None = stdout
        self.stderr: FdStream | None = stderr
        self._report = report
        self._waiting = trio.Lock()

    def poll(self) -> int | None:
        if self.returncode is None:
            with suppress(BlockingIOError):
                self.returncode = int(os.read(self._report, 64))
                os.close(self._report)
        return self.returncode

    async def wait(self) -> int:
        async with self._waiting:
            while (code := self.poll()) is None:
                await trio.lowlevel.wait_readable(self._report)
        return code


class ForkedBeside(_Signalled):
    """A forked ``casino`` beside a test that does not use trio; it is used as a ``subprocess.Popen`` is.

    Attributes:
        pid: its process id.
        stdout: all that it prints.
    """

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        nothing = os.open(os.devnull, os.O_RDONLY)
        printed, prints = os.pipe()
        told, tells = os.pipe()
        _order(words, environment, [nothing, prints, prints, tells])
        for theirs in (nothing, prints, tells):
            os.close(theirs)
        self.stdout = os.fdopen(printed, encoding="utf-8")
        self._report = os.fdopen(told)
        self.pid = int(self._report.readline())
        self._code: int | None = None

    def poll(self) -> int | None:
        return self._ended_within(0)

    def wait(self, timeout: float = PATIENCE) -> int:
        """Return its exit code.

        Raises:
            TimeoutExpired: it has not ended within so many seconds.
        """
        if (code := self._ended_within(timeout)) is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout)
        return code

    def _ended_within(self, seconds: float) -> int | None:
        if self._code is None and select.select([self._report], [], [], seconds)[0]:
            self._code = int(self._report.readline())
        return self._code

    def close(self) -> None:
        self.stdout.close()
        self._report.close()


@cache
def _orders(environment: tuple[tuple[str, str], ...]) -> socket.socket:
    """Where the fork server of this process takes its orders. It ends when this process does."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.end_to_end.fork_server", str(theirs.fileno())]
    none = subprocess.DEVNULL
    # A test may have changed the folder, and the server needs the modules of the tests.
    root = Path(__file__).parents[2]
    server = subprocess.Popen(
        command, stdin=none, stdout=none, pass_fds=[theirs.fileno()], env=dict(environment), cwd=root
    )
    theirs.close()
    atexit.register(server.wait)
    atexit.register(ours.close)  # comes first
    return ours


def _order(
    words: Sequence[str],
    environment: Mapping[str, str],
    descriptors: Sequence[int],
    folder: Path | None = None,
    variables: Mapping[str, str] = NO_VARIABLES,
) -> None:
    # A message and four descriptors are sent at once, or the server is gone.
    data = json.dumps([str(folder or Path.cwd()), dict(variables), *words]).encode()
    socket.send_fds(_orders(tuple(environment.items())), [data], descriptors)


async def start_forked(
    words: Sequence[str],
    environment: Mapping[str, str],
    stdin: int = subprocess.PIPE,
    folder: Path | None = None,
    variables: Mapping[str, str] = NO_VARIABLES,
) -> Forked:
    """Start ``casino``.

    Args:
        words: its command line.
        environment: of the process; each one has a fork server of its own.
        stdin: ``subprocess.PIPE``, or ``subprocess.DEVNULL``.
        folder: its working directory, if that is not the test's.
        variables: of its environment, beside those of the fork server.
    """
    with ExitStack() as theirs, ExitStack() as ours:
        if stdin == subprocess.DEVNULL:
            reads, writes = os.open(os.devnull, os.O_RDONLY), None
        else:
            reads, writes = os.pipe()
            ours.callback(os.close, writes)
        theirs.callback(os.close, reads)
        given, kept = [reads], []
        for _ in range(3):
            from_it, to_us = os.pipe()
            ours.callback(os.close, from_it)
            theirs.callback(os.close, to_us)
            kept.append(from_it)
            given.append(to_us)
        _order(words, environment, given, folder, variables)
        ours.pop_all()
    out, err, report = kept
    with trio.CancelScope(shield=True):  # the server says it as soon as it has forked
        await trio.lowlevel.wait_readable(report)
    pid = _number_in(report)
    os.set_blocking(report, False)
    return Forked(pid, None if writes is None else FdStream(writes), FdStream(out), FdStream(err), report)


def _number_in(report: int) -> int:
    """Read a line with a process id, and no more."""
    line = b""
    while not line.endswith(b"\n"):
        if not (byte := os.read(report, 1)):
            raise ChildProcessError("the fork server has ended")
        line += byte
    return int(line)


async def run_forked(
    words: Sequence[str],
    stdin: bytes,
    environment: Mapping[str, str],
    folder: Path | None = None,
    variables: Mapping[str, str] = NO_VARIABLES,
) -> subprocess.CompletedProcess[bytes]:
    """Run ``casino`` with these words to its end; kill it when cancelled."""
    process = await start_forked(words, environment, folder=folder, variables=variables)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = bytearray(), bytearray()
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_write, process.stdin, stdin)
            nursery.start_soon(_read, process.stdout, out)
            nursery.start_soon(_read, process.stderr, err)
            code = await process.wait()
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()
    return subprocess.CompletedProcess(words, code, bytes(out), bytes(err))


async def _write(stream: FdStream, data: bytes) -> None:
    async with stream:
        with suppress(trio.BrokenResourceError):
            await stream.send_all(data)


async def _read(stream: FdStream, into: bytearray) -> None:
    async with stream:
        async for data in stream:
            into += data

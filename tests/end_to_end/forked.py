"""Runs ``casino`` in a process that a fork server forks; it starts in a tenth of the time of a new Python."""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path

import trio


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


async def run_forked(
    words: Sequence[str], stdin: bytes, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    """Run ``casino`` with these words to its end; kill it when cancelled."""
    orders = _orders(tuple(environment.items()))
    reads, writes = zip(*(os.pipe() for _ in range(4)), strict=True)
    with ExitStack() as theirs:
        for descriptor in (reads[0], *writes[1:]):
            theirs.callback(os.close, descriptor)
        # A message and four descriptors are sent at once, or the server is gone.
        socket.send_fds(orders, [json.dumps([str(Path.cwd()), *words]).encode()], [reads[0], *writes[1:]])
    collected = [bytearray(), bytearray(), bytearray()]
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_write, writes[0], stdin)
            for descriptor, into in zip(reads[1:], collected, strict=True):
                nursery.start_soon(_read, descriptor, into)
    finally:
        out, err, report = map(bytes, collected)
        told = [int(number) for number in report.split()]
        if len(told) == 1:  # a process id, and no exit code
            os.kill(told[0], signal.SIGKILL)
    _, code = told
    return subprocess.CompletedProcess(words, code, out, err)


async def _write(descriptor: int, data: bytes) -> None:
    async with trio.lowlevel.FdStream(descriptor) as stream:
        with suppress(trio.BrokenResourceError):
            await stream.send_all(data)


async def _read(descriptor: int, into: bytearray) -> None:
    async with trio.lowlevel.FdStream(descriptor) as stream:
        async for data in stream:
            into += data

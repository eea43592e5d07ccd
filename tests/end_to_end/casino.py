"""The ``casino`` command in a process of its own, its output read as it comes."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import trio

from tests.end_to_end.forked import Forked, run_forked, start_forked
from tests.patience import PATIENCE

#: Where journals go that no test asked for; gone with this process.
_data = tempfile.TemporaryDirectory()

ENVIRONMENT = {
    **os.environ,
    "XDG_DATA_HOME": _data.name,
    "XDG_CONFIG_HOME": _data.name,
    "COLUMNS": "80",
    "PYTHONUNBUFFERED": "1",
}


def casino(*words: str | Path) -> list[str]:
    """The command line that runs ``casino`` with this Python."""
    return [sys.executable, "-m", "dealer.main", *map(str, words)]


def without_stalls(err: str) -> str:
    """Standard error but the lines about times in which the dealer stood still, as it may on a busy machine."""
    return "".join(line for line in err.splitlines(keepends=True) if 'event="stood still"' not in line)


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def complaint(self) -> list[str]:
        """The lines of standard error; there is never a traceback."""
        assert "Traceback" not in self.err, self.err
        return self.err.splitlines()


async def run(*words: str | Path, stdin: bytes = b"", **environment: str) -> Outcome:
    """Run ``casino`` to its end, in a forked process: to import its modules takes longer than most commands."""
    with trio.fail_after(PATIENCE):
        done = await run_forked([*map(str, words)], stdin, {**ENVIRONMENT, **environment})
    outcome = Outcome(done.returncode, done.stdout.decode(), without_stalls(done.stderr.decode()))
    assert "Traceback" not in outcome.out + outcome.err, outcome.out + outcome.err
    return outcome


async def verified_league(journal: Path, *words: str) -> dict[str, Any]:
    """The results of a league that ended well, and whose journal is right."""
    outcome = await run("league", *words, "--seed", "x", "--limit", "60", "--json", "--journal", journal)
    assert (outcome.code, outcome.complaint) == (0, [])
    verdict = await run("verify", journal)
    assert (verdict.code, verdict.complaint) == (0, [])
    facts: dict[str, Any] = json.loads(outcome.out)
    return facts


@dataclass
class Running:
    """A run under way.

    Attributes:
        out: the lines of standard output so far.
        err: the bytes of standard error so far.
    """

    process: trio.Process | Forked
    out: list[str] = field(default_factory=list)
    err: bytes = b""
    _more: trio.Event = field(default_factory=trio.Event)

    async def line_with(self, text: str) -> str:
        """Wait for a line of standard output that holds ``text``."""
        while True:
            for line in self.out:
                if text in line:
                    return line
            await self._more.wait()

    async def complaint_with(self, text: str) -> None:
        """Wait until standard error holds ``text``."""
        while text not in self.err.decode():
            await self._more.wait()

    async def port(self, what: str = "address") -> int:
        """The port that the line about ``what`` announces."""
        words = (await self.line_with(what)).replace(")", " ").split()
        return int(words[words.index("port") + 1])

    def children(self) -> list[psutil.Process]:
        """Every process this one has started, and theirs."""
        return psutil.Process(self.process.pid).children(recursive=True)

    async def ended(self) -> Outcome:
        code = await self.process.wait()
        while self.process.stdout is not None or self.process.stderr is not None:
            await self._more.wait()
        outcome = Outcome(code, "\n".join(self.out), without_stalls(self.err.decode()))
        assert "Traceback" not in outcome.out + outcome.err, outcome.out + outcome.err
        return outcome

    async def read_out(self) -> None:
        rest = b""
        assert self.process.stdout is not None
        async with self.process.stdout as stream:
            async for data in stream:
                *lines, rest = (rest + data).split(b"\n")
                self.out += [line.decode() for line in lines]
                self._tell()
        self.out += [rest.decode()] if rest else []
        self.process.stdout = None
        self._tell()

    async def read_err(self) -> None:
        assert self.process.stderr is not None
        async with self.process.stderr as stream:
            async for data in stream:
                self.err += data
                self._tell()
        self.process.stderr = None
        self._tell()

    def _tell(self) -> None:
        self._more.set()
        self._more = trio.Event()


@asynccontextmanager
async def start(
    *words: str | Path,
    stdin: int = subprocess.PIPE,
    command: Sequence[str] | None = None,
    patience: float = PATIENCE,
    **environment: str,
) -> AsyncIterator[Running]:
    """Start ``casino``, and kill it if it still runs at the end of the block; fail if that takes too long.

    It is a forked process, unless it needs a command or an environment of its own.
    """
    with trio.fail_after(patience):
        process = (
            await trio.lowlevel.open_process(
                command or casino(*words),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**ENVIRONMENT, **environment},
            )
            if command or environment
            else await start_forked([*map(str, words)], ENVIRONMENT, stdin)
        )
        running = Running(process)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(running.read_out)
                nursery.start_soon(running.read_err)
                yield running
                nursery.cancel_scope.cancel()
        finally:
            if process.poll() is None:
                process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()
            if process.stdin is not None:
                await process.stdin.aclose()

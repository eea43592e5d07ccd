"""A dealer with hundreds of house bots at its tables, each in a process as users start it."""

import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

from tests.end_to_end.browser import line_with, started
from tests.end_to_end.casino import casino
from tests.end_to_end.hosted import PORTS

PLAYERS = 200
TABLE_SIZE = 8

#: A show so long that its pace hardly changes while it is measured, in minutes.
SHOW = ("--show", "60", "--stack", "500")

#: As fast as it goes; nobody goes out.
FAST = ("--fast", "--stack", "1000000000")


@dataclass(frozen=True)
class Crowd:
    """A tournament under way.

    Attributes:
        url: of its page.
        port: of the page.
        dealer: the dealer's process.
    """

    url: str
    port: int
    dealer: psutil.Process

    def share(self, seconds: float) -> float:
        """The share of a core that the dealer needs, measured for so long."""
        before, began = self._cpu(), time.perf_counter()
        time.sleep(seconds)
        return (self._cpu() - before) / (time.perf_counter() - began)

    def _cpu(self) -> float:
        times = self.dealer.cpu_times()
        return times.user + times.system


def module(name: str, *words: int) -> list[str]:
    """The command line that runs a module of this package."""
    return [sys.executable, "-P", "-m", f"tests.end_to_end.reach.{name}", *map(str, words)]


@contextmanager
def crowded(
    tempo: Sequence[str], players: int = PLAYERS, *, people: int = 0, table_size: int = TABLE_SIZE
) -> Iterator[Crowd]:
    """A tournament of stud for so many house bots, and for ``people`` who come in browsers."""
    limits = ("--per-address", "512", "--connects", "512", "--limit", "60", "--people", "5", "--people-port", "0")
    size = ("--seats", str(players + people), "--table-size", str(table_size), "--hands", "1000000")
    command = casino("serve", "stud", *PORTS, "--page-port", "0", "--seed", "reach", *limits, *size, *tempo)
    with started(command) as dealer:
        port = line_with(dealer, "address 127.0.0.1").split()[-1]
        url = line_with(dealer, "For browsers").split()[-1]
        with started(module("house_players", int(port), players)):
            found = re.search(r":(\d+)/", url)
            assert found is not None
            yield Crowd(url, int(found[1]), psutil.Process(dealer.pid))

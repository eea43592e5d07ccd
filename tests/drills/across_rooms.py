"""The real dealer in one room and players in both."""

import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bad_bots.peer import Peer
from tests.dealer.support.raw_records import read_raw
from tests.drills.rooms import Room
from tests.end_to_end.casino import Outcome, Running, casino, start

LOOPBACK = "127.0.0.1"


@dataclass
class Host:
    """A dealer under way, and who plays there."""

    running: Running
    port: int
    journal: Path
    _open: AsyncExitStack
    _arrived: int = 0

    async def add_bots(self, room: Room, address: str, *names: str) -> None:
        """Start house bots in ``room``, one after the other is here; ids count from ``bot-1`` on."""
        for name in names:
            id = f"bot-{self._arrived + 1}"
            words = casino("bot", name, address, str(self.port), "--id", id, "--avatar", id, "--seed", id)
            await self._open.enter_async_context(start(command=room.command(*words)))
            await self._next_arrived()

    async def add_peer(self, room: Room, address: str, port: int) -> Peer:
        """Log in a program in ``room`` whose moves the test makes; its id is ``peer``."""
        peer = Peer(await self._open.enter_async_context(await room.connect(address, port)))
        await peer.log_in("peer:Peer")
        await self._next_arrived()
        return peer

    async def _next_arrived(self) -> None:
        self._arrived += 1
        await self.running.line_with(f"({self._arrived} here)")

    async def ended(self) -> Outcome:
        """Wait for the end of the tournament, which is a good one whatever the network did."""
        outcome = await self.running.ended()
        assert outcome.code == 0
        return outcome


@asynccontextmanager
async def open_host(room: Room, journal: Path, seats: int, *flags: str) -> AsyncIterator[Host]:
    """``casino serve stud`` in ``room``; it starts when ``seats`` players are there."""
    words = (
        "serve",
        "stud",
        "--no-page",
        "--port",
        "0",
        "--line-port",
        "0",
        "--seed",
        "drill",
        "--seats",
        str(seats),
        *flags,
    )
    command = room.command(*casino(*words, "--journal", journal))
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(start(command=command, stdin=subprocess.DEVNULL))
        yield Host(running, await running.port(), journal, stack)


@dataclass(frozen=True)
class Decision:
    """One question that a journal tells of.

    Attributes:
        hand: its number.
        seconds: until the reply; None if there was none.
        fault: its kind and reason, if it was one.
    """

    hand: int
    seconds: float | None
    fault: tuple[str, str] | None = None


def decisions(journal: Path) -> dict[str, list[Decision]]:
    """What each player was asked, in order, and what came of it."""
    start, *records = read_raw(journal)
    ids = [player["id"] for player in start["players"]]
    found: dict[str, list[Decision]] = {id: [] for id in ids}
    for record in records:
        if record["type"] == "hand":
            for seat, decision in _decisions_of(record):
                found[ids[record["players"][seat]]].append(decision)
    return found


def _decisions_of(record: Any) -> list[tuple[int, Decision]]:
    """Who decided what in one hand. Nobody has two faults in it: the first one folds."""
    faults = {seat: (kind, reason) for seat, kind, reason in record["faults"]}
    return [
        (
            seat,
            Decision(record["hand"], None, faults.get(seat))
            if micros is None
            else Decision(record["hand"], micros / 1e6),
        )
        for seat, _, micros in record["actions"]
    ]


def faults(journal: Path) -> dict[str, list[tuple[str, str]]]:
    """Kind and reason of every fault, by player; those without any are left out."""
    found = {id: [each.fault for each in asked if each.fault] for id, asked in decisions(journal).items()}
    return {id: some for id, some in found.items() if some}

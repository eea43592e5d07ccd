"""Leagues whose dealer is killed again and again and played on each time.

It is killed at moments drawn by lot, or by its players, at moves, levels, rounds and hands that have just begun.
"""

import shlex
import subprocess
import sys
import time
import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import psutil
import trio

from tests.drills.killer import STACK
from tests.drills.plan import SEED, chance
from tests.drills.surviving import Evidence, check_chips_and_numbers, check_heard, examine, written
from tests.end_to_end.casino import Running, run, start
from tests.patience import PATIENCE

HOUSE = (
    *("caller", "tight", "maniac", "random", "pair-or-fold"),
    *("caller", "tight", "maniac", "random", "stud"),
)
RECORDERS = ("recorder-1", "recorder-2")
RECORDER = Path(__file__).with_name("recorder.py")
#: The environment variable by which every process of a drill, and whatever that started, is found again.
MARK = "CASINO_DRILL"

#: When a dealer may be killed; "changed" is as soon as its journal has become longer, or a torn end was cut off.
MOMENTS = ("starting", "changed", "logging in", "playing", "playing")

#: About how long a dealer is busy with itself after it was started; then bots log in.
STARTED_SECONDS = 1.2

#: How far the journal grows until a dealer is killed at play, at most: some 40 hands.
BYTES_PLAYED = 12_000

#: So many hands before the end a recorder gives no more replies, so that no league at one table ends before its dealer
#: is killed, however late a busy machine lets the drill kill it. First it plays enough hands for ``BYTES_PLAYED``.
HANDS_HELD, HANDS_PLAYED = 5, 60

POLL_SECONDS = 0.001


@dataclass
class LeagueDrill:
    """One league and its journal.

    Attributes:
        seed: of this drill; its chance depends on that of all drills, too.
        agreed: flags that say what else is agreed.
        found: what is known of the journal.
        kills: how often each kind of moment was drawn.
        torn: bytes of each torn end that a kill left.
        bitten: bytes of each torn end that the drill made itself.
        tails: the torn ends, that must be kept somewhere.
        resumed: seconds from each start of a dealer that plays on to its first record.
        heard: how often a recorder heard how a hand ended.
        restarts: leagues that were killed before they had begun, and started anew.
    """

    folder: Path
    hands: int
    stack: int
    seed: int
    agreed: tuple[str, ...] = ()
    found: Evidence = field(init=False)
    kills: Counter[str] = field(default_factory=Counter)
    torn: list[int] = field(default_factory=list)
    bitten: list[int] = field(default_factory=list)
    tails: list[bytes] = field(default_factory=list)
    resumed: list[float] = field(default_factory=list)
    heard: int = 0
    restarts: int = 0

    def __post_init__(self) -> None:
        self.journal = self.folder / "drill.journal"
        self.notes = self.folder / "notes"
        self.notes.mkdir()
        self._hold = self.folder / "hold-after"
        self._rng = chance(self.seed)
        self._mark = uuid.uuid4().hex
        self.found = examine(self.journal)

    @property
    def words(self) -> list[str]:
        """The command that goes on from what there is."""
        if self.found.whole:
            return ["resume", str(self.journal)]
        flags = ["--hands", str(self.hands), "--stack", str(self.stack), "--journal", str(self.journal)]
        return [
            "league",
            "stud",
            *self.bots,
            *flags,
            *self.agreed,
            "--limit",
            "600",
            "--seed",
            f"{SEED}/{self.seed}",
        ]

    @property
    def bots(self) -> list[str]:
        return [*HOUSE, *(self._guest(RECORDER, id) for id in RECORDERS)]

    def _guest(self, program: Path, id: str) -> str:
        """The flag that starts a program of the drill."""
        return f"--bot-cmd={shlex.join([sys.executable, str(program), '{host}', '{port}', id, str(self.notes)])}"

    async def kill_once(self) -> None:
        """Start or resume, kill at some moment, and look at what is left."""
        moment = self._draw_moment()
        size = self._size()
        self._hold.write_text(str(max(self.hands - len(self.found.hands) - HANDS_HELD, HANDS_PLAYED)))
        async with start(*self.words, stdin=subprocess.DEVNULL, CASINO_DRILL=self._mark) as running:
            began = time.monotonic()
            await self._wait_for(moment, size, running, began)
            running.process.kill()
            await running.process.wait()
        self._hold.unlink()
        self.kills[moment] += 1
        await self._see_all_ended()
        self._examine()
        self._bite()

    def _draw_moment(self) -> str:
        """When the dealer is killed next."""
        first = ("starting", "playing")[self.kills.total() :][:1]
        return first[0] if first else self._rng.choice(MOMENTS)

    async def play_to_the_end(self) -> None:
        """Resume for the last time."""
        outcome = await run(*self.words)
        assert outcome.code == 0, outcome.err
        await self._see_all_ended()
        self._examine()
        assert self.found.rebuild.ended
        assert self.found.torn == b""
        kept = [path.read_bytes() for path in self.folder.glob("*.torn-*")]
        assert all(tail in kept for tail in self.tails)
        verified = await run("verify", self.journal)
        assert verified.code == 0, verified.err
        assert verified.out.startswith("OK: ")

    async def _wait_for(self, moment: str, size: int, running: Running, began: float) -> None:
        match moment:
            case "starting":
                await trio.sleep(self._rng.uniform(0, STARTED_SECONDS))
            case "logging in":
                sessions = set(self.notes.iterdir())
                while set(self.notes.iterdir()) == sessions:
                    await self._poll(running)
                await trio.sleep(self._rng.uniform(0, STARTED_SECONDS))
            case "changed":
                while self._size() == size:
                    await self._poll(running)
            case "playing":
                while self._size() <= len(self.found.whole) or (self.found.torn and self._size() == size):
                    await self._poll(running)
                if self.found.whole:
                    self.resumed.append(time.monotonic() - began)
                enough = self._size() + self._rng.uniform(0, BYTES_PLAYED)
                while self._size() < enough:
                    await self._poll(running)
                await trio.sleep(self._rng.uniform(0, 0.01))

    @staticmethod
    async def _poll(running: Running) -> None:
        assert running.process.poll() is None, f"ended before it was killed: {running.err.decode()}"
        await trio.sleep(POLL_SECONDS)

    def _size(self) -> int:
        return written(self.journal)

    async def _see_all_ended(self) -> None:
        """Nothing that the dealer has started outlives it for long."""
        processes = [
            process
            for process in psutil.process_iter(["environ"])
            if (process.info["environ"] or {}).get(MARK) == self._mark
        ]
        _, alive = await trio.to_thread.run_sync(psutil.wait_procs, processes, PATIENCE)
        left = [process.cmdline() for process in alive]
        assert not left, f"still there {PATIENCE:g} s after their dealer was killed: {left}"

    def _examine(self) -> None:
        before, self.found = self.found, examine(self.journal)
        assert self.found.whole.startswith(before.whole)
        if self.found.whole:
            if self.found.torn and self.found.torn != before.torn:
                self.torn.append(len(self.found.torn))
                self.tails.append(self.found.torn)
            check_chips_and_numbers(self.found)
            self.heard += check_heard(self.notes.iterdir(), self.found, len(before.hands))
        else:
            self.journal.unlink(missing_ok=True)
            self.restarts += 1
        for path in self.notes.iterdir():
            path.unlink()

    def _bite(self) -> None:
        """Now and then, do what a power failure does: leave part of a batch behind the last whole one."""
        if self.found.torn or not self.found.hands or self._rng.random() < 0.6:
            return
        batch = self.found.whole[: self._rng.randrange(1, 500)]
        tail = self._rng.choice([batch, bytes(len(batch)), self._rng.randbytes(len(batch))])
        with self.journal.open("r+b") as file:
            file.seek(len(self.found.whole))
            file.write(tail)
        self.found = examine(self.journal)
        assert self.found.torn == tail.rstrip(b"\0")
        self.bitten.append(len(tail))
        self.tails += [self.found.torn] if self.found.torn else []

    def report(self) -> str:
        counts = self.found.counts
        seconds = sorted(self.resumed) or [float("nan")]
        bots = len(HOUSE) + len(RECORDERS)
        return "\n".join(
            [
                f"kills            {self.kills.total()}: "
                + ", ".join(f"{count} {moment}" for moment, count in sorted(self.kills.items())),
                f"before any hand  {self.restarts} (started anew)",
                f"hands finished   {counts['hand']}; {self.heard} times a recorder heard of one what the journal says",
                f"hands voided     {counts['void']} in {counts['resume']} resumes; out {counts['out']}",
                f"torn by kills    {len(self.torn)} {self.torn}",
                f"torn by drill    {len(self.bitten)}, {sum(self.bitten)} bytes",
                f"s to resume      median {median(seconds):.2f}, longest {seconds[-1]:.2f} ({bots} bots started)",
            ]
        )


KILLER = Path(__file__).with_name("killer.py")
PLAYERS = 9

#: Small tables and quick levels, so that players move and sit down anew all the time.
RESTLESS = ("--table-size", "3", "--levels", "4", "--series", "3")


@dataclass
class PurposeDrill(LeagueDrill):
    """See ``LeagueDrill``. Its players also compare the cards of every life of their dealer.

    Attributes:
        unfinished: for each id the first questions of hands that a dealer's death ended.
        compared: how many first questions were compared with those.
    """

    unfinished: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    compared: int = 0

    @property
    def bots(self) -> list[str]:
        return [self._guest(KILLER, f"killer-{number}") for number in range(PLAYERS)]

    async def kill_at(self, change: str) -> None:
        """Start or resume, and let a player kill the dealer when ``change`` has just happened."""
        (self.folder / "kill-at").write_text(f"{change} {SEED}/{self.seed}/{self.kills.total()}")
        await self.kill_once()

    async def play_to_the_end(self) -> None:
        (self.folder / "kill-at").write_text("")
        await super().play_to_the_end()

    def _draw_moment(self) -> str:
        return (self.folder / "kill-at").read_text().split(" ")[0]

    async def _wait_for(self, moment: str, size: int, running: Running, began: float) -> None:
        with trio.fail_after(PATIENCE):
            await running.process.wait()

    def _examine(self) -> None:
        for path in self.notes.iterdir():
            self._compare(path.name.split(".")[0], path.read_text().splitlines())
        super()._examine()

    def _compare(self, id: str, heard: list[str]) -> None:
        """No player is asked the same first question again after its dealer's death."""
        first, under_way = None, None
        for line in heard:
            if line.startswith("StudTurn(") and under_way is None:
                under_way = line
                first = first or line
            elif line.startswith("Status("):
                under_way = None
        # Only the first hand of a life is compared, so that no cards are the same by chance.
        assert first not in self.unfinished[id], f"{id} was dealt the same cards twice: {first}"
        self.compared += bool(first and self.unfinished[id])
        if under_way is not None:
            self.unfinished[id].append(under_way)

    def _bite(self) -> None:
        """Nothing: what a kill at a question leaves is looked at as it is."""


def purpose_drill(folder: Path, seed: int) -> PurposeDrill:
    """A drill whose players move and sit down anew all the time."""
    return PurposeDrill(folder, hands=1000, stack=STACK, seed=seed, agreed=RESTLESS)

"""Run the workers of a bulk tournament, watch them, and play again without the calls in which an AI failed.

Each tournament of a series is played by one worker, because an AI keeps one memory of all its opponents. So the result
does not depend on the number of processes.

When an AI fails, its worker is gone and with it the memory of everybody. A new worker plays the tournament again from
the seed, up to the failed call, which it leaves out: that deal is void, and so are all later deals of that AI.
"""

import json
import os
import platform
import select
import socket
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from bots.bulk.chance import rand_seed, tournament_key
from bots.bulk.checkpoint import Checkpoint
from bots.bulk.compile import Compiled
from bots.bulk.failures import LOST, NO_AI, Failure, failure_of, place_of, read_report, reason_of
from bots.bulk.plan import BulkError, Inspection, MistakeError, Plan, most_memory
from bots.bulk.played import Played, PlayerMeasures
from bots.bulk.shared_page import DONE, LOADING, PLAYING, STARTING, SharedPage

if TYPE_CHECKING:
    from dealer.hosting.bulk_programs import BulkPrograms

#: Seconds between two looks at the workers.
LOOK_SECONDS = 0.05

_SANITIZED = "detect_leaks=0:handle_abort=1:detect_stack_use_after_return=1:fast_unwind_on_malloc=0"

_WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class Limits:
    """What makes an AI fail; what authors are told to keep below is far less (``standings.py``).

    Attributes:
        call_seconds: processor time of one call.
        init_seconds: processor time of Init.
        looks: at a worker that sleeps in a call.
    """

    call_seconds: float = 10.0
    init_seconds: float = 1200.0
    looks: int = 1200


#: Called with the rounds that are finished in all tournaments together, and whether one is played again.
Progress = Callable[[int, bool], None]


@dataclass
class _Run:
    """A tournament that is being played."""

    plan: Plan
    compiled: Compiled
    number: int
    folder: Path
    limits: Limits
    failures: dict[int, Failure]
    programs: "BulkPrograms | None" = None
    again: bool = False
    process: "subprocess.Popen[bytes]" = field(init=False)
    shared: SharedPage = field(init=False)
    _seen: tuple[int, ...] = ()
    _since: float = 0.0
    _looks: int = 0

    @property
    def sanitized(self) -> bool:
        """Whether sanitizers watch the authors' files."""
        return bool(self.compiled.sanitizers)

    def start(self) -> None:
        page = self.folder / f"page{self.number}"
        page.unlink(missing_ok=True)
        with ExitStack() as opened:
            file = opened.enter_context(page.open("w+b"))
            complaints = opened.enter_context((self.folder / f"complaints{self.number}").open("wb"))
            calls = self._open_calls(opened)
            parts = self.plan.inspection.parts if self.plan.inspection else 0
            self.shared = SharedPage(file, len(self.plan.entrants), self.plan.blocks, parts)
            orders = self.folder / f"plan{self.number}.json"
            orders.write_text(json.dumps(self._orders(file.fileno(), calls)))
            self.process = subprocess.Popen(
                [sys.executable, "-I", str(_WORKER), str(orders)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=complaints,
                pass_fds=[file.fileno(), *([calls] if calls >= 0 else [])],
                env=_environment(self.compiled),
            )

    def _open_calls(self, opened: ExitStack) -> int:
        """Open a socket on which the worker asks the programs; -1 if none play."""
        if self.programs is None:
            return -1
        ours, theirs = socket.socketpair()
        opened.enter_context(theirs)
        self.programs.answer(self.number, ours)
        return theirs.fileno()

    def _orders(self, page: int, calls: int) -> dict[str, object]:
        plan, seed = self.plan, self.plan.seed
        looked = plan.inspection or Inspection(0)
        never = plan.rounds * plan.deals_in_round
        failed = [self.failures.get(player, Failure(player, never, 0, "")) for player in range(len(plan.entrants))]
        return {
            "page": page,
            "programs": calls,
            "sanitized": self.sanitized,
            "watcher": os.getpid(),
            "driver": str(self.compiled.driver),
            "memory": most_memory(len(plan.entrants)),
            "rounds": plan.rounds,
            "blocks": plan.blocks,
            "timed_every": plan.timed_every,
            "key": tournament_key(seed, self.number),
            "action_parts": looked.parts,
            "replaced_opening": looked.replaced,
            "replaced_decisions": 0 if looked.replaced is None else looked.decisions,
            "coin": looked.coin,
            "failed_deals": [failure.deal for failure in failed],
            "failed_states": [failure.state for failure in failed],
            "players": [
                {
                    "kind": entrant.kind,
                    "path": self._path(player),
                    "rand": rand_seed(seed, self.number, player),
                }
                for player, entrant in enumerate(plan.entrants)
            ],
        }

    def _path(self, player: int) -> str:
        """The file that a worker loads for a player; empty for a program."""
        library, source = self.compiled.libraries[player], self.plan.entrants[player].source
        return str(library or (source.absolute() if source else ""))

    def take_failures(self) -> bool:
        """Take note of programs that have failed; whether there is a new one."""
        found = {} if self.programs is None else self.programs.failures(self.number)
        new = {player: one for player, one in found.items() if player not in self.failures}
        for player, one in new.items():
            self.failures[player] = Failure(player, one.deal, one.state, one.reason)
        return bool(new)

    def ended(self) -> bool:
        """Whether the worker has ended; a stuck one is ended first."""
        if self.process.poll() is None and (stuck := self._stuck()):
            self.process.kill()
            self.process.wait()
            self._fail(stuck)
            return True
        if self.process.poll() is None:
            return False
        if self.shared.page.stage != DONE:
            self._fail(reason_of(self.shared.page, self.process.returncode, platform.machine()))
        return True

    def _stuck(self) -> str:
        """In words, what the worker takes too long for; empty if it does not."""
        if self.programs is not None and self.programs.is_asking(self.number):
            self._looks = 0  # the dealer measures the time of a program
            return ""
        page = self.shared.page
        now = (page.stage, page.call, page.deal, page.round)
        try:
            process = psutil.Process(self.process.pid)
            times, status = process.cpu_times(), process.status()
        except psutil.NoSuchProcess:
            return ""
        used = times.user + times.system
        if now != self._seen:
            self._seen, self._since, self._looks = now, used, 0
            return ""
        most = self.limits.call_seconds if page.stage == PLAYING else self.limits.init_seconds
        if used - self._since > most:
            return f"a call did not return within {most:g} s"
        # It may wait for a processor, but in all its system calls that can wait it waits for itself alone.
        self._looks = self._looks + 1 if status == psutil.STATUS_SLEEPING else 0
        if self._looks > self.limits.looks:
            return "a call waits for something and does not return"
        return ""

    def _fail(self, reason: str) -> None:
        page = self.shared.page
        said = (self.folder / f"complaints{self.number}").read_text(errors="replace").strip()
        driver_failed = page.error.startswith(b"the kernel refused")
        if page.stage == STARTING or (page.stage == LOADING and driver_failed):
            raise BulkError(f"a worker process cannot play: {said or reason}")
        if page.stage == LOADING and self.process.returncode == NO_AI:
            raise BulkError(f"{self.plan.entrants[failure_of(page, reason).player].file.name} cannot play: {reason}")
        if self.programs is not None and self.process.returncode == LOST:
            raise BulkError("a worker process cannot play: the programs are not asked any more")
        failure = failure_of(page, reason)
        if self.sanitized:
            raise MistakeError(self._mistake(failure, said))
        # A call that fails earlier than in the last run: an AI that does not only depend on what it is told.
        self.failures[failure.player] = failure
        self.again = True

    def _mistake(self, failure: Failure, said: str) -> str:
        """A failure of an AI that sanitizers watch, in words, with the lines of their report that matter."""
        entrants = self.plan.entrants
        place = place_of(failure, tournament_key(self.plan.seed, self.number), [one.name for one in entrants])
        report = read_report(said, entrants[failure.player].file)
        if report is None:
            return f"{entrants[failure.player].file.name}: {failure.reason}\n{place}"
        return "\n".join([report.sentence, place, "", "from the report of the sanitizer:", *report.lines])

    def result(self) -> Played:
        """The result of a tournament that was played to its end."""
        self.take_failures()
        measures = [self._measures(player) for player in range(len(self.plan.entrants))]
        if self.programs is not None:
            for player, one in self.programs.end(self.number).items():
                measures[player] = PlayerMeasures.of_program(one.name, one.replies, one.reply_seconds)
        failures = sorted(self.failures.values(), key=lambda failure: failure.deal)
        seconds = self.shared.page.play_nanoseconds / 1e9
        actions = bytes(self.shared.actions)
        return Played(self.number, tuple(self.shared.chips), tuple(measures), tuple(failures), seconds, actions)

    def _measures(self, player: int) -> PlayerMeasures:
        one = self.shared.page.players[player]
        native = self.plan.entrants[player].kind != "python"
        return PlayerMeasures(
            one.name.decode(errors="replace"),
            one.short_name.decode(errors="replace"),
            one.static_memory + one.heap_peak if native else None,
            one.init_nanoseconds / 1e9,
            one.timed_calls,
            one.timed_nanoseconds / 1e9,
            one.slow_calls,
            one.srand_calls,
        )


def _environment(compiled: Compiled) -> dict[str, str]:
    """Foreign code is told nothing of this machine.

    A worker with sanitizers runs without limits and without the filter of system calls: their report reads files.
    """
    told = {"PATH": os.environ.get("PATH", ""), "PYTHONHASHSEED": "0"}
    if compiled.sanitizers:
        told["LD_PRELOAD"] = ":".join(map(str, compiled.sanitizers))
        told["ASAN_OPTIONS"] = _SANITIZED
        told["UBSAN_OPTIONS"] = "print_stacktrace=1"
    return told


def play_series(
    plan: Plan,
    compiled: Compiled,
    jobs: int,
    progress: Progress,
    limits: Limits = Limits(),
    checkpoint: Checkpoint | None = None,
    programs: "BulkPrograms | None" = None,
    numbers: Sequence[int] | None = None,
) -> list[Played]:
    """Play the tournaments of the series, up to ``jobs`` of them at a time.

    Args:
        compiled: its driver and players.
        progress: is called at every look.
        limits: what makes an AI fail.
        checkpoint: knows what was played before, and is told what is finished; None keeps nothing.
        programs: asks the programs over TCP; None if none play.
        numbers: of the tournaments that are wanted; all if None.

    Raises:
        BulkError: a worker cannot play at all, a file holds no AI, or the checkpoint cannot be written.
        MistakeError: an AI failed that was compiled with sanitizers.
    """
    known = checkpoint or Checkpoint.nowhere()
    wanted = range(plan.series) if numbers is None else numbers
    waiting = deque(number for number in wanted if number not in known.finished)
    running: list[_Run] = []
    with tempfile.TemporaryDirectory(prefix="casino-") as folder, _ended_at_last(running):
        while waiting or running:
            while waiting and len(running) < jobs:
                number = waiting.popleft()
                run = _Run(plan, compiled, number, Path(folder), limits, known.failures_of(number), programs)
                run.start()
                running.append(run)
            _wait(running)
            for run in running:
                if run.take_failures():
                    known.fail(run.number, run.failures)
            for run in [run for run in running if run.ended()]:
                if run.shared.page.stage == DONE:
                    known.finish(run.result())
                    running.remove(run)
                else:
                    known.fail(run.number, run.failures)
                    run.start()
            rounds = len(known.finished) * plan.rounds + sum(run.shared.page.round for run in running)
            progress(rounds, any(run.again for run in running))
    return [known.finished[number] for number in wanted]


def _wait(running: Sequence[_Run]) -> None:
    """Wait until a worker has ended, or ``LOOK_SECONDS``."""
    poll = select.poll()
    ends = [os.pidfd_open(run.process.pid) for run in running]
    try:
        for end in ends:
            poll.register(end, select.POLLIN)
        poll.poll(LOOK_SECONDS * 1000)
    finally:
        for end in ends:
            os.close(end)


@contextmanager
def _ended_at_last(running: Sequence[_Run]) -> Iterator[None]:
    """End all workers that still run when the block is left."""
    try:
        yield
    finally:
        for run in running:
            run.process.kill()
            run.process.wait()

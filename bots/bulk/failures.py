"""How an AI failed, in words, from how its worker process ended."""

import signal
from dataclasses import dataclass
from itertools import combinations

from bots.bulk.chance import deal
from bots.bulk.shared_page import LOADING, PREPARING, Page

#: System calls that AIs try although they are forbidden, with their numbers on x86-64 and on 64-bit ARM.
_CALLS = {
    "read a file": ((0,), (63,)),
    "wrote to a file": ((1,), (64,)),
    "opened a file": ((2, 85, 257), (56,)),
    "deleted a file": ((87, 263), (35,)),
    "renamed a file": ((82, 264, 316), (38, 276)),
    "made a folder": ((83, 258), (34,)),
    "opened a socket": ((41,), (198,)),
    "started a process or a thread": ((56, 57, 58, 435), (220, 435)),
    "started a program": ((59, 322), (221, 281)),
    "sent a signal": ((62,), (129,)),
    "changed how it takes signals": ((13,), (134,)),
    "slept": ((34, 35, 230), (101, 115)),
    "asked the system for random numbers": ((318,), (278,)),
    "made memory executable, or placed it over other memory": ((9, 10, 25, 329), (222, 226, 216, 288)),
}

#: Their column above.
_MACHINES = {"x86_64": 0, "aarch64": 1}

_NO_MEANING = "it ran into code that has no meaning (a function that ends without a return, for example)"
_TO_FIND = "--sanitize names the line"
_NOT_ITS_OWN = (
    f"it used memory that is not its own (an index outside an array, a null pointer, endless recursion): {_TO_FIND}"
)

_SIGNALS = {
    signal.SIGSEGV: _NOT_ITS_OWN,
    signal.SIGBUS: _NOT_ITS_OWN,
    signal.SIGFPE: "it divided by zero",
    signal.SIGILL: _NO_MEANING,
    signal.SIGTRAP: _NO_MEANING,
    signal.SIGABRT: f"it was aborted (an exception that nobody caught, a failed assert, or a damaged heap): {_TO_FIND}",
    signal.SIGKILL: "the system stopped it, perhaps because memory ran out",
}

#: Exit code of a worker whose programs are not asked any more (LOST in cpp/programs.h).
LOST = 4

#: Exit code of a worker that was given a file without an AI (NO_AI in cpp/driver.cpp).
NO_AI = 5

_STATES = ("deciding as first", "deciding as second", "told of a fold as first", "told of a fold as second",
           "told of a showdown as first", "told of a showdown as second")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Failure:
    """A call in which an AI failed. That deal and all its later ones are void.

    Attributes:
        player: its id.
        deal: the number of the deal, or -1 for Init and what runs before it.
        state: what the AI was called with; 0 before the first deal.
        reason: in words.
    """

    player: int
    deal: int
    state: int
    reason: str


def failure_of(page: Page, reason: str) -> Failure:
    """The failure of the AI that was called last."""
    player, state = divmod(page.call, 8)
    before = page.stage in (LOADING, PREPARING)
    return Failure(player, -1 if before else page.deal, 0 if before else state, reason)


def reason_of(page: Page, code: int, machine: str) -> str:
    """Why a worker ended before its tournament did.

    Args:
        page: its memory.
        code: its exit code; a signal as a negative number.
        machine: as ``platform.machine`` says it.
    """
    if page.system_call >= 0:
        return f"it {_tried(page.system_call, machine)}, which is forbidden"
    if page.error:
        return page.error.decode(errors="replace")
    if code >= 0:
        return f"it ended the program (exit code {code})"
    return _SIGNALS.get(signal.Signals(-code), f"it was ended by {signal.Signals(-code).name}")


def _tried(number: int, machine: str) -> str:
    column = _MACHINES[machine]
    named = (words for words, numbers in _CALLS.items() if number in numbers[column])
    return next(named, f"made the system call {number}")


def place_of(failure: Failure, key: int, names: list[str]) -> str:
    """Where it happened: the round, the opponent, and the deal, from which it can be played again."""
    if failure.deal < 0:
        return "before the first deal"
    pairs = list(combinations(range(len(names)), 2))
    number, pair = divmod(failure.deal, len(pairs))
    opponent = sum(pairs[pair]) - failure.player
    dealt = deal(key, failure.deal)
    die = (dealt.first, dealt.second)[failure.state % 2]
    return (
        f"in round {number + 1:,} against {names[opponent]} (op {opponent}), b {dealt.b}, own die {die}, "
        f"state {failure.state} ({_STATES[failure.state]})"
    )

"""How an AI failed, in words: from how its worker process ended, and from what sanitizers say of its memory."""

import re
import signal
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

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
        column = _MACHINES[machine]
        named = (words for words, numbers in _CALLS.items() if page.system_call in numbers[column])
        return f"it {next(named, f'made the system call {page.system_call}')}, which is forbidden"
    if page.error:
        return page.error.decode(errors="replace")
    if code >= 0:
        return f"it ended the program (exit code {code})"
    return _SIGNALS.get(signal.Signals(-code), f"it was ended by {signal.Signals(-code).name}")


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


# What the compiler's sanitizers found in an author's file

#: Lines of a report that are shown at most, and calls in each of its lists.
_LINES, _LISTED = 12, 3

#: What AddressSanitizer calls mistakes, in words; ``%s`` is what the code does.
_MISTAKES = {
    "global-buffer-overflow": "it %s memory outside an array or variable",
    "heap-buffer-overflow": "it %s memory outside an array from new or malloc",
    "stack-buffer-overflow": "it %s memory outside a local array or variable",
    "stack-buffer-underflow": "it %s memory before a local array or variable",
    "dynamic-stack-buffer-overflow": "it %s memory outside a local array",
    "container-overflow": "it %s memory outside a container of the C++ library",
    "heap-use-after-free": "it %s memory that it has freed",
    "stack-use-after-return": "it %s a local variable of a function that has returned",
    "stack-use-after-scope": "it %s a local variable of a block that has ended",
    "double-free": "it frees memory that it has freed before",
    "bad-free": "it frees memory that was never allocated",
    "alloc-dealloc-mismatch": "it frees memory in another way than it was allocated (new goes with delete, new[] with "
    "delete[], malloc with free)",
    "stack-overflow": "it calls functions within functions without end, or its local arrays are too large",
    "SEGV": "it uses memory that is not its own, by a wild pointer or an index far outside an array",
    "BUS": "it uses memory that is not its own, by a wild pointer or an index far outside an array",
    "FPE": "it divides by zero",
    "ILL": "it runs into code that has no meaning (a function that ends without a return, for example)",
    "ABRT": "it is aborted (an exception that nobody catches, or a failed assert)",
}
_SAID_OTHERWISE = {"attempting double-free": "double-free", "attempting free": "bad-free"}


@dataclass(frozen=True, slots=True)
class Report:
    """What the sanitizers found.

    Attributes:
        sentence: the file, the line, and what is wrong there.
        lines: of their report, those that matter.
    """

    sentence: str
    lines: tuple[str, ...]


def read_report(text: str, source: Path) -> Report | None:
    """Read what a worker wrote to standard error before it ended; None if the sanitizers found nothing.

    Args:
        source: the author's file.
    """
    what = _index(text) or _address(text)
    if what is None:
        return None
    folder = str(source.absolute().parent) + "/"
    call = re.search(rf"#\d+ 0x\w+ in (.+?) {re.escape(folder)}(\S+?):(\d+)", text)
    place = f"{call[2]}, line {call[3]}, in {call[1].partition('(')[0]}" if call else source.name
    return Report(f"{place}: {what}", tuple(_that_matter(text, folder)))


def _index(text: str) -> str | None:
    """An index outside an array, in words."""
    found = re.search(r"runtime error: index (-?\d+) out of bounds for type '(.*)'", text)
    if found is None:
        return None
    length = re.search(r"\[(\d+)\]", found[2])
    last = f", whose last index is {int(length[1]) - 1}" if length else ""
    return f"it uses index {found[1]} of an array of type {found[2]}{last}"


def _address(text: str) -> str | None:
    """What AddressSanitizer or the C++ library found, in words."""
    if found := re.search(r"(\S+:\d+): .*?: Assertion '(.*)' failed", text):
        return f"it uses an index outside a container, or an empty one (the C++ library expects {found[2]})"
    found = re.search(r"ERROR: AddressSanitizer: ((?:attempting )?\S+)", text)
    if found is None:
        return None
    kind = _SAID_OTHERWISE.get(found[1], found[1])
    if kind == "SEGV" and "points to the zero page" in text:
        return "it uses a null pointer"
    does = "writes to" if re.search(r"^WRITE of size", text, re.MULTILINE) else "reads"
    said = _MISTAKES.get(kind, f"AddressSanitizer calls it {kind}").replace("%s", does)
    variable = re.search(r"global variable '(\S+)' defined in '\S+?:(\d+)[:\d]*'|'(\S+)' \(line (\d+)\) <==", text)
    if variable is None:
        return said
    return f"{said}, next to '{variable[1] or variable[3]}' of line {variable[2] or variable[4]}"


def _that_matter(text: str, folder: str) -> list[str]:
    """The lines of a report that tell an author something."""
    kept: list[str] = []
    calls = 0
    for line in map(str.strip, text.splitlines()):
        if line.startswith("#"):
            calls += folder in line
            if folder in line and calls <= _LISTED:
                kept.append(re.sub(r"0x\w+ in ", "", line))
        elif re.search(
            r"runtime error:|Assertion|ERROR: Add|^(READ|WRITE) of|is located|(allocated|freed) by|<==|what\(\):", line
        ):
            calls = 0
            kept.append(line)
    return kept[:_LINES]

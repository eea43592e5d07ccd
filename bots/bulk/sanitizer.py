"""Let the compiler's sanitizers watch the memory of an author's own AI, and say in words what they found.

A worker with them runs without limits and without the filter of system calls: their report reads files.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

#: Lines of a report that are shown at most, and calls in each of its lists.
_LINES, _CALLS = 12, 3

_OPTIONS = "detect_leaks=0:handle_abort=1:detect_stack_use_after_return=1:fast_unwind_on_malloc=0"

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


def environment_of(libraries: Sequence[Path]) -> dict[str, str]:
    """Environment variables of a process that loads code compiled for the sanitizers.

    Args:
        libraries: that must be loaded first.
    """
    return {
        "LD_PRELOAD": ":".join(map(str, libraries)),
        "ASAN_OPTIONS": _OPTIONS,
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


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
            if folder in line and calls <= _CALLS:
                kept.append(re.sub(r"0x\w+ in ", "", line))
        elif re.search(
            r"runtime error:|Assertion|ERROR: Add|^(READ|WRITE) of|is located|(allocated|freed) by|<==|what\(\):", line
        ):
            calls = 0
            kept.append(line)
    return kept[:_LINES]

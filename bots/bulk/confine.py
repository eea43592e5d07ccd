"""Run a compiler on an author's file where it sees little of the machine and cannot use it up.

The compiler reads whatever a file includes, and some files keep it busy without end. In bubblewrap it sees the system's
programs and headers, the author's file with the headers beside it, and one folder for what it makes. Its memory, its
processor time and the size of its files are limited everywhere.
"""

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from dealer.sandbox.sandbox import system_folders

#: Limits of each process of a compiler: bytes of memory, seconds of processor time, bytes of a file.
MEMORY = 2 << 30
SECONDS = 120
FILE = 256 << 20

#: Endings of files that an author's file may include from its own folder.
_HEADERS = (".h", ".hh", ".hpp", ".hxx")

# In kilobytes, seconds and blocks of 512 bytes, as POSIX has them.
_LIMITED = f'ulimit -v {MEMORY >> 10}; ulimit -t {SECONDS}; ulimit -f {FILE >> 9}; ulimit -c 0; exec "$@"'

#: What compilers say when they run into a limit.
_EXHAUSTED = ("out of memory", "virtual memory exhausted", "Cannot allocate memory", "Killed signal terminated",
              "CPU time limit exceeded", "File size limit exceeded", "File too large")  # fmt: skip


def limited(command: Sequence[str]) -> list[str]:
    """The command with the limits."""
    return ["sh", "-c", _LIMITED, "sh", *command]


def confined(command: Sequence[str], sees: Sequence[Path], makes: Path) -> list[str]:
    """The command with the limits, in bubblewrap if this machine has it.

    Args:
        sees: files and folders that it may read beside the system's; absolute.
        makes: a folder that it may write into; absolute.
    """
    if not can_confine():
        return limited(command)
    shown = [word for path in sees for word in ("--ro-bind", str(path), str(path))]
    return [*_empty(), *shown, "--bind", str(makes), str(makes), "--chdir", str(makes), "--", *limited(command)]


def readable(source: Path) -> list[Path]:
    """An author's file, and the headers beside it, without links that lead out of its folder."""
    return [source.absolute(), *(path for path in _headers(source) if not leads_out(path))]


def left_out(source: Path) -> str:
    """What to add to the words of a compiler that was not shown some headers; empty if it was."""
    links = [path.name for path in _headers(source) if can_confine() and leads_out(path)]
    return f"\nthe compiler is not shown links to files of other folders: {', '.join(links)}" if links else ""


def _headers(source: Path) -> list[Path]:
    folder = source.absolute().parent
    return sorted(path for path in folder.iterdir() if path.suffix in _HEADERS and path.is_file())


def leads_out(path: Path) -> bool:
    """Whether a file is a link to one that does not lie in its folder or below."""
    return not path.resolve().is_relative_to(path.parent.resolve())


@cache
def can_confine() -> bool:
    """Whether bubblewrap starts a program here."""
    if shutil.which("bwrap") is None:
        return False
    try:
        tried = subprocess.run([*_empty(), "--", "true"], capture_output=True, timeout=30, check=False)
    except subprocess.TimeoutExpired:
        return False
    return tried.returncode == 0


def why_ended(said: str) -> str:
    """What to add to the words of a compiler that ran into a limit; empty if it did not."""
    if not any(sign in said for sign in _EXHAUSTED):
        return ""
    return (
        f"\nthe compiler may use {MEMORY >> 30} GB of memory and {SECONDS} s, and write files of {FILE >> 20} MB; "
        "this file takes more"
    )


def _empty() -> list[str]:
    """The start of a bubblewrap command: the system's folders, without network, other processes, or /proc."""
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", *system_folders()]
    return [*words, "--dev", "/dev", "--size", str(FILE), "--tmpfs", "/tmp", "--setenv", "TMPDIR", "/tmp"]

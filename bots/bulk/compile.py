"""Compile the driver of a native tournament, and each AI into a library of its own.

The files of authors are compiled where ``confine.py`` puts the compiler. The linker leads an AI's calls of ``rand``,
``srand`` and ``malloc`` to the driver, and hides all its names, so that AIs may use the same ones.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bots.bulk.confine import confined, left_out, readable, why_ended
from bots.bulk.plan import BulkError, Entrant

CPP = Path(__file__).parent / "cpp"

#: Endings of files that are compiled as C; all others are C++.
C_ENDINGS = {".c"}

#: Seconds after which the compiler is stopped.
PATIENCE = 300

# Without contraction, which rounds once where the file says twice, an AI's figures are the same on all machines.
_OPTIONS = ("-O2", "-fPIC", "-ffp-contract=off", f"-I{CPP}")
_CPP = ("g++", "-std=gnu++17", *_OPTIONS)
_C = ("gcc", "-std=gnu11", *_OPTIONS)
_COMPILING = "compiled AIs, Python files and programs"

# With line numbers, and with the checks of an index that the C++ library has itself.
_SANITIZE = "-fsanitize=address,bounds,bounds-strict"
_SANITIZED = ("-O1", "-g", "-fno-omit-frame-pointer", _SANITIZE, "-fno-sanitize-recover=all", "-D_GLIBCXX_ASSERTIONS")
_WRAPPED = ("rand", "srand", "random", "srandom", "exit")
_COUNTED = ("malloc", "calloc", "realloc", "free")


@dataclass(frozen=True, slots=True)
class Compiled:
    """What was compiled.

    Attributes:
        driver: the library that plays a tournament.
        libraries: of the players, in their order; None for a player that is not compiled.
        sanitizers: libraries that watch the memory of AIs and must be loaded first; empty if none do.
    """

    driver: Path
    libraries: tuple[Path | None, ...]
    sanitizers: tuple[Path, ...] = ()


def check_compiler() -> None:
    """Make sure that AIs can be compiled and confined here.

    Raises:
        BulkError: they cannot; the text says what is missing.
    """
    if sys.platform != "linux" or platform.machine() not in {"x86_64", "aarch64"}:
        raise BulkError(f"{_COMPILING} play on Linux with x86-64 or 64-bit ARM only")
    for name in (_CPP[0], _C[0]):
        if shutil.which(name) is None:
            raise BulkError(f"{_COMPILING} need {name}: install it with 'apt install g++'")


def compile_all(entrants: Sequence[Entrant], folder: Path, *, sanitize: bool = False) -> Compiled:
    """Compile the driver and the players into ``folder``.

    Args:
        folder: an empty one.
        sanitize: whether the authors' files are compiled so that mistakes with memory are found as they happen.

    Raises:
        BulkError: files that the compiler refused; the text is what it said of each.
    """
    check_compiler()
    sanitizers = _find_sanitizers(folder) if sanitize else ()
    natives = [(number, one) for number, one in enumerate(entrants) if one.kind in ("house", "native")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        driving = pool.submit(_compile_driver, folder)
        helping = [pool.submit(_compile_helper, folder, plain_c) for plain_c in (False, True)]
        driver, helpers = driving.result(), [one.result() for one in helping]
        made = [
            pool.submit(_compile_player, _library(folder, n), one, helpers, driver, sanitize and one.kind == "native")
            for n, one in natives
        ]
        complaints = [said for one in made if (said := one.result())]
    if complaints:
        raise BulkError("\n".join(["an AI cannot be compiled; the compiler says:", *complaints]))
    made_for = {number for number, _ in natives}
    libraries = (_library(folder, n) if n in made_for else None for n in range(len(entrants)))
    return Compiled(driver, tuple(libraries), sanitizers)


def _library(folder: Path, number: int) -> Path:
    return folder.absolute() / f"player{number}" / "player.so"


def _compile_driver(folder: Path) -> Path:
    path = folder.absolute() / "driver.so"
    sources = [str(CPP / name) for name in ("driver.cpp", "forbidden_calls.cpp")]
    _must(*_CPP, "-shared", *sources, "-Wl,-soname,casino-driver.so", "-o", str(path))
    return path


def _compile_helper(folder: Path, plain_c: bool) -> Path:
    path = folder.absolute() / ("submission_c.o" if plain_c else "submission.o")
    _must(*_CPP, *(["-DSOLUTION_IN_C"] if plain_c else []), "-c", str(CPP / "submission.cpp"), "-o", str(path))
    return path


def _find_sanitizers(folder: Path) -> tuple[Path, ...]:
    """AddressSanitizer, and the C++ library in which it looks for what it replaces."""
    trial = folder / "trial.so"
    said = _run(_CPP[0], _SANITIZE, "-shared", "-fPIC", "-x", "c++", os.devnull, "-o", str(trial))
    if not said:
        listed = subprocess.run(["ldd", str(trial)], capture_output=True, text=True, check=False).stdout
        found = [re.search(rf"{name}\S* => (/\S+)", listed) for name in ("libasan", r"libstdc\+\+")]
        if all(found):
            return tuple(Path(one[1]) for one in found if one)
    raise BulkError(
        "--sanitize needs the AddressSanitizer of g++ (libasan, libubsan), which is not installed here: it comes with "
        f"'apt install g++' on Debian and Ubuntu, and 'dnf install libasan libubsan' on Fedora\n{said}".rstrip()
    )


def _compile_player(library: Path, player: Entrant, helpers: Sequence[Path], driver: Path, sanitize: bool) -> str:
    """Compile one AI; what the compiler complained of, or nothing."""
    library.parent.mkdir(parents=True)
    source, compiled = player.file, str(library.with_suffix(".o"))
    plain_c = source.suffix in C_ENDINGS
    compiler = _C if plain_c else _CPP
    linked = [driver] if sanitize and not plain_c else [helpers[plain_c], driver]
    # A sanitizer watches itself what is allocated.
    wraps = [f"-Wl,--wrap={name}" for name in (_WRAPPED if sanitize else (*_WRAPPED, *_COUNTED))]
    hidden = ["-Wl,-Bsymbolic", f"-Wl,--version-script={CPP / 'exported.map'}", "-Wl,-z,defs,-z,relro,-z,now"]
    options = _SANITIZED if sanitize else ()
    linking = ["g++", "-shared", *options, compiled, *map(str, linked), *wraps, *hidden, "-o", str(library)]
    sees = [*readable(source), CPP, *linked]
    compiling = [*compiler, *options, "-c", str(source.absolute()), "-o", compiled]
    for command in (compiling, linking):
        if said := _run(*confined(command, sees, library.parent)):
            return said + why_ended(said) + left_out(source)
    return ""


def _must(*command: str) -> None:
    if said := _run(*command):
        raise BulkError(f"this machine's g++ cannot compile the driver:\n{said}")


def _run(*command: str) -> str:
    """Run a compiler; what it said if it failed, else nothing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return f"{command[-3]}: the compiler did not finish within {PATIENCE} s"
    return "" if done.returncode == 0 else done.stderr.strip() or f"exit code {done.returncode}"

"""Programs in a real sandbox, for the tests that try to get out of it."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

import psutil
import pytest

from dealer.errors import OptionError
from dealer.sandbox import sandbox
from dealer.sandbox.folders import program_folders
from dealer.sandbox.sandbox import Limits, Sandbox, check_sandbox
from tests.patience import PATIENCE

#: Starts a command as a user whom no file belongs to.
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")

_HERE = Path(sandbox.__file__).parent


class Starter:
    """How sandboxes are started: as the user of the tests, or by root as an ordinary user."""

    words: tuple[str, ...] = ()


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everybody can read, so that only the sandbox hides what is in it; pytest's own are closed."""
    with tempfile.TemporaryDirectory(prefix="casino-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def become_nobody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the sandboxes of a test as an ordinary user, though root runs it; skip the test if another user does.

    Args:
        folder: that everybody can read.
        monkeypatch: of the test.
    """
    if os.geteuid():
        pytest.skip("the other half of these tests has an ordinary user already")
    monkeypatch.setattr(Starter, "words", NOBODY)
    monkeypatch.setattr(sandbox, "_is_root", lambda: False)
    here = folder / "sandbox"
    shutil.copytree(_HERE, here, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(sandbox, "_HERE", here)
    trial = [*NOBODY, "env", os.path.realpath(sys.executable), "-c", ""]  # root's rights last until env starts it
    if subprocess.run(trial, capture_output=True, check=False).returncode:
        monkeypatch.setattr(sys, "executable", "/usr/bin/python3")  # ours lies in a folder that is closed
        monkeypatch.setattr(sys, "base_prefix", "/usr")


def needs_sandbox() -> None:
    """Skip the test where there can be no sandbox, with the reason; on the build server, fail."""
    try:
        check_sandbox()
    except OptionError as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI must have a sandbox: {error}")
        pytest.skip(str(error))


def python_program(folder: Path, code: str) -> list[str]:
    """The command of a program in a folder of its own."""
    folder.mkdir(exist_ok=True)
    (folder / "program.py").write_text(dedent(code))
    return [str(Path(sys.executable).resolve()), str(folder / "program.py")]


def run(
    folder: Path, code: str, *words: object, limits: Limits | None = None, port: int | None = None, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """Run Python code as a program in a sandbox, to its end."""
    command = [*python_program(folder, code), *map(str, words)]
    starting = wrapped(command, limits, port, program_folders(command[:2]))
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.run(starting, text=True, timeout=PATIENCE, check=False, **{**streams, **options})


def wrapped(
    command: list[str], limits: Limits | None = None, port: int | None = None, folders: tuple[Path, ...] = ()
) -> list[str]:
    """The command that starts another one in a sandbox."""
    return [*Starter.words, *Sandbox(folders, limits or Limits()).wrap(command, port=port)]


def processes_with(word: str) -> list[psutil.Process]:
    """The processes of this machine with a word in their command line, except those that carry it to a sandbox."""
    found = []
    for process in psutil.process_iter():
        try:
            words = process.cmdline()
        except psutil.Error:
            continue
        if word in words:
            found.append(process)
    return found

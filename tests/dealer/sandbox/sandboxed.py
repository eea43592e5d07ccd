"""Programs in a real sandbox, for the tests that try to get out of it."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import psutil
import pytest

from dealer.errors import OptionError
from dealer.sandbox.folders import program_folders
from dealer.sandbox.sandbox import Limits, Sandbox, check_sandbox
from tests.patience import PATIENCE


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
    sandbox = Sandbox(program_folders(command[:2]), limits or Limits())
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.run(
        sandbox.wrap(command, port=port), text=True, timeout=PATIENCE, check=False, **{**streams, **options}
    )


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

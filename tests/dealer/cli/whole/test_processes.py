"""Standard streams and the completion of bash, in processes of their own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.dealer.cli.test_help import install
from tests.docs.shell import search_path
from tests.patience import PATIENCE

#: Calls the completion of the last word typed, and prints what it offers.
OFFER = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _casino; echo "${COMPREPLY[@]}"'


@pytest.mark.skipif(shutil.which("bash") is None, reason="the script is for bash")
def test_bash_completes(tmp_path: Path) -> None:
    script = tmp_path / "casino.bash"
    assert install("bash", "--output", str(script)) == 0
    environment = {**os.environ, "PATH": search_path(tmp_path / "bin")}

    def offered(*words: str) -> list[str]:
        command = ["bash", "-c", f'. "$0"; {OFFER}', str(script), "casino", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()

    assert offered("se") == ["serve"]
    assert offered("serve", "st") == ["stud"]
    assert offered("serve", "stud", "--line") == ["--line-port"]
    assert offered("league", "stud", "--preset", "") == ["none", "cornell", "royale"]
    assert offered("league", "stud", "pair") == ["pair-or-fold"]


#: Writes a line to standard error, and ends as a killed process does: without what is left in buffers.
WRITES = """
import os, sys
from dealer.cli.streams import open_standard_streams

open_standard_streams()
print("err", file=sys.stderr)
os._exit(0)
"""


@pytest.mark.parametrize("unbuffered", ["1", ""])
def test_no_line_of_standard_error_waits_for_another(unbuffered: str) -> None:
    """An empty variable is as none."""
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(
        [sys.executable, "-c", WRITES], env=environment, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stderr == "err\n"

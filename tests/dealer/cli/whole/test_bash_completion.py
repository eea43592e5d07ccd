"""The shell completes commands, flags, games and bots."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.dealer.cli.test_completion import install
from tests.docs.shell import search_path

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

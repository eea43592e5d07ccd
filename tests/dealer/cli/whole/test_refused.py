"""Commands in processes of their own: files of flags that they refuse, streams, and completion in bash."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.dealer.checker.checked import program
from tests.dealer.cli.test_help import install
from tests.docs.program_lines import search_path
from tests.end_to_end.casino import ENVIRONMENT, run
from tests.patience import PATIENCE


@pytest.fixture
def configured(own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's file, where processes look for it, too."""
    monkeypatch.setitem(ENVIRONMENT, "XDG_CONFIG_HOME", str(own.parents[1]))
    return own


async def test_file_is_used_and_can_be_left_out(configured: Path) -> None:
    configured.write_text("[bots]\nqqq = 1\n")
    refused = await run("bots", "--json")
    assert (refused.code, "[bots] has no flag 'qqq'" in refused.err) == (2, True)
    assert [(await run(*words)).code for words in (("--no-config", "bots"), ("bots", "--no-config"))] == [0, 0]


async def test_config_names_a_file(here: Path, configured: Path) -> None:
    (here / "mine.toml").write_text("[bots]\njson = true\n")
    by_flag = await run("bots", "--json")
    for words in ("--config", "mine.toml", "bots"), ("bots", "--config=mine.toml"):
        by_file = await run(*words)
        assert (by_file.code, by_file.out, by_file.err) == (0, by_flag.out, "casino: mine.toml sets --json\n")
    for wrong, told in {
        "bots --config": "Give --config FILE once",
        "bots --config mine.toml --no-config": "Give --config FILE once",
        "bots --config other.toml": "other.toml cannot be read: No such file",
        "bot tight localhost 4000 --config mine.toml": "casino bot takes no flags from a file",
    }.items():
        outcome = await run(*wrong.split())
        assert (outcome.code, told in outcome.err) == (2, True), outcome.err


async def test_file_in_the_folder_of_a_student_changes_no_check(here: Path, configured: Path) -> None:
    (here / "casino.toml").write_text(
        '[check]\npass = 0.0\nlimit = 0.001\njunit = "../results.xml"\n\n[league]\nbot-cmd = ["touch started"]\n'
    )
    results = here.parent / "results.xml"
    results.write_text("of another student")
    outcome = await run("check", "stud", "--hands", "20", "--limit", "30", "--json", "--", *program("BetsTheTotal"))
    assert outcome.code == 1  # a program that breaks a rule does not pass, as `pass` in that file would have it
    assert 0 < json.loads(outcome.out)["points"] < 180
    assert outcome.complaint == ["casino: casino.toml in this folder is not read; --config casino.toml takes its flags"]
    for command in ("league", "stud", "tight"), ("serve", "stud"), ("resume", "friday.journal"):
        outcome = await run(*command)
        assert (outcome.code, "is not read" in outcome.err) == (2, True)
    assert results.read_text() == "of another student"
    assert [path.name for path in here.iterdir()] == ["casino.toml"]
    listed, alone = await run("bots", "--json"), await run("bots", "--json", "--no-config")
    assert (listed.out, alone.complaint) == (alone.out, [])


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

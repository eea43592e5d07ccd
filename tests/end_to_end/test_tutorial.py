"""The tutorial for bots: every command of it is run, and the bot it makes beats ``caller``.

Only the first steps are taken another way: what they install is installed here already.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import blocks, page
from tests.docs.shell import search_path
from tests.patience import PATIENCE

BLOCKS = blocks(page("bots/docs/tutorial.md"))
INSTALLING = "python3 -m venv .venv\n. .venv/bin/activate\npip install .\n"

INTERVAL = re.compile(r"Steph +python3 poker\.py .*?\+?(-?\d+\.\d+) \+?(-?\d+\.\d+) \+?(-?\d+\.\d+)")


@pytest.fixture
def path(tmp_path: Path) -> str:
    """The search path of a reader who has followed the first steps."""
    return search_path(tmp_path / "bin")


def changed(text: str, diff: str) -> str:
    """The text after the change that a reader makes by hand; the lines around it must be there once."""
    lines = diff.splitlines()
    before = "\n".join(line[1:] for line in lines if line[0] in " -")
    after = "\n".join(line[1:] for line in lines if line[0] in " +")
    assert text.count(before) == 1
    return text.replace(before, after)


def test_all_tutorial_blocks_are_run() -> None:
    kinds = [kind for kind, _ in BLOCKS]
    assert set(kinds) == {"sh", "diff"}
    assert kinds.count("diff") == 1
    assert BLOCKS[0] == ("sh", INSTALLING)


#: Seconds for a reply that a busy machine keeps; the reader's own machine has nothing else to do.
PATIENT = "".join(f"[{command}]\nlimit = 60\n" for command in ("check", "practice", "league"))


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a shell")
def test_every_command_works_and_the_bot_beats_caller(tmp_path: Path, path: str) -> None:
    places = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    environment = {**os.environ, "PATH": path, "COLUMNS": "80", **places}
    flags = tmp_path / "config" / "casino-day" / "casino.toml"
    flags.parent.mkdir(parents=True)
    flags.write_text(PATIENT)
    folder, said = tmp_path, []
    for kind, body in BLOCKS[1:]:
        if kind == "diff":
            program = folder / "poker.py"
            program.write_text(changed(program.read_text(encoding="utf-8"), body), encoding="utf-8")
            continue
        script = f"set -e\n{body}pwd\n"
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=3 * PATIENCE,  # whole practices and leagues
            check=False,
        )
        assert done.returncode == 0, body + done.stdout + done.stderr
        *lines, where = done.stdout.splitlines()
        folder = Path(where)  # a reader stays where `cd` has led
        said.append("\n".join([*lines, done.stderr]))
    new, first, practice, second, regress = said
    assert "\nOK\n" in new
    assert "153.8" in new
    assert "a spade in the hole" in practice
    before, after = (interval(text) for text in (first, second))
    assert before[0] > 0
    assert before == pytest.approx((1.5, 1.5), abs=0.3)  # as the text says
    assert after == pytest.approx((2.1, 2.1), abs=0.3)
    assert before[1] < after[0]
    assert "nowhere worse" in regress


def interval(text: str) -> tuple[float, float]:
    """From what to what the chips a deal may be."""
    (found,) = INTERVAL.findall(text)
    _, low, high = map(float, found)
    return low, high

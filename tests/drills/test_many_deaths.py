"""A dealer dies at each kind of record, alone or with its machine: nothing is lost, doubled or dealt again."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.drills.plan import SEED

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")


def survive(folder: Path, way: str, each: int) -> None:
    """See ``tests.drills.many_deaths``; in a process of its own, because one with threads must not fork."""
    words = (sys.executable, "-m", "tests.drills.many_deaths", str(folder), way, str(each), SEED)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    print(done.stdout)


@pytest.mark.long
@pytest.mark.parametrize("way", ["kill", "cut"])
def test_a_tournament_survives_a_death_at_each_kind_of_record(way: str, tmp_path: Path) -> None:
    survive(tmp_path, way, 1)


@pytest.mark.heavy
@pytest.mark.parametrize(("way", "each"), [("kill", 53), ("cut", 20)])
def test_tournaments_survive_a_thousand_kills_and_hundreds_of_power_cuts(way: str, each: int, tmp_path: Path) -> None:
    survive(tmp_path, way, each)

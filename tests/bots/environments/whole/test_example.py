"""The example that learns."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bots.environments.example import learn, main, measure
from tests.patience import PATIENCE

#: Steps of the shorter example, and deals to measure it.
STEPS, DEALS = 150, 600


def test_what_was_learned_beats_caller_at_stud(tmp_path: Path) -> None:
    """The interval of 95 % excludes zero; this much is learned in a second."""
    file = tmp_path / "stud.npz"
    learn(file, "stud", STEPS, seed=1, show=False)
    won = measure(file, "stud", DEALS, "a test", show=False)
    assert won.low > 0, won


def test_the_example_as_it_is_typed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bots.environments.example", "stud.npz"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found = re.search(r"wins (\S+) chips a hand from caller \(95 %: (\S+) to (\S+), 5000 deals\)", done.stdout)
    assert found, done.stdout
    value, low, high = map(float, found.groups())
    # the house's best bot of stud wins 4.2
    assert 2.5 < low < value < high < 4.5


@pytest.mark.parametrize("game", ["blockhead", "holdem"])
def test_other_games_are_learned_too(game: str, tmp_path: Path) -> None:
    learn(tmp_path / "it.npz", game, 600, seed=1, show=False)
    assert measure(tmp_path / "it.npz", game, 1500, "a test", show=False).low > 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["stud.txt"], "the name of the file ends in .npz, got stud.txt"),
        (["missing/stud.npz"], "there is no folder missing"),
        (["/proc/stud.npz", "--steps", "1"], "/proc/stud.npz cannot be written: "),
        (["stud.npz", "--steps", "0"], "expected at least one step and two deals"),
        (["stud.npz", "--game", "dice"], "argument --game: invalid choice: 'dice'"),
    ],
)
def test_flags_that_cannot_be_used(
    words: list[str], complaint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["example", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert complaint in capsys.readouterr().err

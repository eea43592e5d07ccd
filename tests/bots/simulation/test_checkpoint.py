"""What a checkpoint of another simulation is refused with: the flags that differ, in words."""

from pathlib import Path

import pytest

from bots.commands import simulate
from bots.simulation.folding import Checkpoint
from bots.simulation.plan import SimulationError
from bots.simulation.simulation_flags import DealFlags, GameFlags, HandFlags, LargeFlags

MORE = "type what you typed then, or name another file"


@pytest.mark.parametrize(
    ("then", "now", "differences"),
    [
        ({"hands": 5}, {"hands": 6}, "--hands differs"),
        ({"bots": ["a"]}, {"bots": ["b"]}, "the bots differ"),
        ({"bots": ["a"], "small_blind": 1}, {"bots": ["b"], "small_blind": 2}, "the bots and --small-blind differ"),
        ({"a": 1, "b": 1, "c": 1}, {"a": 2, "b": 2, "c": 2}, "--a, --b and --c differ"),
        ({"game": "stud", "ante": 1}, {"game": "dice", "bots": ["a"]}, "the game differs"),
        ({"bots": ["a"], "cross": True}, {"bots": ["b"], "until": 0.1}, "--cross differs"),
    ],
)
def test_differences_in_words(
    then: dict[str, object], now: dict[str, object], differences: str, tmp_path: Path
) -> None:
    path = tmp_path / "kept"
    Checkpoint.open(path, then)
    with pytest.raises(SimulationError) as raised:
        Checkpoint.open(path, now)
    assert str(raised.value) == f"{path} is the checkpoint of another simulation: {differences}; {MORE}"


def test_another_number_of_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    large, reset = LargeFlags(checkpoint=tmp_path / "kept"), HandFlags(reset_stacks=True)
    assert simulate("stud", "tight", "caller", hands=4, single=reset, large=large) == 0
    assert simulate("stud", "tight", "caller", hands=6, single=reset, large=large) == 2
    assert "another simulation: --hands differs; type" in capsys.readouterr().err
    cross = DealFlags(cross=True)
    assert simulate("stud", "tight", "caller", "maniac", hands=4, fair=cross, single=reset, large=large) == 2
    assert "another simulation: --cross differs; type" in capsys.readouterr().err


def test_another_number_of_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    large = LargeFlags(checkpoint=tmp_path / "kept")
    assert simulate("blockhead", "random", "caller", whole=GameFlags(games=2), large=large) == 0
    assert simulate("blockhead", "random", "caller", whole=GameFlags(games=3), large=large) == 2
    assert "another simulation: --games differs; type" in capsys.readouterr().err

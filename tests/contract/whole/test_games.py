"""Every game, from nothing but its contract: simulated, and checked without cases of its own."""

import os
import sys
from pathlib import Path

import pytest

from bots.simulation.plan import Plan
from bots.simulation.single_hands import play_plan
from dealer.checker.cases.game_cases import missing_cases
from protocol.games.game import Game
from tests.dealer.checker.checked import WHERE, examined


@pytest.mark.usefixtures("_leduc_on_path")
async def test_check_of_a_game_without_cases(
    leduc: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(leduc), os.environ.get("PYTHONPATH", "")]))
    bot = [sys.executable, "-m", "dealer.main", "bot", "leduc-value", *WHERE, "--patience", "0"]
    results = await examined("leduc", bot, limit=30.0)
    assert (results.verdict.points, results.verdict.of) == (120, 120)
    assert missing_cases("leduc") in capsys.readouterr().err
    assert missing_cases("leduc").startswith(
        "the checker does not know leduc yet; it knows blockhead, dice, holdem, stud"
    )


def test_simulation_of_hands(game: Game) -> None:
    scores = play_plan(Plan(("random", "caller"), game, 50, False, "contract", reset_stacks=True))
    assert [score.gains.count for score in scores] == [50, 50]
    won, lost = (score.chips_per_hand.value for score in scores)
    assert won == pytest.approx(-lost, abs=10)  # chips may wait in a tied pot

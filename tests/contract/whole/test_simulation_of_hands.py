"""Every game is simulated, and played by a person in one process, from nothing but its contract."""

import pytest

from bots.simulation.hand_blocks import HandPlan
from bots.simulation.hand_scores import play_plan
from protocol.games.game import Game


def test_simulation_of_hands(game: Game) -> None:
    scores = play_plan(HandPlan(game, ("random", "caller"), 50, False, True, "contract"))
    assert [score.chips.count for score in scores] == [50, 50]
    assert scores[0].chips.mean == pytest.approx(-scores[1].chips.mean, abs=10)  # chips may wait in a tied pot

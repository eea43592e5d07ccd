"""``holdem``: what it counts of its opponents, push or fold, and what it wins from bots with a plain mistake."""

from bots.simulation.hand_blocks import HandPlan
from bots.simulation.hand_scores import play_plan
from protocol.games.holdem import HoldemGame


def test_bets_often_enough_against_a_caller_in_fixed_limit() -> None:
    game = HoldemGame(betting="fixed-limit", reset_stacks=1)
    mine, _ = play_plan(HandPlan(game, ("holdem", "caller"), 150, True, False, "casino"))
    assert mine.chips.estimate.low > 0.6 * game.big_blind

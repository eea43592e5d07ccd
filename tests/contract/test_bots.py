"""Every game is simulated, and played by a person in one process, from nothing but its contract."""

from random import Random

import pytest

from bots.human.local_table import LocalGame, Player, Setup
from bots.human.thread_bridge import Human, ThreadBridge
from bots.human.updates import Asked, Ended, News, Shown, Waiting
from bots.simulation.kernel_choice import pick_engine
from bots.simulation.plan import Plan, SimulationError
from bots.simulation.whole_games import simulate
from bots.strategies.random_bettor import RandomBettor
from protocol.games.base import Bet
from protocol.games.game import Game
from tests.contract.playouts import SEED


def test_simulation_of_whole_games_where_a_game_has_a_winner(game: Game) -> None:
    if game.in_games:
        outcome = simulate(pick_engine(Plan(("random", "caller"), game, 3, True, "contract"), "arena"))
        assert outcome.tally.games == 6
        assert sum(player.gains.total for player in outcome.tally.players) == 0


def test_missing_kernel_is_said_and_the_arena_plays(game: Game) -> None:
    plan = Plan(("random", "caller"), game, 3, True, "contract")
    assert pick_engine(plan, None).engine == "arena"
    with pytest.raises(SimulationError, match="kernel"):
        pick_engine(plan, "kernel")


def test_table_in_one_process(game: Game) -> None:
    news: list[News] = []

    def post(item: News) -> None:
        news.append(item)
        if isinstance(item, Asked):
            bridge.answer(item.number, Bet(item.turn.owed))
        if isinstance(item, Waiting):
            bridge.answer(item.number, None)

    bridge = ThreadBridge(post)
    players = [Player("you", Human(bridge)), Player("random", RandomBettor(Random(1)))]
    LocalGame(Setup(game, players, bridge, SEED, 0.0, 5, 10)).run()
    assert isinstance(news[-1], Ended)
    assert news[-1].again, news[-1].reason
    scenes = [item.scene for item in news if isinstance(item, Shown)]
    assert all(len(scene.seats[0].hole) > 0 for scene in scenes)
    assert all(scene.seats[1].hole == () for scene in scenes if not scene.headline)
    assert any(scene.seats[1].hole for scene in scenes if scene.headline)

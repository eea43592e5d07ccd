"""Every game is an environment for learning, from nothing but its contract."""

import warnings
from collections.abc import Collection, Sequence
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, seed_test

from bots.environments import single
from bots.environments.aec import TableEnv
from bots.environments.encoding import mask_of, observe, size_of
from bots.environments.lookup import load_encoding
from protocol.games.base import IllegalAction
from protocol.games.game import Game
from protocol.shuffle import SEED_BYTES
from tests.contract.playouts import SEED, other_outcome, places_seen_by

chances = st.integers(0, 2**32).map(Random)

TABLES: list[dict[str, Any]] = [{}, {"hands": 12}, {"bots": {1: "caller"}}]


@pytest.mark.parametrize("table", TABLES, ids=["one hand", "hands", "a house bot"])
def test_pettingzoo_accepts_it(game: Game, table: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    api_test(TableEnv(game, **table), num_cycles=60)  # warnings are errors here
    seed_test(lambda: TableEnv(game, **table), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


def test_pettingzoo_accepts_the_largest_table(game: Game) -> None:
    players = game.table_seats[-1]
    api_test(TableEnv(game, players, bots=dict.fromkeys(range(2, players), "caller"), hands=3), num_cycles=30)


def test_gymnasium_accepts_it(game: Game) -> None:
    made = gymnasium.make(single.ENVIRONMENT_ID, game=game.name, hands=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made.unwrapped)


class Fixed:
    """The chance of one hand whose outcome is known."""

    def __init__(self, outcome: Any) -> None:
        self._outcome = outcome

    def draw(self, seed: bytes, table: int, hand: int, resumption: int = 0) -> bytes:
        return bytes(SEED_BYTES)

    def outcome(self, drawn: bytes) -> Any:
        return self._outcome

    def unseen(self, seen: Collection[Any]) -> Sequence[Any]:
        return [piece for piece in self._outcome if piece not in seen]


def begun(game: Game, players: int, outcome: Any) -> TableEnv:
    """An environment at the beginning of a hand with a given outcome of chance."""
    env = TableEnv(game, players)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(game), "chance", Fixed(outcome))
        env.reset()
    return env


@settings(max_examples=10)  # each plays a hand again for every question of it
@given(chance=chances)
def test_an_observation_hides_what_is_face_down(game: Game, chance: Random) -> None:
    """Change about all cards that a seat cannot see: its observation and its mask stay as they are."""
    players = chance.choice([game.table_seats[0], chance.choice(game.table_seats[:6])])
    drawn = game.chance.draw(SEED, 0, chance.randrange(1, 10**6))
    outcome = game.chance.outcome(drawn)
    env = begun(game, players, outcome)
    actions: list[int] = []
    seen: list[set[int]] = [set() for _ in range(players)]
    while not any(env.terminations.values()):
        hand = env._table.episode.hand
        for seat in hand.live:
            seen[seat] |= places_seen_by(game, hand, seat, len(outcome))
        asked = int(env.agent_selection.removeprefix("player_"))
        other = begun(game, players, other_outcome(game, drawn, seen[asked], chance))
        for action in actions:
            other.step(action)
        np.testing.assert_array_equal(env.observe(env.agent_selection), other.observe(env.agent_selection))
        mask = env.infos[env.agent_selection]["action_mask"]
        np.testing.assert_array_equal(mask, other.infos[env.agent_selection]["action_mask"])
        actions.append(chance.choice(np.flatnonzero(mask).tolist()))
        env.step(actions[-1])


@settings(max_examples=30)
@given(chance=chances)
def test_rewards_are_what_the_rules_pay(game: Game, chance: Random) -> None:
    """The hand of an environment is the one that the same legal actions make by the rules."""
    drawn = game.chance.draw(SEED, 0, chance.randrange(1, 10**6))
    outcome = game.chance.outcome(drawn)
    players = chance.choice(game.table_seats[:4])
    env, hand, encoding = begun(game, players, outcome), game.start(players).deal(outcome), load_encoding(game, players)
    while (seat := hand.to_act) is not None:
        assert env.agent_selection == f"player_{seat}"
        turn = hand.view(seat)
        observation, reward, *_, info = env.last()
        np.testing.assert_array_equal(observation, observe(encoding, turn, seat))
        np.testing.assert_array_equal(info["action_mask"], mask_of(encoding.choices(turn)))
        assert reward == 0
        number = chance.choice(np.flatnonzero(info["action_mask"]).tolist())
        action = encoding.choices(turn)[number]
        assert action is not None
        hand = hand.apply(action)
        env.step(number)
    assert [env.rewards[agent] for agent in env.agents] == list(hand.settle().payoffs)
    assert all(env.terminations.values())


def test_what_is_no_action_is_refused(game: Game) -> None:
    env = TableEnv(game)
    env.reset(seed=4)
    for number, named in ((99, "got 99"), (-1, "got -1"), (1.5, "got 1.5"), (None, "got None")):
        with pytest.raises(IllegalAction, match=rf"{named}$"):
            env.step(number)  # type: ignore[arg-type]


def test_illegal_actions_are_named_and_may_be_mended(game: Game) -> None:
    env, chance = TableEnv(game), Random(5)
    for _ in range(30):
        env.reset(seed=chance.randrange(10**6))
        while not any(env.terminations.values()):
            mask = env.infos[env.agent_selection]["action_mask"]
            if not mask.all():
                illegal = int(np.flatnonzero(mask == 0)[0])
                with pytest.raises(
                    IllegalAction, match=rf"^action {illegal} \(.*\) is not legal now; legal are .*1 \("
                ):
                    env.step(illegal)
                env.step(1)
                return
            env.step(chance.choice(range(1, len(mask))))
    assert game.name in ("dice", "stud")  # where every action is legal, until stacks are nearly gone


def test_layouts_have_names_and_the_bounds_hold(game: Game) -> None:
    for players in (game.table_seats[0], game.table_seats[-1]):
        encoding = load_encoding(game, players)
        assert size_of(encoding.layout) == TableEnv(game, players).observation_space("player_0").shape[0]
        assert all(entry.low < entry.high and entry.meaning for entry in encoding.layout)
        assert len({entry.name for entry in encoding.layout}) == len(encoding.layout)
        assert encoding.actions[0] == "fold"
        assert "call" in encoding.actions[1]

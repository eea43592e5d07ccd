"""PettingZoo as a contestant: its classic environments, which stand on RLCard, in the loop of its documentation."""

import warnings
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from pettingzoo.classic import leduc_holdem_v4, texas_holdem_no_limit_v6, texas_holdem_v4

from tests.bots.compared.by_rlcard import choose_number
from tests.bots.compared.contest import PLAYS, Contestant, Game, Play, choose

LIBRARY = "pettingzoo"
MODULES: dict[Game, Any] = {"limit": texas_holdem_v4, "no-limit": texas_holdem_no_limit_v6, "leduc": leduc_holdem_v4}
#: Numbers of the actions of no-limit, and where the observation has the chips put in: of the seat, and the most of all.
FOLD, CALL, ALL_IN = 0, 1, 4
OWN, MOST = 52, 53


def contestants() -> Iterator[Contestant]:
    """The environment for each game and play."""
    for name, module in MODULES.items():
        for play in PLAYS:
            with warnings.catch_warnings():  # that bounds of observations lose precision
                warnings.simplefilter("ignore")
                environment = module.env()
                environment.reset(seed=1)
            yield Contestant(LIBRARY, "environment", name, play, partial(_play, environment, name, play, Random(1)))


def _play(environment: Any, name: Game, play: Play, chance: Random, hands: int) -> int:
    decisions = 0
    for _ in range(hands):
        environment.reset()
        for _agent in environment.agent_iter():
            observation, _reward, over, cut, _info = environment.last()
            if over or cut:
                environment.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0].tolist()
            if name == "no-limit":
                seen = observation["observation"]
                raises = [ALL_IN] if ALL_IN in legal else []
                action = choose(play, chance, CALL, FOLD if seen[OWN] < seen[MOST] else None, raises)
            else:
                action = choose_number(play, chance, legal)
            environment.step(action)
            decisions += 1
    return decisions

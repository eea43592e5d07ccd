"""The environments for learning of this project, as contestants: one table, and thousands of compiled ones."""

from collections.abc import Iterator
from functools import partial
from random import Random

import numpy as np

from bots.environments.aec import TableEnv
from bots.environments.encoding import CALL_ACTION, FOLD_ACTION
from bots.environments.vector import VectorTables
from tests.bots.compared.contest import PLAYS, Contestant, Play, choose
from tests.bots.compared.ours import GAMES, LIBRARY

TABLES = 4096

#: Where every observation has the chips that are owed.
OWED = 3


def contestants() -> Iterator[Contestant]:
    """The environment for each game and play, and compiled tables of no-limit with their usual stacks and blinds."""
    for name, game in GAMES.items():
        for play in PLAYS:
            yield Contestant(LIBRARY, "environment", name, play, partial(play_hands, TableEnv(game), play, Random(1)))
    for play in PLAYS:
        tables, chance = VectorTables("holdem", TABLES, 1), np.random.default_rng(1)
        yield Contestant(LIBRARY, "compiled", "no-limit", play, partial(_play_compiled, tables, play, chance))


def play_hands(environment: TableEnv, play: Play, chance: Random, hands: int) -> int:
    """Play in the loop of PettingZoo's documentation; return the decisions. The largest raise stands last."""
    decisions = 0
    for _ in range(hands):
        environment.reset()
        for _agent in environment.agent_iter():
            observation, _reward, over, cut, info = environment.last()
            if over or cut:
                environment.step(None)
                continue
            assert observation is not None
            legal = info["action_mask"].nonzero()[0].tolist()
            fold = FOLD_ACTION if observation[OWED] else None
            raises = [legal[-1]] if legal[-1] > CALL_ACTION else []
            environment.step(choose(play, chance, CALL_ACTION, fold, raises))
            decisions += 1
    return decisions


def _play_compiled(tables: VectorTables, play: Play, chance: np.random.Generator, hands: int) -> int:
    """Steps of all tables until so many hands have ended; each of its choices is as likely as in the other loops."""
    decisions = 0
    while hands > 0:
        actions = np.full(TABLES, CALL_ACTION)
        if play == "chance":
            folds = tables.observations[:, OWED] > 0
            raises = tables.masks[:, -1] > 0
            drawn = (chance.random(TABLES) * (1 + folds + raises)).astype(np.int64)
            actions[(drawn == 1) & raises] = tables.masks.shape[1] - 1
            actions[folds & (drawn == 1 + raises)] = FOLD_ACTION
        _, _, _, ended = tables.step(actions)
        decisions += TABLES
        hands -= int(ended.sum())
    return decisions

"""RLCard as a contestant: its games, and the environments around them."""

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import rlcard
from rlcard.games.nolimitholdem.round import Action

from tests.bots.compared.contest import PLAYS, Contestant, Game, Play, choose

LIBRARY = "rlcard"
NAMES: dict[Game, str] = {"limit": "limit-holdem", "no-limit": "no-limit-holdem", "leduc": "leduc-holdem"}
#: Numbers of the actions of limit games in environments.
CALL, RAISE, FOLD, CHECK = 0, 1, 2, 3


def contestants() -> Iterator[Contestant]:
    """The game and the environment for each game and play."""
    for name, theirs in NAMES.items():
        for play in PLAYS:
            game = partial(_play_game, rlcard.make(theirs, {"seed": 1}).game, play, Random(1))
            environment = partial(_play_environment, rlcard.make(theirs, {"seed": 1}), play, Random(1))
            yield Contestant(LIBRARY, "game", name, play, game)
            yield Contestant(LIBRARY, "environment", name, play, environment)


def choose_word(play: Play, chance: Random, legal: Sequence[Any], state: dict[str, Any]) -> Any:
    """An action of the game, which are words in limit games and members of ``Action`` in no-limit."""
    if Action.CHECK_CALL in legal:
        owed = state["my_chips"] < max(state["all_chips"])
        raises = [Action.ALL_IN] if Action.ALL_IN in legal else []
        return choose(play, chance, Action.CHECK_CALL, Action.FOLD if owed else None, raises)
    raises = ["raise"] if "raise" in legal else []
    if "call" in legal:
        return choose(play, chance, "call", "fold", raises)
    return choose(play, chance, "check", None, raises)


def choose_number(play: Play, chance: Random, legal: Sequence[int]) -> int:
    """An action of the environment of a limit game."""
    raises = [RAISE] if RAISE in legal else []
    if CALL in legal:
        return choose(play, chance, CALL, FOLD, raises)
    return choose(play, chance, CHECK, None, raises)


def _play_game(game: Any, play: Play, chance: Random, hands: int) -> int:
    decisions = 0
    for _ in range(hands):
        state, _player = game.init_game()
        while not game.is_over():
            state, _player = game.step(choose_word(play, chance, state["legal_actions"], state))
            decisions += 1
        game.get_payoffs()
    return decisions


def _play_environment(environment: Any, play: Play, chance: Random, hands: int) -> int:
    decisions = 0
    for _ in range(hands):
        state, _player = environment.reset()
        while not environment.is_over():
            raw = state["raw_obs"]
            if environment.name == "no-limit-holdem":
                action = choose_word(play, chance, raw["legal_actions"], raw).value
            else:
                action = choose_number(play, chance, state["legal_actions"])
            state, _player = environment.step(action)
            decisions += 1
        environment.get_payoffs()
    return decisions

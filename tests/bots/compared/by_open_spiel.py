"""OpenSpiel as a contestant: driven from Python, and by its own bots in C++ where it has bots that play alike."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pyspiel

from tests.bots.compared.contest import BIG, PLAYS, SMALL, STACK, Contestant, Game, Play, choose

LIBRARY = "open-spiel"
HOLDEM = {
    "numPlayers": 2,
    "numRounds": 4,
    "blind": f"{BIG} {SMALL}",
    "firstPlayer": "2 1 1 1",
    "numSuits": 4,
    "numRanks": 13,
    "numHoleCards": 2,
    "numBoardCards": "0 3 1 1",
}
LIMIT = {
    **HOLDEM,
    "betting": "limit",
    "raiseSize": f"{BIG} {BIG} {2 * BIG} {2 * BIG}",
    "maxRaises": "3 4 4 4",  # behind the big blind, which is no raise
}
NO_LIMIT = {**HOLDEM, "betting": "nolimit", "stack": f"{STACK} {STACK}"}
#: The games, each with the number that its one raise has: a bet, or all in.
GAMES: dict[Game, tuple[Any, int]] = {
    "limit": (pyspiel.load_game("universal_poker", LIMIT), 2),
    "no-limit": (pyspiel.load_game("universal_poker", NO_LIMIT), 3),
    "leduc": (pyspiel.load_game("leduc_poker"), 2),
}
FOLD, CALL = 0, 1
#: An ace of spades and a king of hearts, as outcomes of chance.
CARDS = (51, 46)


def contestants() -> Iterator[Contestant]:
    """Python and C++ for each game and play, but for C++ where its bots would make raises of other sizes."""
    for name, (game, raised) in GAMES.items():
        for play in PLAYS:
            yield Contestant(LIBRARY, "from Python", name, play, partial(_play, game, raised, play, Random(1)))
            if (name, play) != ("no-limit", "chance"):
                yield Contestant(LIBRARY, "in C++", name, play, partial(_play_bots, game, _bots(game, play)))
    yield Contestant(LIBRARY, "odds in C++", "roll-outs", "calls", _roll_out)


def _play(game: Any, raised: int, play: Play, chance: Random, hands: int) -> int:
    decisions = 0
    for _ in range(hands):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if state.is_chance_node():
                state.apply_action(legal[int(chance.random() * len(legal))])  # all cards are equally likely
                continue
            raises = [raised] if raised in legal else []
            state.apply_action(choose(play, chance, CALL, FOLD if FOLD in legal else None, raises))
            decisions += 1
        state.returns()
    return decisions


def _bots(game: Any, play: Play) -> list[Any]:
    """Two bots in C++; the random one takes any legal action, which in limit games is the same choice as ours."""
    if play == "chance":
        return [pyspiel.make_uniform_random_bot(player, player) for player in (0, 1)]
    parameters = {"policy_name": "AlwaysCall"}
    return [pyspiel.load_bot("uniform_restricted_actions", game, player, parameters) for player in (0, 1)]


def _play_bots(game: Any, bots: list[Any], hands: int) -> None:
    for seed in range(hands):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)


def _roll_out(hands: int) -> None:
    state = pyspiel.load_game("universal_poker", {**LIMIT, "calcOddsNumSims": hands}).new_initial_state()
    for card in CARDS:
        state.apply_action(card)
    state.to_struct()

"""PyPokerEngine as a contestant: its emulator, which knows no-limit hold'em alone."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from pypokerengine.api.emulator import Emulator
from pypokerengine.engine.poker_constants import PokerConstants
from pypokerengine.utils.card_utils import estimate_hole_card_win_rate, gen_cards

from tests.bots.compared.contest import PLAYS, ROLLED_OUT, SMALL, STACK, Contestant, Play, choose

LIBRARY = "PyPokerEngine"
PLAYERS = {name: {"name": name, "stack": STACK} for name in ("one", "two")}
FINISHED = PokerConstants.Street.FINISHED


def contestants() -> Iterator[Contestant]:
    """The emulator for each play, and its roll-outs."""
    for play in PLAYS:
        yield Contestant(LIBRARY, "emulator", "no-limit", play, partial(_play, play, Random(1)))
    yield Contestant(LIBRARY, "win rate", "roll-outs", "calls", _roll_out)


def _play(play: Play, chance: Random, hands: int) -> int:
    emulator = Emulator()
    emulator.set_game_rule(player_num=2, max_round=2, small_blind_amount=SMALL, ante_amount=0)
    decisions = 0
    for _ in range(hands):
        state, _events = emulator.start_new_round(emulator.generate_initial_game_state(PLAYERS))
        while state["street"] != FINISHED:
            state, _events = emulator.apply_action(state, *_action(emulator, state, play, chance))
            decisions += 1
    return decisions


def _action(emulator: Emulator, state: dict[str, Any], play: Play, chance: Random) -> tuple[str, int]:
    """The name of an action, and all that the player has put in on this street behind it."""
    fold, call, raised = emulator.generate_possible_actions(state)
    player = state["table"].seats.players[state["next_player"]]
    give_up = (fold["action"], 0) if call["amount"] > player.paid_sum() else None
    most = raised["amount"]["max"]  # -1 where no raise is allowed
    raises = [(raised["action"], most)] if most > 0 else []
    return choose(play, chance, (call["action"], call["amount"]), give_up, raises)


def _roll_out(hands: int) -> None:
    estimate_hole_card_win_rate(hands, 2, gen_cards([text[1] + text[0] for text in ROLLED_OUT]))

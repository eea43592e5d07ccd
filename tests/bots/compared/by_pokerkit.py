"""PokerKit as a contestant: its states with everything automated but the decisions."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from pokerkit import (
    Automation,
    Deck,
    FixedLimitTexasHoldem,
    LeducHoldem,
    NoLimitTexasHoldem,
    StandardHighHand,
    calculate_hand_strength,
    parse_range,
)

from tests.bots.compared.contest import BIG, DEEP, PLAYS, ROLLED_OUT, SMALL, STACK, Contestant, Game, Play, choose

LIBRARY = "pokerkit"
AUTOMATIONS = tuple(Automation)
BLINDS = (SMALL, BIG)
#: The games, each with the stack of both players.
GAMES: dict[Game, tuple[Any, int]] = {
    "limit": (FixedLimitTexasHoldem(AUTOMATIONS, True, 0, BLINDS, BIG, 2 * BIG), DEEP),
    "no-limit": (NoLimitTexasHoldem(AUTOMATIONS, True, 0, BLINDS, BIG), STACK),
    "leduc": (LeducHoldem(AUTOMATIONS), DEEP),
}


def contestants() -> Iterator[Contestant]:
    """Its states for each game and play, and its roll-outs."""
    for name, (game, stack) in GAMES.items():
        for play in PLAYS:
            yield Contestant(LIBRARY, "states", name, play, partial(_play, game, stack, play, Random(1)))
    yield Contestant(LIBRARY, "hand strength", "roll-outs", "calls", _roll_out)


def _play(game: Any, stack: int, play: Play, chance: Random, hands: int) -> int:
    decisions = 0
    for _ in range(hands):
        state = game((stack, stack), 2)
        while state.status:
            fold = state.fold if state.checking_or_calling_amount else None
            raises = [partial(_raise, state)] if state.can_complete_bet_or_raise_to() else []
            choose(play, chance, state.check_or_call, fold, raises)()
            decisions += 1
        state.payoffs  # noqa: B018 - as everybody is asked for payoffs
    return decisions


def _raise(state: Any) -> None:
    """The one raise of limit games, or all in."""
    state.complete_bet_or_raise_to(state.max_completion_betting_or_raising_to_amount)


def _roll_out(hands: int) -> None:
    cards = "".join(text[0] + text[1].lower() for text in ROLLED_OUT)
    calculate_hand_strength(2, parse_range(cards), (), 2, 5, Deck.STANDARD, (StandardHighHand,), sample_count=hands)

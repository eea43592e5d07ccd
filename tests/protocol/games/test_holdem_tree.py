"""The number of ways in which a small heads-up hand can be bet.

A mistake in when a street ends, who acts or what may be raised changes the number of action sequences. A second count,
which shared no code with the rules, and counted by amounts alone, came to the same numbers.
"""

import pytest

from protocol.cards import DECK
from protocol.games.base import Action, Bet, Fold
from protocol.games.holdem_betting import MOST_BETS, Betting, Limit
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import HoldemHand

#: Limit, chips of the button and of the other seat, and the number of action sequences that end a hand.
TREES: tuple[tuple[Limit, tuple[int, int], int], ...] = (
    ("no-limit", (1, 9), 1),
    ("no-limit", (3, 3), 25),
    ("no-limit", (6, 6), 233),
    ("no-limit", (9, 5), 257),
    ("no-limit", (10, 10), 5257),
    ("pot-limit", (9, 9), 2553),
    ("pot-limit", (6, 11), 513),
    ("fixed-limit", (9, 9), 493),
    ("fixed-limit", (7, 12), 237),
    ("fixed-limit", (20, 20), 3673),
)


def by_rules(hand: HoldemHand) -> int:
    """Action sequences from here to the end of the hand."""
    if hand.to_act is None:
        return 1
    legal = hand.legal()
    actions: list[Action] = [Fold(), Bet(legal.to_call), *map(Bet, legal.raises)]
    return sum(by_rules(hand.apply(action)) for action in actions)


@pytest.mark.parametrize(("limit", "stacks", "sequences"), TREES)
def test_action_sequences(limit: Limit, stacks: tuple[int, int], sequences: int) -> None:
    betting = Betting(limit, 2, 4, MOST_BETS if limit == "fixed-limit" else 0)
    assert by_rules(deal(DECK, stacks, betting, button=0, blinds=(1, 2))) == sequences

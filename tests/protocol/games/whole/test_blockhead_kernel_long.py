"""The compiled kernel plays by the rules, move by move, and its strategies are the bots of the same names."""

from itertools import combinations_with_replacement
from random import Random

import numpy as np
import pytest

from protocol.cards import DECK
from protocol.games import blockhead as rules
from protocol.games.kernels.blockhead import (
    KINDS,
    NO_MOVE,
    trace_hands,
)
from tests.protocol.games.test_blockhead_kernel import POLICY, SEED, TWINS, KernelChance, play, values_of

HANDS = 10_000

#: Every two strategies of the kernel, and pairs in which each of them plays.
PAIRS = list(combinations_with_replacement(KINDS.values(), 2))


@pytest.mark.parametrize("kinds", PAIRS)
def test_ten_thousand_hands_go_move_by_move_as_by_the_rules(kinds: tuple[int, int]) -> None:
    luck = Random(str(kinds))
    decks = [luck.sample(DECK, 52) for _ in range(HANDS)]
    openers = [luck.randrange(2) for _ in range(HANDS)]
    carried = [luck.choice((0, 0, 0, 20, 54, 100, 138, 300)) for _ in range(HANDS)]
    cards = np.array([values_of(deck) for deck in decks], np.int8)
    traces = trace_hands(kinds, cards, np.array(openers), np.array(carried), SEED, POLICY)
    chance = KernelChance(SEED)
    strategies = [TWINS[kind](chance) for kind in kinds]
    for deck, opener, pot, trace in zip(decks, openers, carried, traces, strict=True):
        moves, _, _ = play(rules.deal(deck, (1000, 1000), opener, carried=pot), strategies)
        assert moves == [move for move in trace.tolist() if move != NO_MOVE]

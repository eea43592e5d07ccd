"""The win rate of roll-outs, compiled, for measurements that play many hands with bots that use it."""

from random import Random

import numpy as np

from bots.strategies.holdem.rollouts import opponents
from protocol.cards import DECK
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.kernels.compiling import jit
from protocol.games.kernels.holdem import (
    _SUIT_START,
    BOARD,
    CARDS,
    Cards,
    key_of,
    next_random,
    place_of,
    seeded,
)

_INDEX = {card: index for index, card in enumerate(DECK)}


def win_rate(turn: HoldemTurn, rng: Random, rounds: int) -> float:
    """As ``rollouts.win_rate``, with other chance."""
    hole, board = (np.array([_INDEX[card] for card in cards], np.int8) for cards in (turn.hole, turn.board))
    return float(_win_rate(hole, board, opponents(turn), rounds, np.uint64(rng.getrandbits(63))))


@jit
def _win_rate(hole: Cards, board: Cards, rivals: int, rounds: int, seed: np.uint64) -> float:
    deck, unseen = np.empty(CARDS, np.int8), 0
    for card in range(CARDS):
        known = False
        for other in hole:
            known |= other == card
        for other in board:
            known |= other == card
        if not known:
            deck[unseen] = card
            unseen += 1
    dealt, missing = len(board), BOARD - len(board)
    common, theirs = np.empty(BOARD, np.int8), np.empty(2, np.int8)
    common[:dealt] = board
    own, won, state = key_of(hole) - _SUIT_START, 0.0, seeded(seed)
    for _ in range(rounds):
        for place in range(missing + 2 * rivals):
            state = next_random(state)
            other = place + np.int64(((state >> np.uint64(32)) * np.uint64(unseen - place)) >> np.uint64(32))
            deck[place], deck[other] = deck[other], deck[place]
        common[dealt:] = deck[:missing]
        shared = key_of(common)
        mine, sharing = place_of(shared + own, hole, common), 1
        for rival in range(rivals):
            theirs[:] = deck[missing + 2 * rival : missing + 2 * rival + 2]
            strength = place_of(shared + key_of(theirs) - _SUIT_START, theirs, common)
            if strength > mine:
                sharing = 0
                break
            sharing += strength == mine
        if sharing:
            won += 1 / sharing
    return won / rounds

"""Measure the best reply: many games of beta's compiled copy against Alpha, from real decks."""

import numpy as np

from bots.train.reply import Floats, best_move
from protocol.games.blockhead import DEFAULT_HANDS
from protocol.games.kernels.blockhead import BUY_IN, NO_PRIOR, Ints, alpha_move, draw_cards, new_chance, new_deck
from protocol.games.kernels.compiling import jit

#: Gains of a hand that are told apart; beyond, they count as this.
MOST_GAIN = 400


@jit
def unseen(values: Ints, street: int, weights: Floats) -> None:
    """How many cards of each value seat 0 has not seen."""
    for value in range(1, 11):
        weights[value] = 16.0 if value == 10 else 4.0
    weights[values[0]] -= 1
    for up in range(1, street + 2):
        weights[values[up]] -= 1
        weights[values[5 + up]] -= 1


@jit
def play_reply(
    values: Ints, first: bool, carry: int, util: Floats, second: Floats, third: Floats, sizes: Ints, weights: Floats
) -> tuple[int, int, int]:
    """(put by the best reply, put by Alpha, winner): seat 0 is the best reply, ``first`` whether it opens.

    ``util`` counts chips from where this hand began, the buy-in and half of ``carry`` still owned
    (tied hands have put in alike, so a carried pot is even).
    """
    put, other_put = BUY_IN, BUY_IN
    hole, up, other_up = values[0], values[1], values[6]
    lo, hi = 1, 10
    for street in range(1, 4):
        up += values[street + 1]
        other_up += values[street + 6]
        diff, last = up - other_up, street == 3
        table = second if street == 1 else third
        unseen(values, street, weights)
        mine, prior, raises = first, NO_PRIOR, 0
        while True:
            pot = put + other_put + carry
            if mine:
                spent = put + carry // 2
                move = best_move(last, weights, diff, hole, lo, hi, pot, spent, raises, prior, util, table, sizes)[0]
                if move < 0:
                    return put, other_put, 1
                chips = move + max(prior, 0)
                put += chips
            else:
                move = alpha_move(last, prior, raises, values[5] - diff, pot)
                while lo < values[5] and alpha_move(last, prior, raises, lo - diff, pot) != move:
                    lo += 1
                while hi > values[5] and alpha_move(last, prior, raises, hi - diff, pot) != move:
                    hi -= 1
                if move < 0:
                    return put, other_put, 0
                other_put += move + max(prior, 0)
            if move == 0 and prior >= 0:
                break
            raises += move > 0
            prior = move
            mine = not mine
    margin = hole + up - values[5] - other_up
    return put, other_put, 0 if margin > 0 else 1 if margin < 0 else -1


@jit
def count_gains(
    games: int, seed: int, util: Floats, seconds: Floats, thirds: Floats, sizes: Ints, histogram: Floats
) -> None:
    """Count the best reply's gains by hand over ``games``, in ``histogram[gain + MOST_GAIN]``.

    ``seconds`` and ``thirds`` are the continuation tables of [second to act, opener].
    """
    deck, values, weights = new_deck(), np.empty(10, np.int64), np.zeros(11)
    state = new_chance(np.uint64(seed))
    for game in range(games):
        carry = 0
        for number in range(DEFAULT_HANDS):
            draw_cards(deck, values, state)
            first = (game + number) & 1
            mine, other, winner = play_reply(
                values, first == 1, carry, util, seconds[first], thirds[first], sizes, weights
            )
            half = carry // 2
            gain = other + half if winner == 0 else -mine - half if winner == 1 else 0
            carry = mine + other + carry if winner < 0 else 0
            histogram[min(max(gain, -MOST_GAIN), MOST_GAIN) + MOST_GAIN] += 1

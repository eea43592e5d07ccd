"""Winning the 20-hand game: how much a lead is worth with so many hands left, and how much risk suits it."""

import numpy as np

from bots.strategies.blockhead.aims import SPAN
from bots.train.compiling import jit
from bots.train.reply import ZERO, Floats
from bots.train.versus import play_reply
from protocol.games.blockhead import DEFAULT_HANDS
from protocol.games.kernels.blockhead import Ints, draw_cards, new_chance, new_deck


def chances(histograms: Floats) -> tuple[Floats, Ints]:
    """(chance, style): the chance to win with ``n`` hands left and ``lead`` chips won so far, [n, lead + SPAN],

    when every hand is played in the style that promises most; ``histograms[style, gain + 400]`` are the chances
    of a hand's gains.
    """
    lead = np.arange(-SPAN, SPAN + 1)
    chance = np.zeros((DEFAULT_HANDS + 1, lead.size))
    style = np.zeros((DEFAULT_HANDS + 1, lead.size), np.int64)
    chance[0] = lead > 0
    for n in range(1, DEFAULT_HANDS + 1):
        padded = np.concatenate([np.full(400, chance[n - 1, 0]), chance[n - 1], np.full(400, chance[n - 1, -1])])
        by_style = np.array([np.convolve(padded, gains[::-1], "valid") for gains in histograms])
        style[n] = by_style.argmax(0)
        chance[n] = by_style.max(0)
    return chance, style


def utilities(chance: Floats) -> Floats:
    """``chance`` as utility arrays around lead 0, with a slope so small that it only breaks ties: [n, chips]."""
    leads = np.arange(-ZERO, ZERO)
    wide = chance[:, np.clip(leads, -SPAN, SPAN) + SPAN]
    return wide + leads * 1e-7


@jit
def simulate_winner(
    games: int, seed: int, utils: Floats, styles: Ints, seconds: Floats, thirds: Floats, sizes: Ints
) -> tuple[float, float, int, int]:
    """(chips, chips squared, won, drawn): ``seconds[style, opens]``, ``thirds[style, opens]``."""
    deck, values, weights = new_deck(), np.empty(10, np.int64), np.zeros(11)
    state = new_chance(np.uint64(seed))
    total = squares = 0.0
    won = drawn = 0
    util = np.empty(utils.shape[1])
    span = (styles.shape[1] - 1) // 2
    for game in range(games):
        lead, carry = 0, 0
        for number in range(DEFAULT_HANDS):
            draw_cards(deck, values, state)
            first = (game + number) & 1
            left = DEFAULT_HANDS - number
            for i in range(util.size):
                util[i] = utils[left - 1, min(max(i + lead, 0), util.size - 1)]
            style = styles[left, min(max(lead, -span), span) + span]
            mine, other, winner = play_reply(
                values, first == 1, carry, util, seconds[style, first], thirds[style, first], sizes, weights
            )
            half = carry // 2
            gain = other + half if winner == 0 else -mine - half if winner == 1 else 0
            carry = mine + other + carry if winner < 0 else 0
            lead += gain
            total += gain
            squares += gain * gain
        won += lead > 0
        drawn += lead == 0
    return total, squares, won, drawn

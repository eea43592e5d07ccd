"""Solve the 20-hand game: the chance to win with each lead and number of hands left, and the best style of play."""

import numpy as np

from bots.strategies.blockhead.aims import SPAN
from bots.train.reply import Floats
from bots.train.versus import MOST_GAIN
from protocol.games.blockhead import DEFAULT_HANDS
from protocol.games.kernels.blockhead import Ints


def chances(histograms: Floats) -> tuple[Floats, Ints]:
    """(chance, style): the chance to win with ``n`` hands left and ``lead`` chips won so far, [n, lead + SPAN],

    when every hand is played in the style that promises most; ``histograms[style, gain + MOST_GAIN]`` are the chances
    of a hand's gains.
    """
    lead = np.arange(-SPAN, SPAN + 1)
    chance = np.zeros((DEFAULT_HANDS + 1, lead.size))
    style = np.zeros((DEFAULT_HANDS + 1, lead.size), np.int64)
    chance[0] = lead > 0
    for n in range(1, DEFAULT_HANDS + 1):
        padded = np.concatenate(
            [np.full(MOST_GAIN, chance[n - 1, 0]), chance[n - 1], np.full(MOST_GAIN, chance[n - 1, -1])]
        )
        by_style = np.array([np.convolve(padded, gains[::-1], "valid") for gains in histograms])
        style[n] = by_style.argmax(0)
        chance[n] = by_style.max(0)
    return chance, style

"""Make the tables that beta and gamma ship: ``python -m bots.train.make_tables``. A fixed seed, a few minutes.

The file is msgpack of
  pots         the pots of the continuation tables
  second/third per style, bytes: 255ths of (pot + 100) chips, [opens, hole, interval, difference, pot]
  style        bytes: which style suits [hands left - 1, lead + 600]
  chance       little-endian u16: 65535ths of the chance to win with [hands left, lead + 600]
  classes      per street, [(chips put in before, who raised last on the street before, the opener's standing there)]
  buy_ins      what each player has in the pot when a hand begins, for each equilibrium
  equilibrium  per buy-in, packed for itself: msgpack compressed by xz, of bytes per street: 16ths of the chances of
               fold, call, raise 1, raise 10: [class, difference, place, hole, move]
"""

import argparse
import lzma
import time
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from bots.strategies.blockhead import tables
from bots.strategies.blockhead.aims import SPAN
from bots.strategies.blockhead.turn_numbers import SIZES
from bots.train.equilibrium import Solver
from bots.train.reply import POTS, Floats, constant_risk, continuations
from bots.train.street import CLASSES
from bots.train.versus import MOST_GAIN, count_gains
from protocol.games.blockhead import DEFAULT_HANDS
from protocol.games.kernels.blockhead import Ints

#: Styles of play, from seeking swings to avoiding them; style 2 counts chips.
AVERSIONS = (-0.02, -0.01, 0.0, 0.01, 0.02, 0.04)

#: Raises that the best reply looks at.
RAISES = np.array(SIZES)
#: Games against Alpha in which the swings of each style are measured.
GAMES = 50_000
SEED = 20
#: Of CFR+.
ITERATIONS = 100
PARTS = 16
#: The buy-in alone, and with half of a pot carried over; each serves pots about a sixth smaller and larger.
BUY_INS = (10, 20, 27, 36, 47, 60)


def quantised(table: Floats) -> bytes:
    """``table[opens, pot, difference, hole, interval]`` as bytes in the shipped order (which packs well)."""
    scaled = np.rint(table / (POTS[:, None, None, None] + 100) * 255)
    return np.ascontiguousarray(np.clip(scaled, 0, 255).astype(np.uint8).transpose(0, 3, 4, 2, 1)).tobytes()


def reply_tables() -> dict[str, Any]:
    """The best reply to Alpha in every style, and when each style suits."""
    seconds, thirds, histograms = [], [], []
    for aversion in AVERSIONS:
        util = constant_risk(aversion)
        both = [continuations(opens, util, RAISES) for opens in (False, True)]
        second, third = (np.array([pair[street] for pair in both]) for street in (0, 1))
        counts = np.zeros(2 * MOST_GAIN + 1)
        count_gains(GAMES, SEED, util, second, third, RAISES, counts)
        seconds.append(quantised(second))
        thirds.append(quantised(third))
        histograms.append(counts / counts.sum())
    chance, style = chances(np.array(histograms))
    return {
        "pots": POTS.tolist(),
        "second": seconds,
        "third": thirds,
        "style": style[1:].astype(np.uint8).tobytes(),
        "chance": np.rint(chance * 65535).astype("<u2").tobytes(),
    }


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


def near_equilibrium(buy_in: int) -> list[NDArray[np.uint8]]:
    """The strategy shipped for hands that begin with ``buy_in`` chips of each player in the pot, by street."""
    solver = Solver(buy_in)
    for number in range(1, ITERATIONS + 1):
        solver.iterate(number)
    return [rounded(street) for street in solver.mean_strategy()]


def rounded(strategy: Floats) -> NDArray[np.uint8]:
    """Chances in parts of about ``PARTS``; what is played less often than 1 in 20 is not played."""
    kept = np.where(strategy < 0.05, 0.0, strategy)
    return np.rint(kept / kept.sum(-1, keepdims=True) * PARTS).astype(np.uint8)


def equilibrium_tables() -> dict[str, Any]:
    """The near-equilibria."""
    return {
        "classes": CLASSES[1:],
        "buy_ins": BUY_INS,
        "equilibrium": [packed([street.tobytes() for street in near_equilibrium(buy_in)]) for buy_in in BUY_INS],
    }


def packed(value: Any) -> bytes:
    """msgpack, compressed."""
    return lzma.compress(msgpack.packb(value), preset=9)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=tables.FILE)
    out = parser.parse_args().out
    started = time.perf_counter()
    data = packed(reply_tables() | equilibrium_tables())
    out.write_bytes(data)
    print(f"{out}: {len(data):,} bytes in {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()

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
from bots.train.reply import POTS, Floats, best_move, constant_risk, continuations
from bots.train.street import CLASSES
from protocol.games.blockhead import DEFAULT_HANDS
from protocol.games.kernels.blockhead import BUY_IN, NO_PRIOR, Ints, alpha_move, draw_cards, new_chance, new_deck
from protocol.games.kernels.compiling import jit

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

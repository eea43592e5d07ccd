"""The best reply to Alpha, one street at a time.

Alpha is deterministic and its moves are monotone in its hole value, so all that its bets tell is an interval
[lo, hi] of hole values. ``move_value`` walks the rest of one street exactly; what the end of a street
is worth is read from continuation tables, built backwards from the showdown with the deck taken as endless
(value 10 with 4/13, others 1/13). Leaves go through a utility of chips, so the same walk serves every aim.

A table holds certainty equivalents in chips: what the pot and the streets to come are worth, as an amount collected.
"""

import numpy as np
from numpy.typing import NDArray

from protocol.games.kernels.blockhead import FOLD, MAX_RAISES, NO_PRIOR, Ints, alpha_move
from protocol.games.kernels.compiling import jit

Floats = NDArray[np.float64]

#: The pots a table holds; between them values are interpolated.
POTS = np.array([20, 30, 40, 50, 60, 80, 100, 120, 140, 180, 240, 320])

INTERVALS = tuple((lo, hi) for lo in range(1, 11) for hi in range(lo, 11))
INTERVAL = np.zeros((11, 11), np.int64)
for _number, (_lo, _hi) in enumerate(INTERVALS):
    INTERVAL[_lo, _hi] = _number

#: The chance of each value from an endless deck, by value.
WEIGHTS = np.array([0.0] + [1 / 13] * 9 + [4 / 13])

#: The chance that one more card each changes the visible difference by -9..9.
STEP = np.convolve(WEIGHTS[1:], WEIGHTS[:0:-1])

#: The largest visible difference on each street.
REACH = (0, 18, 27, 36)

NO_MOVE = -2

#: Index of "no chips won or lost" in a utility array; index + 1 is one chip more.
ZERO = 1024


@jit
def utility(util: Floats, chips: float) -> float:
    """The utility of a (fractional) number of chips, interpolated."""
    x = chips + ZERO
    if x <= 0:
        return util[0]
    if x >= util.size - 1:
        return util[-1]
    i = int(x)
    return util[i] + (util[i + 1] - util[i]) * (x - i)


@jit
def going_on(table: Floats, diff: int, hole: int, interval: int, pot: int) -> float:
    """The certainty equivalent of a street's end, between the two nearest pots of the table."""
    reach = (table.shape[1] - 1) // 2
    row = table[:, diff + reach, hole - 1, interval]
    if pot >= POTS[-1]:
        return row[-1] * pot / POTS[-1]
    i = 0
    while POTS[i + 1] < pot:
        i += 1
    return row[i] + (row[i + 1] - row[i]) * (pot - POTS[i]) / (POTS[i + 1] - POTS[i])


@jit
def chance_of(weights: Floats, lo: int, hi: int) -> float:
    """The weight of an interval."""
    total = 0.0
    for other in range(lo, hi + 1):
        total += weights[other]
    return total


@jit
def street_end(
    last: bool,
    weights: Floats,
    diff: int,
    hole: int,
    lo: int,
    hi: int,
    pot: int,
    put: int,
    util: Floats,
    table: Floats,
) -> float:
    """Utility, times the chance, when a street is over with ``put`` of the seat's chips put in on it."""
    if last:
        total = 0.0
        for other in range(lo, hi + 1):
            margin = diff + hole - other
            collected = pot if margin > 0 else 0 if margin < 0 else pot * 0.5
            total += weights[other] * utility(util, collected - put)
        return total
    chance = chance_of(weights, lo, hi)
    if chance == 0.0:
        return 0.0
    return chance * utility(util, going_on(table, diff, hole, INTERVAL[lo, hi], pot) - put)


@jit
def move_value(
    last: bool,
    weights: Floats,
    diff: int,
    hole: int,
    lo: int,
    hi: int,
    pot: int,
    put: int,
    raises: int,
    prior: int,
    util: Floats,
    table: Floats,
    sizes: Ints,
    move: int,
) -> float:
    """The utility, times the chance of the interval, of one legal move with the best play after it.

    ``move`` NO_MOVE is "Alpha opens the street".
    """
    if move == FOLD:
        return chance_of(weights, lo, hi) * utility(util, -put)
    if move != NO_MOVE:
        chips = move + max(prior, 0)
        pot += chips
        put += chips
        if move == 0 and prior >= 0:
            return street_end(last, weights, diff, hole, lo, hi, pot, put, util, table)
        raises += move > 0
        prior = move
    total, first = 0.0, lo
    # Alpha acts: neighbouring hole values that act alike stay one interval.
    while first <= hi:
        answer = alpha_move(last, prior, raises, first - diff, pot)
        to = first
        while to < hi and alpha_move(last, prior, raises, to + 1 - diff, pot) == answer:
            to += 1
        chips = answer + max(prior, 0)
        if answer == FOLD:
            total += chance_of(weights, first, to) * utility(util, pot - put)
        elif answer == 0 and prior >= 0:
            total += street_end(last, weights, diff, hole, first, to, pot + chips, put, util, table)
        else:
            left = raises + (answer > 0)
            pot_now = pot + chips
            total += best_move(last, weights, diff, hole, first, to, pot_now, put, left, answer, util, table, sizes)[1]
        first = to + 1
    return total


@jit
def best_move(
    last: bool,
    weights: Floats,
    diff: int,
    hole: int,
    lo: int,
    hi: int,
    pot: int,
    put: int,
    raises: int,
    prior: int,
    util: Floats,
    table: Floats,
    sizes: Ints,
) -> tuple[int, float]:
    """(move, utility) of the best move, the seat to act."""
    best, chosen = -1e300, 0
    for choice in range(-1 if prior > 0 else 0, sizes.size + 1 if raises < MAX_RAISES else 1):
        mine = FOLD if choice < 0 else 0 if choice == 0 else sizes[choice - 1]
        value = move_value(last, weights, diff, hole, lo, hi, pot, put, raises, prior, util, table, sizes, mine)
        if value > best:
            best, chosen = value, mine
    return chosen, best


@jit
def chips_for(util: Floats, value: float) -> float:
    """The number of chips with this utility: where the rising array ``util`` passes it."""
    lo, hi = 0, util.size - 1
    while hi - lo > 1:
        middle = (lo + hi) // 2
        if util[middle] <= value:
            lo = middle
        else:
            hi = middle
    span = util[hi] - util[lo]
    return lo - ZERO + ((value - util[lo]) / span if span > 0 else 0.0)


@jit
def street_values(
    last: bool, first: bool, reach: int, weights: Floats, util: Floats, table: Floats, sizes: Ints
) -> Floats:
    """Certainty equivalents at the start of a street, cards dealt: [pot, difference, hole, interval]."""
    values = np.zeros((POTS.size, 2 * reach + 1, 10, 55))
    for p in range(POTS.size):
        for diff in range(-reach, reach + 1):
            for hole in range(1, 11):
                for lo in range(1, 11):
                    for hi in range(lo, 11):
                        if first:
                            value = best_move(
                                last, weights, diff, hole, lo, hi, POTS[p], 0, 0, NO_PRIOR, util, table, sizes
                            )[1]
                        else:
                            value = move_value(
                                last, weights, diff, hole, lo, hi, POTS[p], 0, 0, NO_PRIOR, util, table, sizes, NO_MOVE
                            )
                        value /= chance_of(weights, lo, hi)
                        values[p, diff + reach, hole - 1, INTERVAL[lo, hi]] = chips_for(util, value)
    return values


@jit
def before_cards(values: Floats, reach: int, util: Floats) -> Floats:
    """Certainty equivalents one street earlier, before one more card each is dealt."""
    wider = (values.shape[1] - 1) // 2
    result = np.zeros((values.shape[0], 2 * reach + 1, values.shape[2], values.shape[3]))
    for p in range(result.shape[0]):
        for diff in range(-reach, reach + 1):
            for hole in range(result.shape[2]):
                for interval in range(result.shape[3]):
                    total = 0.0
                    for step in range(-9, 10):
                        total += STEP[step + 9] * utility(util, values[p, diff + step + wider, hole, interval])
                    result[p, diff + reach, hole, interval] = chips_for(util, total)
    return result


def constant_risk(aversion: float) -> Floats:
    """The utility of constant risk aversion per chip: 0 counts chips, more avoids swings, less seeks them."""
    chips = np.arange(-ZERO, ZERO, dtype=float)
    return chips if aversion == 0 else -np.expm1(-aversion * chips) / aversion


def continuations(first: bool, util: Floats, sizes: Ints) -> tuple[Floats, Floats]:
    """What the end of street 1 and of street 2 are worth, for the seat that opens (or does not)."""
    none = np.zeros((1, 1, 1, 1))
    third = before_cards(street_values(True, first, REACH[3], WEIGHTS, util, none, sizes), REACH[2], util)
    second = before_cards(street_values(False, first, REACH[2], WEIGHTS, util, third, sizes), REACH[1], util)
    return second, third

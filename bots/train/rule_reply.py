"""The exact worth of the best response to a rule set, over every public history, from an endless deck."""

import numpy as np
from numpy.typing import NDArray

from bots.strategies.blockhead.turn_numbers import SIZES
from bots.train.compiling import jit
from bots.train.equilibrium import CHANCE, START
from bots.train.reply import STEP, Floats
from bots.train.rule_sets import BIG, CHECKED, LOWEST, MOST_STEPS, OPEN, SMALL, RuleSet
from protocol.games.kernels.blockhead import BUY_IN, FOLD, MAX_RAISES, NO_PRIOR, STREETS, Ints

#: Histories that the rules reach less often than this are not worth a look.
TINY = 1e-9

Moves = NDArray[np.int8]


@jit
def rule_move(moves: Moves, street: int, prior: int, pot: int, raises: int, delta: int) -> int:
    """What a mood's rules do."""
    steps = min(pot // 10, MOST_STEPS)
    faced = OPEN if prior < 0 else CHECKED if prior == 0 else SMALL if prior < 1 + 2 * steps else BIG
    move: int = moves[street - 1, faced, steps, delta - LOWEST]
    return 0 if move > 0 and raises == MAX_RAISES else move


@jit
def end_street(
    moves: Moves, first: bool, street: int, diff: int, put: int, sizes: Ints, reach: Floats, worth: Floats, depth: int
) -> None:
    """``worth[depth]`` when a street ends with ``put`` chips of each player in the pot."""
    worth[depth] = 0
    if street == STREETS:
        for mine in range(10):
            for mood in range(reach.shape[1]):
                for other in range(10):
                    margin = diff + mine - other
                    if margin > 0:
                        worth[depth, mine] += put * reach[depth, mood, other]
                    elif margin < 0:
                        worth[depth, mine] -= put * reach[depth, mood, other]
        return
    reach[depth + 1] = reach[depth]
    for step in range(-9, 10):
        respond(moves, first, street + 1, diff + step, put, put, NO_PRIOR, 0, first, sizes, reach, worth, depth + 1)
        for mine in range(10):
            worth[depth, mine] += STEP[step + 9] * worth[depth + 1, mine]


@jit
def respond(
    moves: Moves,
    first: bool,
    street: int,
    diff: int,
    put: int,
    other_put: int,
    prior: int,
    raises: int,
    to_act: bool,
    sizes: Ints,
    reach: Floats,
    worth: Floats,
    depth: int,
) -> None:
    """``worth[depth, own hole]``: the responder's best gain, times the chance ``reach[depth, mood, hole]``.

    ``first`` says whether the responder opens; ``diff`` is its visible difference, and ``to_act`` whether it acts now.
    """
    pot = put + other_put
    total = reach[depth].sum()
    if total < TINY:
        worth[depth] = 0
        return
    if to_act:
        worth[depth] = -1e300
        reach[depth + 1] = reach[depth]
        for choice in range(-1 if prior > 0 else 0, sizes.size + 1 if raises < MAX_RAISES else 1):
            if choice < 0:
                worth[depth + 1] = -put * total
            elif choice == 0 and prior >= 0:
                end_street(moves, first, street, diff, put + prior, sizes, reach, worth, depth + 1)
            else:
                size = 0 if choice == 0 else sizes[choice - 1]
                more, count = put + max(prior, 0) + size, raises + (size > 0)
                respond(moves, first, street, diff, more, other_put, size, count, False, sizes, reach, worth, depth + 1)
            for mine in range(10):
                worth[depth, mine] = max(worth[depth, mine], worth[depth + 1, mine])
        return
    worth[depth] = 0
    for move in range(-1, 11):
        mass = 0.0
        for mood in range(reach.shape[1]):
            for other in range(10):
                fits = rule_move(moves[mood], street, prior, pot, raises, other + 1 - diff) == move
                reach[depth + 1, mood, other] = reach[depth, mood, other] if fits else 0.0
                mass += reach[depth + 1, mood, other]
        if mass < TINY:
            continue
        if move == FOLD:
            worth[depth + 1] = other_put * mass
        elif move == 0 and prior >= 0:
            end_street(moves, first, street, diff, other_put + prior, sizes, reach, worth, depth + 1)
        else:
            more, count = other_put + max(prior, 0) + move, raises + (move > 0)
            respond(moves, first, street, diff, put, more, move, count, True, sizes, reach, worth, depth + 1)
        worth[depth] += worth[depth + 1]


def best_gain(rules: RuleSet, sizes: tuple[int, ...] = SIZES, diffs: range = range(-18, 19)) -> float:
    """Chips a hand that the best response with these raises wins, opening every other hand."""
    weights, moves = rules.tables()
    reach, worth = np.zeros((60, len(weights), 10)), np.zeros((60, 10))
    gained = weight = 0.0
    for first in (True, False):
        for diff in diffs:
            reach[0] = weights[:, None] * CHANCE
            respond(moves, first, 1, diff, BUY_IN, BUY_IN, NO_PRIOR, 0, first, np.array(sizes), reach, worth, 0)
            gained += START[diff + 18] * float(CHANCE @ worth[0])
            weight += START[diff + 18]
    return gained / weight

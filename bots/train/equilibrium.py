"""A near-equilibrium of Blockhead by CFR+ (counterfactual regret minimisation).

The game solved: an endless deck, raises of 1 or 10, one hand from an empty pot. A seat knows its hole value, the
visible difference, this street's bets, the chips put in on earlier streets, and who raised last and who was clearly
ahead on the previous one: it forgets the rest. Two facts keep this small: cards matter only through the visible
difference, and a difference that no cards to come can close is as good as any larger one.

Every place of the game has a 10 x 10 matrix of values (opener's hole value, second's), so one sweep up the streets
evaluates both strategies and one sweep down carries how each player gets there; no history is walked twice.
"""

import numpy as np

from bots.strategies.blockhead.near_equilibrium import CLIP
from bots.train.reply import STEP, WEIGHTS, Floats
from bots.train.street import (
    ACTOR,
    CLASSES,
    ENDED,
    ENDINGS,
    FOLDED,
    IN_POT,
    LEADS,
    MOVES,
    NEXT,
    NODES,
    NOT_ALLOWED,
    PUTS,
    standing_at,
)
from protocol.games.kernels.blockhead import BUY_IN, Ints
from protocol.games.kernels.compiling import jit

CHANCE = WEIGHTS[1:].copy()

#: The chance of a visible difference of -18..18 from two cards each.
START = np.convolve(STEP, STEP)


@jit
def match_all(regrets: Floats, strategy: Floats) -> None:
    """Regret matching everywhere; where there is no regret, uniform over what is allowed."""
    for c in range(regrets.shape[0]):
        for d in range(regrets.shape[1]):
            for n in range(NODES):
                allowed = 0
                for move in range(MOVES):
                    allowed += LEADS[n, move] != NOT_ALLOWED
                for hole in range(10):
                    total = 0.0
                    for move in range(MOVES):
                        total += regrets[c, d, n, hole, move]
                    for move in range(MOVES):
                        if total > 0:
                            strategy[c, d, n, hole, move] = regrets[c, d, n, hole, move] / total
                        else:
                            strategy[c, d, n, hole, move] = (LEADS[n, move] != NOT_ALLOWED) / allowed


@jit
def carry_down(strategy: Floats, here: Floats, reaches: Floats) -> None:
    """``reaches[node, player, hole]`` inside one street, from ``here[player, hole]`` at its start."""
    reaches[:] = 0
    reaches[0] = here
    for n in range(NODES):
        actor = ACTOR[n]
        for move in range(MOVES):
            to = LEADS[n, move]
            if to >= 0:
                reaches[to, 1 - actor] = reaches[n, 1 - actor]
                for hole in range(10):
                    reaches[to, actor, hole] = reaches[n, actor, hole] * strategy[n, hole, move]


@jit
def sweep_down(strategy: Floats, next_class: Ints, reach: Floats, below: Floats, clip: int, clip_below: int) -> None:
    """Add to ``below`` (class, difference, player, hole) how the players get to the next street's start."""
    reaches = np.empty((NODES, 2, 10))
    ends = np.empty((2, 10))
    below[:] = 0
    for c in range(strategy.shape[0]):
        for d in range(strategy.shape[1]):
            standing = standing_at(d - clip)
            carry_down(strategy[c, d], reach[c, d], reaches)
            for n in range(NODES):
                to = LEADS[n, 1]
                if to > ENDED:
                    continue
                actor = ACTOR[n]
                for hole in range(10):
                    ends[1 - actor, hole] = reaches[n, 1 - actor, hole]
                    ends[actor, hole] = reaches[n, actor, hole] * strategy[c, d, n, hole, 1]
                target = next_class[c, standing, ENDED - to]
                for step in range(-9, 10):
                    diff = min(max(d - clip + step, -clip_below), clip_below)
                    below[target, diff + clip_below] += STEP[step + 9] * ends


END_PUT = np.array([x for x, _ in ENDINGS])


@jit
def showdown(diff: int, stake: int, values: Floats) -> None:
    """The opener's values of a showdown for ``stake`` chips, by hole values."""
    for i in range(10):
        for j in range(10):
            margin = diff + i - j
            values[i, j] = stake if margin > 0 else -stake if margin < 0 else 0


@jit
def value_ends(
    street: int, diff: int, base: int, next_classes: Ints, above: Floats, clip_next: int, at_end: Floats
) -> None:
    """The opener's values of each ending of a street: a showdown, or the next street from the cards to come."""
    at_end[:] = 0
    for e in range(END_PUT.size):
        if street == 3:
            showdown(diff, base + END_PUT[e], at_end[e])
            continue
        for step in range(-9, 10):
            below = min(max(diff + step, -clip_next), clip_next)
            at_end[e] += STEP[step + 9] * above[next_classes[e], below + clip_next]


@jit
def value_place(n: int, base: int, strategy: Floats, value: Floats, at_end: Floats, of_move: Floats) -> None:
    """Fill ``of_move`` and ``value[n]``, the opener's values at a place whose later places are known."""
    actor = ACTOR[n]
    value[n] = 0
    for move in range(MOVES):
        to = LEADS[n, move]
        if to == NOT_ALLOWED:
            continue
        if to == FOLDED:
            lost = base + PUTS[n, actor]
            of_move[move] = -lost if actor == 0 else lost
        else:
            of_move[move] = value[to] if to >= 0 else at_end[ENDED - to]
        for i in range(10):
            for j in range(10):
                value[n, i, j] += strategy[i if actor == 0 else j, move] * of_move[move, i, j]


@jit
def learn(
    n: int, strategy: Floats, regrets: Floats, average: Floats, of_move: Floats, reaches: Floats, weight: float
) -> None:
    """Move on the regrets (CFR+: never below 0) and the average strategy of who acts at a place."""
    actor = ACTOR[n]
    gains = np.zeros(MOVES)
    for hole in range(10):
        mean = 0.0
        for move in range(MOVES):
            gains[move] = 0
            if LEADS[n, move] == NOT_ALLOWED:
                continue
            for other in range(10):
                seen = CHANCE[other] * reaches[1 - actor, other]
                gains[move] += seen * (of_move[move, hole, other] if actor == 0 else -of_move[move, other, hole])
            mean += strategy[hole, move] * gains[move]
        for move in range(MOVES):
            if LEADS[n, move] != NOT_ALLOWED:
                regrets[hole, move] = max(regrets[hole, move] + gains[move] - mean, 0.0)
                average[hole, move] += weight * reaches[actor, hole] * strategy[hole, move]


@jit
def sweep_up(
    street: int,
    buy_in: int,
    strategy: Floats,
    regrets: Floats,
    average: Floats,
    in_pot: Ints,
    next_class: Ints,
    reach: Floats,
    above: Floats,
    values: Floats,
    clip: int,
    clip_next: int,
    learner: int,
    weight: float,
) -> None:
    """Fill ``values`` (class, difference, hole, hole) of a street from the next one's (``above``).

    ``learner`` 0 or 1 learns; -1 is nobody.
    """
    reaches = np.zeros((NODES, 2, 10))
    value = np.zeros((NODES, 10, 10))
    of_move = np.zeros((MOVES, 10, 10))
    at_end = np.zeros((END_PUT.size, 10, 10))
    for c in range(strategy.shape[0]):
        base = buy_in + in_pot[c]
        for d in range(strategy.shape[1]):
            if learner >= 0:
                carry_down(strategy[c, d], reach[c, d], reaches)
            next_classes = next_class[min(c, next_class.shape[0] - 1), standing_at(d - clip)]
            value_ends(street, d - clip, base, next_classes, above, clip_next, at_end)
            for n in range(NODES - 1, -1, -1):
                value_place(n, base, strategy[c, d, n], value, at_end, of_move)
                if ACTOR[n] == learner:
                    learn(n, strategy[c, d, n], regrets[c, d, n], average[c, d, n], of_move, reaches[n], weight)
            values[c, d] = value[0]


def width(street: int) -> int:
    """How many visible differences a street tells apart."""
    return 2 * CLIP[street] + 1


class Solver:
    """CFR+ with alternating updates and averages weighted by the iteration.

    ``buy_in`` is what each player has in the pot when the hand begins, half of a carried pot included.
    """

    def __init__(self, buy_in: int = BUY_IN) -> None:
        self.buy_in = buy_in
        shapes = [(len(CLASSES[s]), width(s), NODES, 10, MOVES) for s in (1, 2, 3)]
        self.strategy = [np.zeros(shape) for shape in shapes]
        self.regrets = [np.zeros(shape) for shape in shapes]
        self.average = [np.zeros(shape) for shape in shapes]
        self.reach = [np.zeros((*shape[:2], 2, 10)) for shape in shapes]
        self.values = [np.zeros((*shape[:2], 10, 10)) for shape in shapes]
        margin = CLIP[1]
        self.reach[0][0, margin - 18 : margin + 19] = START[:, None, None]

    def iterate(self, number: int) -> None:
        """Both players learn once."""
        for learner in (0, 1):
            for regrets, strategy in zip(self.regrets, self.strategy, strict=True):
                match_all(regrets, strategy)
            self.sweep(self.strategy, learner, float(number))

    def sweep(self, strategy: list[Floats], learner: int, weight: float) -> float:
        """Down, then up; returns the opener's value of a hand."""
        for s in (0, 1):
            sweep_down(strategy[s], NEXT[s + 1], self.reach[s], self.reach[s + 1], CLIP[s + 1], CLIP[s + 2])
        for s in (2, 1, 0):
            above = self.values[s + 1] if s < 2 else np.zeros((1, 1, 10, 10))
            sweep_up(
                s + 1,
                self.buy_in,
                strategy[s],
                self.regrets[s],
                self.average[s],
                IN_POT[s + 1],
                NEXT[s + 1],
                self.reach[s],
                above,
                self.values[s],
                CLIP[s + 1],
                CLIP[s + 2] if s < 2 else 0,
                learner,
                weight,
            )
        margin = CLIP[1]
        matrix = np.tensordot(START, self.values[0][0, margin - 18 : margin + 19], 1)
        return float(CHANCE @ matrix @ CHANCE)

    def mean_strategy(self) -> list[Floats]:
        """The average strategy; uniform where nobody ever got."""
        result = []
        for average in self.average:
            strategy = np.zeros_like(average)
            match_all(average, strategy)
            result.append(strategy)
        return result

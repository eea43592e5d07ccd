"""Solve dice exactly, for each B: ``python -m bots.train.dice_equilibrium``. A second.

The equilibrium of a game for two is a pair of linear programs (von Neumann, 1928; here in the form of Koller, Megiddo
and von Stengel, Games and Economic Behavior 14, 1996): the first player chooses how often it bets with each die, so
that the second player's best response leaves it the most; the second player likewise. The solutions have small
denominators, so the fractions are found again from the floating-point numbers, and checked exactly: the best responses
to both plans have the same value.
"""

import argparse
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linprog

from bots.strategies.dice.plan import PATH, Bets, Plan, best_first, best_second, sign, value
from protocol.dice import SIDES
from protocol.games.dice import BET_SIZES, BLINDS

#: No probability of an equilibrium has a larger denominator.
LARGEST_DENOMINATOR = 400

_DICE = range(1, SIDES + 1)


def solve(bet: int) -> Plan:
    """The equilibrium for one B.

    Raises:
        ArithmeticError: the fractions found are no equilibrium.
    """
    plan = Plan(_first(bet), _second(bet))
    most = value(bet, best_first(bet, plan.second), plan.second)
    least = value(bet, plan.first, best_second(bet, plan.first))
    if most != least:
        raise ArithmeticError(f"B={bet}: the best responses win {most} and leave {least}; both should be the same")
    return plan


def _first(bet: int) -> Bets:
    """Maximise, over how often each die bets, what is left by the best answer with each die of the second player.

    The variables are the six probabilities, and for each die of the second player the first one's gain.
    """
    rows, bounds = [], []
    for other in _DICE:
        gain = [float(place == other - 1) for place in range(SIDES)]
        for after_bet in ([BLINDS[1]] * SIDES, [bet * sign(own, other) for own in _DICE]):
            rows.append([*(-(chips + BLINDS[0]) / SIDES**2 for chips in after_bet), *gain])
            bounds.append(-BLINDS[0] / SIDES)
    return _fractions([0.0] * SIDES + [-1.0] * SIDES, rows, bounds)


def _second(bet: int) -> Bets:
    """Minimise, over how often each die calls, what the best choice of the first player wins with each of its dice."""
    rows, bounds = [], []
    for own in _DICE:
        gain = [-float(place == own - 1) for place in range(SIDES)]
        rows.append([*((bet * sign(own, other) - BLINDS[1]) / SIDES**2 for other in _DICE), *gain])
        bounds.append(-BLINDS[1] / SIDES)
        rows.append([*([0.0] * SIDES), *gain])
        bounds.append(BLINDS[0] / SIDES)
    return _fractions([0.0] * SIDES + [1.0] * SIDES, rows, bounds)


def _fractions(costs: Sequence[float], rows: Sequence[Sequence[float]], bounds: Sequence[float]) -> Bets:
    """The six probabilities of a solution."""
    limits = [(0.0, 1.0)] * SIDES + [(None, None)] * SIDES
    found: Any = linprog(costs, A_ub=np.array(rows), b_ub=np.array(bounds), bounds=limits, method="highs-ds")
    return tuple(Fraction(float(chance)).limit_denominator(LARGEST_DENOMINATOR) for chance in found.x[:SIDES])


def main() -> None:
    """Write the table, and show the value of each B."""
    parser = argparse.ArgumentParser(description="Solve dice exactly, and write the table of dice-equilibrium.")
    parser.add_argument("--out", type=Path, default=PATH)
    out = parser.parse_args().out
    plans = {bet: solve(bet) for bet in BET_SIZES}
    rows = [(bet, second, *bets) for bet, plan in plans.items() for second, bets in enumerate(plan)]
    out.write_text("".join(f"{' '.join(map(str, row))}\n" for row in rows), "ascii")
    values = {bet: value(bet, *plan) for bet, plan in plans.items()}
    for bet, worth in values.items():
        print(f"B={bet:<3} {float(worth):+.6f} chips a hand for the first player ({worth})")
    mean = sum(values.values()) / len(values)
    print(f"mean  {float(mean):+.6f} ({mean})")
    print(out)


if __name__ == "__main__":
    main()

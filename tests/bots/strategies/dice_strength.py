"""How strong ``dice-adaptive`` is against players that never change.

It plays fixed simple strategies and the equilibrium for so many deals. Then what its decisions are worth is computed
exactly, so that only what it has learned depends on chance. Intervals are at 95 %, over several seeds.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from statistics import variance

from bots.strategies.dice.adaptive import DiceAdaptive
from bots.strategies.dice.equilibrium import flat_table, place
from bots.strategies.dice.plan import best_first, best_second, value
from protocol.dice import SIDES
from protocol.estimates.intervals import Estimate, mean_of
from protocol.games.base import FOLD
from protocol.games.dice import BET_SIZES, DiceStatus, DiceTurn

#: How often a player bets: by B, role and die.
Policy = Callable[[int, int, int], float]

#: Fixed simple strategies.
SIMPLE: dict[str, Policy] = {
    "always": lambda bet, second, die: 1.0,
    "never": lambda bet, second, die: 0.0,
    "half": lambda bet, second, die: 0.5,
    "two": lambda bet, second, die: float(die >= 2),
    "four": lambda bet, second, die: float(die >= 4),
    "five": lambda bet, second, die: float(die >= 5),
    "six": lambda bet, second, die: float(die == 6),
    "luck": lambda bet, second, die: die / SIDES,
    "inverse": lambda bet, second, die: (7 - die) / SIDES,
    "by role": lambda bet, second, die: float(die >= (5 if second else 2)),
    "by B": lambda bet, second, die: float(bet <= 8),
    "price": lambda bet, second, die: float(die >= 2 + (bet + 1) // 4),
    "in line": lambda bet, second, die: float(3 * die > bet),
    "steps of B": lambda bet, second, die: float(die >= (2 if bet <= 6 else 4 if bet <= 12 else 6)),
    "odd B": lambda bet, second, die: float(bet % 2 == 1 or die >= 5),
    "bluffs": lambda bet, second, die: float(die in {1, 5, 6}),
    "mostly four": lambda bet, second, die: 0.8 if die >= 4 else 0.1,
}

#: Deals after which the gain is measured.
MARKS = (5_000, 50_000)

_TABLE = flat_table()

#: The number that the opponent has.
OPPONENT = 5


def equilibrium_policy(bet: int, second: int, die: int) -> float:
    return _TABLE[place(bet, second, die)]


def gain(policy: Policy, opponent: Policy) -> float:
    """Chips a deal on average over both roles, exactly."""
    total = Fraction(0)
    for bet in BET_SIZES:
        own, other = (_exact([policy(bet, role, die) for die in range(1, 7)]) for role in (0, 1))
        first, second = (_exact([opponent(bet, role, die) for die in range(1, 7)]) for role in (0, 1))
        total += value(bet, own, second) - value(bet, first, other)
    return float(total) / len(BET_SIZES) / 2


def best(opponent: Policy) -> float:
    plans = {}
    for bet in BET_SIZES:
        first, second = (_exact([opponent(bet, role, die) for die in range(1, 7)]) for role in (0, 1))
        plans[bet] = best_first(bet, second), best_second(bet, first)
    return gain(lambda bet, role, die: float(plans[bet][role][die - 1]), opponent)


def _exact(chances: list[float]) -> tuple[Fraction, ...]:
    return tuple(Fraction(chance).limit_denominator(1000) for chance in chances)


def learned(bot: DiceAdaptive, opponent: Policy, deals: int, chance: Random) -> Policy:
    """What the bot does after so many more deals against ``OPPONENT``."""
    for number in range(deals):
        bet, own, other = chance.choice(BET_SIZES), chance.randint(1, 6), chance.randint(1, 6)
        second = number % 2
        if second and chance.random() >= opponent(bet, 0, other):
            bot.hand_over(DiceStatus(1, False, 0, 1))
            continue
        if bot.decide(DiceTurn(bet, second, own, OPPONENT)) == FOLD:
            continue
        called = second or chance.random() < opponent(bet, 1, other)
        bot.hand_over(DiceStatus(second, bool(called), other if called else 0, 0))
    return lambda bet, role, die: bot.chance(bet, role, die, OPPONENT)


def gains(opponent: Policy, marks: Sequence[int], seed: int) -> list[float]:
    """What the decisions of a bot are worth after so many deals each."""
    bot, chance, found = DiceAdaptive(Random(f"bot {seed}")), Random(f"dice {seed}"), []
    for before, mark in zip((0, *marks), marks, strict=False):
        found.append(gain(learned(bot, opponent, mark - before, chance), opponent))
    return found


def shares(name: str, seeds: int) -> list[Estimate]:
    """Which part of the best response's gain the bot makes after each of ``MARKS``."""
    most = best(SIMPLE[name])
    rows = [[won / most for won in gains(SIMPLE[name], MARKS, seed)] for seed in range(seeds)]
    return [mean_of(seeds, sum(at) / seeds, variance(at)) for at in zip(*rows, strict=True)]

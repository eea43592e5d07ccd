"""The bots of dice: the equilibrium cannot be exploited, the samples do what they say, and the adaptive one learns.

It plays fixed simple strategies and the equilibrium for so many deals. Then what its decisions are worth is computed
exactly, so that only what it has learned depends on chance. Intervals are at 95 %, over several seeds.
"""

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import variance

import pytest

from bots.arena import play_game
from bots.strategies.caller import Caller
from bots.strategies.dice.adaptive import DiceAdaptive
from bots.strategies.dice.equilibrium import DiceEquilibrium, flat_table, place
from bots.strategies.dice.plan import PATH, best_first, best_second, equilibrium, value
from bots.strategies.dice.samples import Four, Luck, Memory, Price
from bots.strategy import Simple, Strategy
from bots.train.dice_equilibrium import main, solve
from protocol.dice import SIDES
from protocol.estimates.intervals import Estimate, mean_of
from protocol.games.base import FOLD, Bet
from protocol.games.dice import BET_SIZES, DiceGame, DiceStatus, DiceTurn
from protocol.shuffle import seed_from_text

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


# The bots of dice: the equilibrium cannot be exploited, the samples do what they say, and the adaptive one learns.

#: Chips a hand for the first player when both play an equilibrium.
VALUES = {
    3: Fraction(1, 10), 4: Fraction(0), 5: Fraction(-1, 21), 6: Fraction(-1, 8), 7: Fraction(-2, 9),
    8: Fraction(-11, 45), 9: Fraction(-3, 11), 10: Fraction(-11, 36), 11: Fraction(-40, 117), 12: Fraction(-8, 21),
    13: Fraction(-19, 45), 14: Fraction(-67, 144), 15: Fraction(-26, 51), 16: Fraction(-5, 9), 17: Fraction(-5, 9),
    18: Fraction(-5, 9),
}  # fmt: skip


@pytest.mark.parametrize("bet", BET_SIZES)
def test_best_responses_to_the_equilibrium_gain_nothing(bet: int) -> None:
    plan = equilibrium()[bet]
    assert value(bet, *plan) == VALUES[bet]
    assert value(bet, best_first(bet, plan.second), plan.second) == VALUES[bet]
    assert value(bet, plan.first, best_second(bet, plan.first)) == VALUES[bet]


def test_mean_value_of_the_game() -> None:
    assert float(sum(VALUES.values()) / len(VALUES)) == pytest.approx(-0.3065, abs=0.00005)


def test_shipped_table_is_the_solution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The values are unique, the plans are not: another version of the solver may find others, which are as good."""
    monkeypatch.setattr(sys, "argv", ["dice_equilibrium", "--out", str(tmp_path / "table")])
    main()
    assert len((tmp_path / "table").read_text("ascii").splitlines()) == len(PATH.read_text("ascii").splitlines()) == 32
    assert "mean  -0.306523" in capsys.readouterr().out
    assert all(value(bet, *solve(bet)) == VALUES[bet] for bet in (3, 9))


def test_equilibrium_plays_its_table() -> None:
    bot, bets = DiceEquilibrium(Random(1)), 0
    for _ in range(4000):
        bets += bot.decide(DiceTurn(14, 0, 3, 0)) != FOLD
    assert abs(bets / 4000 - 5 / 8) < 0.031  # four standard deviations
    assert all(isinstance(bot.decide(DiceTurn(bet, role, 6, 0)), Bet) for bet in BET_SIZES for role in (0, 1))


@pytest.mark.parametrize(
    ("bot", "bets"),
    [
        (Four, lambda bet, die: die >= 4),
        (Price, lambda bet, die: die >= {3: 3, 6: 3, 7: 4, 10: 4, 11: 5, 14: 5, 15: 6, 18: 6}[bet]),
        (Memory, lambda bet, die: die >= 4),
    ],
)
def test_samples_bet_by_their_rules(bot: type[Simple], bets: Callable[[int, int], bool]) -> None:
    for bet in (3, 6, 7, 10, 11, 14, 15, 18):
        for second in (0, 1):
            for die in range(1, 7):
                turn = DiceTurn(bet, second, die, 0)
                expected = Bet(turn.owed) if bets(bet, die) else FOLD
                assert bot(Random(0)).decide(turn) == expected  # type: ignore[attr-defined]


def test_luck_bets_more_often_with_a_higher_die() -> None:
    bot = Luck(Random(2))
    for die in range(1, 7):
        bets = sum(bot.decide(DiceTurn(9, 0, die, 0)) != FOLD for _ in range(3000))
        assert abs(bets / 3000 - die / 6) < 0.037


def test_memory_bluffs_who_folds_and_calls_by_the_dice_it_was_shown() -> None:
    bot = Memory(Random(0))
    for _ in range(3):
        bot.decide(DiceTurn(9, 0, 5, 700))
        bot.hand_over(DiceStatus(0, False, 0, 2))
    assert bot.decide(DiceTurn(9, 0, 1, 700)) == Bet(8)
    assert bot.decide(DiceTurn(9, 0, 1, 701)) == FOLD  # another opponent
    bot.decide(DiceTurn(9, 1, 6, 700))
    bot.hand_over(DiceStatus(1, True, 2, 9))
    assert bot.decide(DiceTurn(9, 1, 2, 700)) == Bet(7)


@pytest.mark.parametrize("name", ["four", "price", "luck", "bluffs"])
def test_adaptive_learns_simple_strategies_within_5000_deals(name: str) -> None:
    """At least 95 % of the best response's gain, as the mean of three fixed seeds."""
    made = [gains(SIMPLE[name], [5000], seed)[0] for seed in (0, 1, 2)]
    assert sum(made) / 3 >= 0.95 * best(SIMPLE[name])


@pytest.mark.heavy
@pytest.mark.parametrize("name", SIMPLE)
def test_adaptive_learns_each_simple_strategy(name: str) -> None:
    """At least 95 % of the best response's gain after 5,000 deals and 99 % after 50,000, over twenty fixed seeds."""
    early, late = shares(name, 20)
    print(f"{name}: the best response wins {best(SIMPLE[name]):.4f}, of which it makes {early} and {late}")
    assert early.value >= 0.95
    assert late.value >= 0.99


def test_adaptive_is_the_equilibrium_until_it_knows_more() -> None:
    bot, table = DiceAdaptive(Random(0)), flat_table()
    for bet in BET_SIZES:
        for second in (0, 1):
            for die in range(1, 7):
                assert bot.chance(bet, second, die, 3) == pytest.approx(table[place(bet, second, die)])


def test_adaptive_loses_little_to_the_equilibrium() -> None:
    losses = []
    for seed in range(4):
        bot, chance = DiceAdaptive(Random(seed)), Random(seed + 10)
        losses += [gain(learned(bot, equilibrium_policy, 500, chance), equilibrium_policy) for _ in range(6)]
    assert sum(losses) / len(losses) > -0.02


def test_adaptive_notices_that_an_opponent_has_changed() -> None:
    """A row of counts is halved when it is full, so that old deals fade."""
    bot, turn = DiceAdaptive(Random(0)), DiceTurn(9, 0, 6, 5)
    bot.decide(turn)
    for _ in range(20_000):
        bot.hand_over(DiceStatus(0, False, 0, 2))
    assert bot.chance(9, 0, 1, 5) == 1.0
    for number in range(6_000):
        bot.hand_over(DiceStatus(0, True, 1 + number % 6, 0))
    assert bot.chance(9, 0, 1, 5) == 0.0


def test_models_are_kept_by_opponent() -> None:
    bot = DiceAdaptive(Random(0))
    learned(bot, SIMPLE["always"], 4000, Random(3))
    assert bot.chance(18, 1, 5, 5) == 1.0
    assert bot.chance(18, 1, 5, 6) == 0.0


def test_games_between_bots_keep_the_rules() -> None:
    makers: list[Callable[[Random], Strategy]] = [DiceAdaptive, DiceEquilibrium, Four, Price, Luck, Memory, Caller]
    for number, maker in enumerate(makers):
        strategies = [maker(Random(1)), makers[number - 1](Random(2))]
        hands = list(play_game(DiceGame(hands=60), strategies, seed_from_text("dice"), 1))
        assert len(hands) == 60

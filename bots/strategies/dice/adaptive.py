"""``dice-adaptive``: learns how each opponent answers bets and with which dice it bets, and plays the best response.

For each opponent, role and B it counts what a bet of its own has led to: a fold, or a showdown with each die. Its own
die has no influence on the opponent's, so the counts are a fair sample, whatever it held itself. With a six a bet
never wins less than a fold, so it always bets a six, and the sample grows against everybody.

A decision compares a bet with a fold over a sample made in three steps:

1. To these counts come those with a B close by, which weigh less, and ``PRIOR`` deals against the equilibrium player.
   All those count ``NEIGHBOURS`` deals at most, and fewer if they differ from the counts by more than chance explains.
2. An opponent bets many dice always: the numbers of those dice differ by chance alone. So each number is moved towards
   what it would be for a die that is always bet, the closer the more, and the more the larger the sample is.
3. Unless the answers differ by more than ``MARGIN`` chips a deal, the equilibrium decides.

A row of counts that has reached ``LIMIT`` deals is halved, so that an opponent may change. Every call takes the same
time. The same program in C++ is ``bots/bulk/cpp/house/dice-adaptive.cpp``; tests hold both equal. So sums are written
out: ``sum`` rounds otherwise than C++ does.
"""

from array import array
from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import ClassVar

from bots.strategies.dice.equilibrium import draw, flat_table, place
from bots.strategies.dice.plan import sign
from bots.strategies.dice.samples import OPPONENTS
from bots.strategy import Level, Simple
from protocol.dice import SIDES
from protocol.games.base import FOLD, Action, Bet
from protocol.games.dice import BET_SIZES, BLINDS, NAME, DiceStatus, DiceTurn

#: What a bet leads to: a fold, or a showdown with a die of 1 to 6.
OUTCOMES = 1 + SIDES

#: What a deal weighs for a B that is 1, 2, 3 or 4 away.
WEIGHTS = (0.4, 0.16, 0.064, 0.0256)

#: How often the equilibrium player counts as met with a B close by.
PRIOR = 3.0

#: How many deals the counts with other B stand for, at most.
NEIGHBOURS = 100.0

#: The same where they differ: so often the spread of one deal, in parts of how far they are beyond chance.
AGREEMENT = 0.25

#: How much a die is taken for one that is always bet, with 6 deals.
SURE = 0.3

#: Chips a deal by which one answer must be better, to be played against the equilibrium.
MARGIN = 0.02

#: Deals of a row after which its counts are halved.
LIMIT = 4096

# A row has 8 places, of which 7 are used. Beside the 16 rows of every B lie 4 empty ones on both sides.
_PLACES = 8
_BESIDE = len(WEIGHTS)
_ROWS = len(BET_SIZES) + 2 * _BESIDE


class DiceAdaptive(Simple):
    """An exploiter with a model of each opponent, which takes 1.5 MB for 1024 of them."""

    games: ClassVar = (NAME,)
    default_in: ClassVar = {NAME: 1}
    level: ClassVar[Level] = "hard"
    source: ClassVar = "the house's best of dice: counts what each opponent does; an equilibrium while that is little"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._equilibrium = flat_table()
        self._prior = _prior(self._equilibrium)
        # [((opponent 2 + role) 24 + B + 1) 8 + outcome]
        self._counts = array("i", bytes(4 * OPPONENTS * 2 * _ROWS * _PLACES))
        self._opponent = 0
        self._second = 0
        self._bet = BET_SIZES[0]

    def decide(self, turn: DiceTurn) -> Action:
        """Bet or fold by what is known of the opponent."""
        self._opponent = turn.opponent % OPPONENTS
        self._second = turn.second
        self._bet = turn.bet
        chance = self.chance(turn.bet, turn.second, turn.die, turn.opponent)
        return Bet(turn.owed) if draw(self.rng, chance) else FOLD

    def chance(self, bet: int, second: int, die: int, opponent: int) -> float:
        """How often to bet: 0 or 1 where the sample says what is better, else as the equilibrium."""
        row = _row(opponent % OPPONENTS, second, bet)
        own = self._counts[row : row + OUTCOMES]
        near = list(self._prior[second][bet - BET_SIZES[0]])
        for away, weight in enumerate(WEIGHTS, 1):
            lower, higher = row - away * _PLACES, row + away * _PLACES
            for outcome in range(OUTCOMES):
                near[outcome] += weight * (self._counts[lower + outcome] + self._counts[higher + outcome])
        share = _share(own, near)
        sample = [times + share * other for times, other in zip(own, near, strict=True)]
        _sharpen(sample, second, share * PRIOR)
        size, total = 0.0, 0.0
        for outcome, times in enumerate(sample):
            size += times
            total += times * (BLINDS[second] + (bet * sign(die, outcome) if outcome else BLINDS[1]))
        if abs(total) <= MARGIN * size:
            return self._equilibrium[place(bet, second, die)]
        return 1.0 if total > 0 else 0.0

    def hand_over(self, status: DiceStatus) -> None:
        """Count what the last bet has led to; nothing if the first player has folded, since then nothing was asked."""
        if status.second and not status.showdown:
            return
        row = _row(self._opponent, self._second, self._bet)
        counts = self._counts
        counts[row + status.die] += 1
        if sum(counts[row : row + OUTCOMES]) >= LIMIT:
            for outcome in range(OUTCOMES):
                counts[row + outcome] //= 2


def _row(opponent: int, second: int, bet: int) -> int:
    return ((opponent * 2 + second) * _ROWS + bet - BET_SIZES[0] + _BESIDE) * _PLACES


def _share(own: Sequence[int], near: Sequence[float]) -> float:
    """The part of the counts with other B that is added to these counts: step 1."""
    deals, others = 0, 0.0
    for times, other in zip(own, near, strict=True):
        deals += times
        others += other
    most = NEIGHBOURS
    if deals:
        spread, distance = 1.0, 0.0
        for times, other in zip(own, near, strict=True):
            part = other / others
            apart = times / deals - part
            spread -= part * part
            distance += apart * apart
        beyond = distance - spread / deals - spread / others
        if beyond * NEIGHBOURS > AGREEMENT * spread:
            most = AGREEMENT * spread / beyond
    return min(1.0, most / others)


def _sharpen(sample: list[float], second: int, prior: float) -> None:
    """Move the numbers of dice towards that of a die that is always bet: step 2.

    Args:
        sample: how often a bet led to each outcome.
        second: who has bet: 1 if the opponent answered as the first player, 0 as the second.
        prior: how many deals of the sample were never played.
    """
    size = 0.0
    for times in sample:
        size += times
    always = _usual(sample) if second else size / SIDES
    sure = SURE * sqrt(max(size - prior, 0.0) / SIDES)
    stays = 0.0
    for die in range(1, OUTCOMES):
        weight = sure * _closeness(sample[die], always)
        times = (sample[die] + weight * always) / (1.0 + weight)
        sample[die] = times if second else min(times, always)
        stays += sample[die]
    if not second:
        sample[0] = size - stays


def _usual(sample: Sequence[float]) -> float:
    """How often a die was shown by a first player who always bets it: about the mean of the largest numbers."""
    largest = 0.0
    for die in range(1, OUTCOMES):
        largest = max(largest, sample[die])
    total, weights = 0.0, 0.0
    for die in range(1, OUTCOMES):
        weight = _closeness(sample[die], largest)
        total += weight * sample[die]
        weights += weight
    return total / weights


def _closeness(times: float, expected: float) -> float:
    """About exp(-z**2 / 2) of the normal distribution, by arithmetic alone, which gives the same in all languages."""
    away = times - expected
    fit = 1.0 + away * away / (8.0 * expected)
    return 1.0 / (fit * fit * fit * fit)


def _prior(equilibrium: Sequence[float]) -> list[list[list[float]]]:
    """What ``PRIOR`` bets lead to against the equilibrium player: by role, B and outcome."""
    return [[_against_equilibrium(equilibrium, second, bet) for bet in BET_SIZES] for second in (0, 1)]


def _against_equilibrium(equilibrium: Sequence[float], second: int, bet: int) -> list[float]:
    # a first player's bet is answered by the second player; a second player answers a bet of the first
    times = [0.0, *(equilibrium[place(bet, 1 - second, die)] for die in range(1, OUTCOMES))]
    stays = 0.0
    for often in times:
        stays += often
    times[0] = 0.0 if second else SIDES - stays
    size = times[0] + stays
    return [PRIOR * often / size for often in times]

"""How often a player of dice bets: a plan for both roles, and what one plan wins from another, in exact fractions."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

from protocol.dice import SIDES
from protocol.games.dice import BET_SIZES, BLINDS

#: Written by ``python -m bots.train.dice_equilibrium``: a line for each B and role with the fraction of bets by die.
PATH = Path(__file__).with_name("equilibrium.txt")

#: How often a player bets, by its die from 1 to 6.
Bets = tuple[Fraction, ...]

_DICE = range(1, SIDES + 1)


class Plan(NamedTuple):
    """How often a player bets with one B.

    Attributes:
        first: as the first player, by die.
        second: as the second player, after a bet, by die.
    """

    first: Bets
    second: Bets


@cache
def equilibrium() -> dict[int, Plan]:
    """The equilibrium for each B: no plan wins more against it than the value of the game."""
    rows: dict[tuple[int, int], Bets] = {}
    for line in PATH.read_text("ascii").splitlines():
        bet, second, *bets = line.split()
        rows[int(bet), int(second)] = tuple(map(Fraction, bets))
    return {bet: Plan(rows[bet, 0], rows[bet, 1]) for bet in BET_SIZES}


def sign(own: int, other: int) -> int:
    """Who wins a showdown: 1, 0 or -1."""
    return (own > other) - (own < other)


def value(bet: int, first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    """Chips that the first player wins a hand on average.

    Args:
        bet: B.
        first: how often the first player bets, by die.
        second: how often the second player calls, by die.
    """
    total = Fraction(0)
    for own, bets in zip(_DICE, first, strict=True):
        for other, calls in zip(_DICE, second, strict=True):
            after_bet = calls * bet * sign(own, other) + (1 - calls) * BLINDS[1]
            total += bets * after_bet - (1 - bets) * BLINDS[0]
    return total / SIDES**2


def best_first(bet: int, second: Sequence[Fraction]) -> Bets:
    """The first player's best response to how often the second calls, by die: always or never."""
    gains = [value(bet, _only(die), second) - value(bet, _never(), second) for die in _DICE]
    return tuple(Fraction(gain > 0) for gain in gains)


def best_second(bet: int, first: Sequence[Fraction]) -> Bets:
    """The second player's best response to how often the first bets, by die: always or never."""
    gains = [value(bet, first, _never()) - value(bet, first, _only(die)) for die in _DICE]
    return tuple(Fraction(gain > 0) for gain in gains)


def _only(die: int) -> Bets:
    return tuple(Fraction(other == die) for other in _DICE)


def _never() -> Bets:
    return (Fraction(0),) * SIDES

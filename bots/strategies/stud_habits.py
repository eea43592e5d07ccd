"""Habits: how kinds of players answer questions of three-card stud, by hole card and by number of the question.

Five habits look at a player's own cards alone. The last one is that of a player who counts chances as ``stud`` does:
what it does follows from the *quality* of its cards (see ``stud_quality``). The more often it has been asked on a
street, the better are the cards with which it raises again, so a long series of raises tells of strong cards.
"""

from collections.abc import Sequence
from functools import cache
from math import exp
from typing import NamedTuple

from bots.strategies.stud_quality import Up
from bots.strategies.stud_street_one import Kinds
from protocol.cards import Rank, Suit

#: A raise expected against a habit. No chance is 0 or 1: one exception would rule out a habit for ever, because Bayes'
#: rule multiplies.
SELDOM = 0.03

#: Further raises of a street that are reckoned with, at most.
HORIZON = 4


class Habit(NamedTuple):
    """How a kind of player answers, by how good its hole card looks: see ``_looks``.

    Attributes:
        stays: the chance not to fold when it has to pay.
        raises: the chance to raise.
        often: at how many questions of a street it raises so; at later ones it raises with the chance ``SELDOM``.
    """

    stays: tuple[float, float, float, float, float]
    raises: tuple[float, float, float, float, float]
    often: int = HORIZON


# Looks are: a pair, a high spade, another spade, a high card, nothing.
HABITS = (
    Habit((0.98,) * 5, (SELDOM,) * 5),  # calls, with any cards
    Habit((0.98,) * 5, (0.9,) * 5, 3),  # raises, with any cards
    Habit((0.67,) * 5, (0.33,) * 5),  # does not look at its cards
    Habit((0.98, 0.98, 0.4, 0.4, 0.1), (0.9, 0.9, SELDOM, SELDOM, SELDOM), 2),  # picks its hands
    Habit((0.98, 0.05, 0.05, 0.05, 0.05), (0.9, SELDOM, SELDOM, SELDOM, SELDOM), 1),  # waits for a pair
)
#: Those, and the habit of a player who counts chances.
COUNT = len(HABITS) + 1
ALIKE = (1 / COUNT,) * COUNT

#: The qualities from which a player who counts chances raises, by number of the question.
RAISES_FROM = (1.3, 1.8, 2.2, 2.6, 3.0)
#: The quality from which it stays.
STAYS_FROM = 0.8
#: How far around these limits it does now one, now the other.
SPREAD = 0.25


class Answers(NamedTuple):
    """A habit's chances by kind of hole card; calls and folds are those of a seat that has to pay."""

    raises: Kinds
    calls: Kinds
    folds: Kinds
    stays: Kinds
    checks: Kinds


class Manner(NamedTuple):
    """A habit with given up cards.

    Attributes:
        answers: at each question of a street; later ones are answered like the last.
        ahead: by kind, the raises to be expected on the street from each question on, at most ``HORIZON``.
    """

    answers: list[Answers]
    ahead: list[Kinds]


def _manner(raises: Sequence[Kinds], stays: Kinds) -> Manner:
    """A habit by its chances to raise at each question, and to stay."""
    tail = [*raises, *[raises[-1]] * HORIZON]
    ahead = [
        [sum(column) for column in zip(*tail[asked : asked + HORIZON], strict=True)] for asked in range(len(raises))
    ]
    return Manner([_answers(row, stays) for row in raises], ahead)


def _answers(raises: Kinds, stays: Kinds) -> Answers:
    calls = [stay - often for stay, often in zip(stays, raises, strict=True)]
    return Answers(raises, calls, [1 - stay for stay in stays], stays, [1 - often for often in raises])


@cache  # 182 different up cards
def manners(up: Up) -> list[Manner]:
    """The habits that look at the own cards alone, beside the ranks ``up``."""
    looks, found = _looks(up), []
    for habit in HABITS:
        often, seldom = [habit.raises[look] for look in looks], [SELDOM] * len(looks)
        raises = [often] * HORIZON if habit.often >= HORIZON else [often] * habit.often + [seldom]
        found.append(_manner(raises, [habit.stays[look] for look in looks]))
    return found


def counting(quality: Kinds, seats: int) -> Manner:
    """The habit of a player who counts chances.

    Args:
        quality: of each kind of hole card.
        seats: players who can take part of the pot, of which the quality depends.
    """
    limits = [min(limit, 0.8 * seats) for limit in RAISES_FROM]
    raises = [[0.02 + 0.9 * _above(value, limit) for value in quality] for limit in limits]
    stays = [0.03 + 0.95 * _above(value, STAYS_FROM) for value in quality]
    return _manner(raises, [max(stay, often + 0.01) for stay, often in zip(stays, raises[0], strict=True)])


def _above(value: float, limit: float) -> float:
    return 1 / (1 + exp((limit - value) / SPREAD))


def _looks(up: Sequence[int]) -> list[int]:
    """How good each kind of card in the hole looks beside the ranks ``up``: the place in a habit's chances."""
    looks = []
    for suit in (Suit.CLUBS, Suit.SPADES):
        for rank in Rank:
            if rank in up or len(set(up)) < len(up):
                looks.append(0)
            elif suit is Suit.SPADES:
                looks.append(1 if rank >= Rank.JACK else 2)
            else:
                looks.append(3 if max(rank, *up) >= Rank.KING else 4)
    return looks

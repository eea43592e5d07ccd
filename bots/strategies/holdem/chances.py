"""What a place among all hole cards is worth: the share of the pot won against so many others with any cards.

The place of two cards now, from 0 (worst) to 1, tells something of their place when the board is complete. That place
is taken as drawn from a beta distribution, whose mean and spread were fitted to roll-outs of random cards. Cards with
the place ``s`` at the end beat ``k`` others with the chance ``s ** k``, so the chance is a moment of that distribution.
"""

from functools import cache

from bots.strategies.holdem.preflop import class_cards, places, worths

#: Places are counted in so many steps.
STEPS = 40
#: The street after which no cards are dealt.
RIVER = 4

#: By street with a board before the river: the mean of the last place, as a polynomial of the place now.
_MEAN = {2: (0.25, 0.20, 0.45), 3: (0.15, 0.55, 0.25)}
#: By street before the river: how narrow the distribution is, as a polynomial of the place now.
_NARROW = {1: (1.3, 2.2), 2: (1.0, 9.0), 3: (1.0, 20.0)}


def chance(place: float, street: int, rivals: int) -> float:
    """The share of the pot that cards at ``place`` win on average against so many rivals with any cards."""
    if street == RIVER:
        return place**rivals
    mean = _starting_means()[min(STEPS - 1, int(place * STEPS))] if street == 1 else _later_mean(place, street)
    base, slope = _NARROW[street]
    narrow = base + slope * place
    share = 1.0
    for count in range(rivals):
        share *= (mean * narrow + count) / (narrow + count)
    return share


def _later_mean(place: float, street: int) -> float:
    first, second, third = _MEAN[street]
    return first + second * place + third * place * place


@cache
def _starting_means() -> tuple[float, ...]:
    """By step of the place before the flop: the exact equity against any cards, on average."""
    won, held = [0.0] * STEPS, [0] * STEPS
    for index, (place, worth) in enumerate(zip(places(), worths(), strict=True)):
        step, number = int(place * STEPS), len(class_cards(index))
        won[step] += number * worth
        held[step] += number
    return tuple([total / number for total, number in zip(won, held, strict=True)])


@cache
def chances(street: int, rivals: int) -> tuple[float, ...]:
    """``chance`` by step of the place."""
    return tuple([chance((step + 0.5) / STEPS, street, rivals) for step in range(STEPS)])

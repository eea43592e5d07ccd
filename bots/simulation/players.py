"""The strategies that play, each with a name of its own and chance of its own."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from bots.simulation.simulation_errors import SimulationError
from bots.strategy import Strategy, load_maker


def distinct_names(bots: Sequence[str]) -> list[str]:
    """The bots' names, with a number behind those that were there before: ``alpha``, ``alpha-2``."""
    copies: Counter[str] = Counter()
    names = []
    for bot in bots:
        copies[bot] += 1
        names.append(bot if copies[bot] == 1 else f"{bot}-{copies[bot]}")
    return names


def make_strategies(bots: Sequence[str], seed: str, block: int = 0) -> list[Strategy]:
    """One strategy for each bot. In block 0 they get the chance that a league with the same seed gives them.

    Raises:
        SimulationError: a bot is not installed.
    """
    try:
        makers = [load_maker(bot) for bot in bots]
    except LookupError as error:
        raise SimulationError(str(error)) from None
    names = distinct_names(bots)
    seeds = [f"{seed}/{name}/{block}" if block else f"{seed}/{name}" for name in names]
    return [maker(Random(own)) for maker, own in zip(makers, seeds, strict=True)]

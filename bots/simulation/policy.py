"""The shipped near-equilibrium in the form in which the kernel plays it: ``balance`` as arrays."""

from typing import Any

import numpy as np

from bots.strategies.blockhead import tables
from bots.strategies.blockhead.balance import CLIP, PLACES
from protocol.games.blockhead import STREETS
from protocol.games.kernels.blockhead import Policy

RAISERS = range(3)


def balance_policy() -> Policy:
    """The tables that ``balance`` looks its moves up in."""
    shipped: dict[str, Any] = tables.load()
    streets = [street for table in shipped["equilibrium"] for street in table]
    sizes = [len(street) for street in streets]
    begins = np.concatenate([[0], np.cumsum(sizes)[:-1]]).reshape(-1, STREETS)
    starts = np.concatenate([np.zeros((len(begins), 1)), begins], axis=1).astype(np.int64)
    return Policy(
        np.frombuffer(b"".join(streets), np.uint8),
        starts,
        np.array(shipped["buy_ins"], np.int64),
        _classes(shipped["classes"]),
        np.array(CLIP, np.int64),
        _steps(),
    )


def _classes(shipped: Any) -> Any:
    """By street, chips and last raiser: the class with the same raiser, if there is one, and the nearest chips."""
    keys = [[tuple(key) for key in street] for street in shipped]
    most = max(chips for street in keys for chips, _ in street)
    classes = np.zeros((STREETS + 1, most + 1, len(RAISERS)), np.int64)
    for street, known in enumerate(keys, 1):
        for raiser in RAISERS:
            alike = [key for key in known if key[1] == raiser] or known
            for chips in range(most + 1):
                distances = [abs(key[0] - chips) for key in alike]
                classes[street, chips, raiser] = known.index(alike[distances.index(min(distances))])
    return classes


def _steps() -> Any:
    """By place in a street: the places after a raise of 1 and of 10; a place without one more is never asked for."""
    steps = np.zeros((len(PLACES), 2), np.int64)
    for (checks, raises), place in PLACES.items():
        for column, size in enumerate((1, 10)):
            steps[place, column] = PLACES.get((checks, (*raises, size)), 0)
    return steps

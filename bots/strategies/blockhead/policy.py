"""``balance`` for the compiled kernel; needs numpy."""

from collections.abc import Sequence

import numpy as np

from bots.strategies.blockhead import tables
from bots.strategies.blockhead.near_equilibrium import CLIP, PLACES, Class, nearest_class
from bots.strategies.blockhead.turn_numbers import SIZES
from protocol.games.kernels.blockhead import Ints, Policy

#: More chips than one player can put in on three streets.
MOST = 91


def class_table(classes: Sequence[Sequence[Class]]) -> Ints:
    """int64 (4, MOST, 3, 3): the number of the class by street, chips put in before, who raised last, and the standing.

    For the last two see ``Before``.
    """
    table = np.zeros((len(classes), MOST, 3, 3), np.int64)
    for street in range(1, len(classes)):
        for chips, raiser, standing in np.ndindex(table.shape[1:]):
            table[street, chips, raiser, standing] = nearest_class(classes[street], chips, raiser, standing)
    return table


def balance_policy() -> Policy:
    """What the shipped tables make ``protocol.games.kernels.blockhead`` play as ``BALANCE``."""
    shipped = tables.load()
    parts = [street for game in range(len(shipped["buy_ins"])) for street in tables.equilibrium(game)]
    ends = np.cumsum([0, *map(len, parts)])
    starts = np.zeros((len(shipped["buy_ins"]), 4), np.int64)
    starts[:, 1:] = ends[:-1].reshape(-1, 3)
    return Policy(
        np.frombuffer(b"".join(parts), np.uint8).copy(),
        starts,
        np.array(shipped["buy_ins"]),
        class_table(((), *shipped["classes"])),
        np.array(CLIP),
        # after three raises there is no step, and 0 is never looked at
        np.array([[PLACES.get((checks, (*raises, size)), 0) for size in SIZES] for checks, raises in PLACES]),
    )

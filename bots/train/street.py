"""One street of the solved game as a tree: places, moves between them, and ends."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from bots.strategies.blockhead.near_equilibrium import PLACES, Class
from bots.strategies.blockhead.turn_numbers import AHEAD, BEHIND, LEVEL, SIZES, standing_of
from protocol.games.kernels.blockhead import MAX_RAISES
from protocol.games.kernels.compiling import jit

#: Where a move leads if not to a place; ENDED - n is the ending with number n.
FOLDED, NOT_ALLOWED, ENDED = -2, -1, -10


def _moves() -> tuple[list[list[int]], list[tuple[int, int]]]:
    """(by place what fold, call and the raises lead to; the endings, as chips put in by each and who raised last)."""
    endings: list[tuple[int, int]] = [(0, 0)]
    leads = []
    for checks, raises in PLACES:
        fold = FOLDED if raises else NOT_ALLOWED
        if not raises:
            call = ENDED if checks else PLACES[1, ()]
        else:
            raiser = 1 + (checks + len(raises) - 1) % 2
            if (sum(raises), raiser) not in endings:
                endings.append((sum(raises), raiser))
            call = ENDED - endings.index((sum(raises), raiser))
        more = [PLACES[checks, (*raises, size)] if len(raises) < MAX_RAISES else NOT_ALLOWED for size in SIZES]
        leads.append([fold, call, *more])
    return leads, endings


def _puts(checks: int, raises: tuple[int, ...]) -> list[int]:
    """Chips (opener, second) have put in on the street at a place."""
    put = [0, 0]
    for turn, size in enumerate(raises):
        actor = (checks + turn) % 2
        put[actor] = max(put) + size
    return put


_leads, ENDINGS = _moves()
#: [place, move] is a place, FOLDED, NOT_ALLOWED or an ending; moves are fold, call, raise 1, raise 10.
LEADS = np.array(_leads)

ACTOR = np.array([(checks + len(raises)) % 2 for checks, raises in PLACES])
PUTS = np.array([_puts(*place) for place in PLACES])

STANDINGS = (BEHIND, LEVEL, AHEAD)
#: Compiled.
standing_at = jit(standing_of)


def _classes_after(classes: list[Class]) -> list[Class]:
    """The classes of the street after one with ``classes``."""
    ends = product(classes, ENDINGS, STANDINGS)
    return sorted({(before + chips, raiser, standing) for (before, _, _), (chips, raiser), standing in ends})


def _next(classes: list[Class], after: list[Class]) -> NDArray[np.int64]:
    """[class, standing, ending]: the class of the next street."""
    number = {key: n for n, key in enumerate(after)}
    return np.array(
        [
            [[number[before + chips, raiser, standing] for chips, raiser in ENDINGS] for standing in STANDINGS]
            for before, _, _ in classes
        ]
    )


#: By street: chips each has put in on earlier streets, who raised last on the street before, and the standing there.
CLASSES: list[list[Class]] = [[], [(0, 0, LEVEL)]]
CLASSES.append(_classes_after(CLASSES[1]))
CLASSES.append(_classes_after(CLASSES[2]))
IN_POT = [np.array([chips for chips, _, _ in classes]) for classes in CLASSES]
#: ``NEXT[street][class, standing, ending]`` is the class of the next street; nothing follows street 3.
_NOTHING = np.zeros((1, len(STANDINGS), 1), np.int64)
NEXT = [_NOTHING, _next(CLASSES[1], CLASSES[2]), _next(CLASSES[2], CLASSES[3]), _NOTHING]

NODES, MOVES = LEADS.shape

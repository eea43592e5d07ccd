"""One street of the solved game as a tree: places, moves between them, and ends."""

import numpy as np

from bots.strategies.blockhead.near_equilibrium import PLACES, Class
from bots.strategies.blockhead.turn_numbers import SIZES
from protocol.games.kernels.blockhead import MAX_RAISES

#: Where a move leads if not to a place; ENDED - n is the ending with number n.
FOLDED, NOT_ALLOWED, ENDED = -2, -1, -10


def _moves() -> tuple[list[list[int]], list[Class]]:
    """(by place what fold, call and the raises lead to; the endings, as chips put in by each and who raised last)."""
    endings: list[Class] = [(0, 0)]
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

#: By street: chips each has put in on earlier streets, and who raised last on the street before.
CLASSES: list[list[Class]] = [[], [(0, 0)], sorted(set(ENDINGS)), []]

CLASSES[3] = sorted({(x + more, raiser) for x, _ in CLASSES[2] for more, raiser in ENDINGS})
IN_POT = [np.array([x for x, _ in classes]) for classes in CLASSES]
#: ``NEXT[street][class, ending]`` is the class of the next street.
NEXT = [
    np.array([[CLASSES[s + 1].index((x + more, raiser)) for more, raiser in ENDINGS] for x, _ in CLASSES[s]] or [[0]])
    if s in (1, 2)
    else np.zeros((1, 1), np.int64)
    for s in range(4)
]

NODES, MOVES = LEADS.shape

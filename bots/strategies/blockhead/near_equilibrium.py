"""Play the near-equilibrium: the strategy against an opponent of whom nothing is known.

It looks its place up in the tables of bots/train/equilibrium.py: visible difference, own hole value, chips put in on
earlier streets, who raised last on the street before, and this street's bets with every raise read as 1 or 10.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from bots.strategies.blockhead import tables
from bots.strategies.blockhead.turn_numbers import MOVES, SIZES, Sight
from protocol.games.blockhead import BUY_IN, MAX_RAISES

#: A place in a street: opening checks, and the raises so far.
Place = tuple[int, tuple[int, ...]]

#: What is kept of earlier streets: chips put in by each, and who raised last on the street before (see ``weights``).
Class = tuple[int, int]

#: How readily a raise between 1 and 10 is read as 10: with 1, in proportion; smaller is more readily.
READ_BIG = 0.5
# With 0, 0.5 and 1, balance wins 7.4, 9.0 and 7.9 chips a hand from a bot that always raises 3 (100 games in both
# seats). With 1 it wins 0.2 chips a hand less than with 0.5 from a bot that raises 5 with strong cards only.

#: Visible differences from here on are alike, by street.
CLIP = (0, 19, 19, 10)


def _places() -> dict[Place, int]:
    """All places by number, in the order of the tables."""
    places: list[Place] = [(0, ()), (1, ())]
    for checks, raises in places:
        if len(raises) < MAX_RAISES:
            places += [(checks, (*raises, size)) for size in SIZES]
    return {place: number for number, place in enumerate(places)}


PLACES = _places()


def nearest_class(classes: Sequence[Class], before: int, raiser: int) -> int:
    """The number of the class with the same last raiser and the nearest chips."""
    alike = [key for key in classes if key[1] == raiser] or classes
    return classes.index(min(alike, key=lambda key: abs(key[0] - before)))


class BalanceTables:
    """Plays from the tables; ``rng`` mixes the moves, and reads raises that are no 1 and no 10."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        shipped: dict[str, Any] = tables.load()
        self._buy_ins: tuple[int, ...] = shipped["buy_ins"]
        self._strategies: tuple[tuple[bytes, ...], ...] = shipped["equilibrium"]
        self._classes: Sequence[Sequence[Class]] = ((), *shipped["classes"])

    def weights(self, turn: Sight, raiser: int, carry: int) -> bytes:
        """The weights of fold, call, raise 1 and raise 10.

        Args:
            turn: what is asked.
            raiser: who raised last on the street before: 0 nobody, 1 the opener, 2 the other.
            carry: chips in the pot from hands before.
        """
        clip = CLIP[turn.street]
        lead = min(max(turn.diff if turn.opens else -turn.diff, -clip), clip) + clip
        checked = turn.put_in[:1] == (0,)
        place = PLACES[int(checked), tuple(map(self._read, turn.sizes[-MAX_RAISES:]))]
        game = min(range(len(self._buy_ins)), key=lambda i: abs(self._buy_ins[i] - BUY_IN - carry // 2))
        before = (turn.pot - sum(turn.put_in)) // 2 - self._buy_ins[game]
        row = (nearest_class(self._classes[turn.street], before, raiser) * (2 * clip + 1) + lead) * len(PLACES) + place
        start = (row * 10 + turn.hole - 1) * 4
        return self._strategies[game][turn.street - 1][start : start + 4]

    def move(self, turn: Sight, raiser: int, carry: int) -> int:
        """A move drawn by the weights."""
        (move,) = self._rng.choices(MOVES, self.weights(turn, raiser, carry))
        return min(move, turn.max_raise)

    def _read(self, size: int) -> int:
        """A raise as one that the tables know, by lot."""
        return 10 if self._rng.random() < ((size - 1) / 9) ** READ_BIG else 1

"""Play the near-equilibrium: the strategy against an opponent of whom nothing is known.

It looks its place up in the tables of bots/train/equilibrium.py: visible difference, own hole value, chips put in on
earlier streets, who raised last and who was clearly ahead on the street before, and this street's bets. A raise between
1 and 10 is read as one of the two: by lot on its own street, and on later ones by its size. So a raise of 5 never looks
like the several small ones that make up its chips, which other cards are played with.
"""

from collections.abc import Sequence
from itertools import product
from math import prod
from random import Random
from typing import Any

from bots.strategies.blockhead import tables
from bots.strategies.blockhead.turn_numbers import MOVES, SIZES, VALUES, Before, Sight, Spot
from protocol.games.blockhead import BUY_IN, MAX_RAISE, MAX_RAISES

#: A place in a street: opening checks, and the raises so far.
Place = tuple[int, tuple[int, ...]]

#: What is kept of earlier streets: chips put in by each, who raised last on the street before, and how the opener's
#: cards in sight compared there (see ``Before``).
Class = tuple[int, int, int]

#: How readily a raise between 1 and 10 is read as 10, by street (0: never): 1 is in proportion, less is more readily.
READ_BIG = (1.0, 0.5, 0.4, 0.6)
# A best response that raises 1, 2, 3, 5, 7 or 10 on street 1, and 1 or 10 later, wins 1.00 with 0.7 there, 0.98 with
# 0.5, and 0.99 with 0.4. One that raises so on street 2 wins 0.97 with 0.2 there, and 0.94 with 0.37 to 0.6. On street
# 3 it wins 0.89 with 0.25 there, 0.87 with 0.37, 0.854 with 0.6 and 0.856 with 0.8.

#: Visible differences from here on are alike, by street.
CLIP = (0, 19, 19, 10)


def street_places(opener: Sequence[int] = SIZES, second: Sequence[int] = SIZES) -> dict[Place, int]:
    """All places of a street by number, where its two players may raise by these sizes."""
    places: list[Place] = [(0, ()), (1, ())]
    for checks, raises in places:
        if len(raises) < MAX_RAISES:
            sizes = second if (checks + len(raises)) % 2 else opener
            places += [(checks, (*raises, size)) for size in sizes]
    return {place: number for number, place in enumerate(places)}


#: All places of the game that the tables are for, in their order.
PLACES = street_places()


def nearest_class(classes: Sequence[Class], chips: int, raiser: int, standing: int) -> int:
    """The number of the class with the same last raiser and standing, and the nearest chips."""
    alike = [key for key in classes if key[1:] == (raiser, standing)] or classes
    return classes.index(min(alike, key=lambda key: abs(key[0] - chips)))


def nearest_game(buy_ins: Sequence[int], carry: int) -> int:
    """The number of the table for a hand that begins with ``carry`` chips in the pot: the one solved for most alike."""
    return min(range(len(buy_ins)), key=lambda game: abs(buy_ins[game] - BUY_IN - carry // 2))


class BalanceTables:
    """Plays from the tables; ``rng`` mixes the moves, and reads raises that are no 1 and no 10."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        shipped: dict[str, Any] = tables.load()
        self._buy_ins: tuple[int, ...] = shipped["buy_ins"]
        self._classes: Sequence[Sequence[Class]] = ((), *shipped["classes"])

    def weights(self, turn: Sight, before: Before) -> bytes:
        """The weights of fold, call, raise 1 and raise 10."""
        read = tuple([self._read(turn.street, size) for size in turn.sizes[-MAX_RAISES:]])
        seen = Spot(turn.street, turn.pot, turn.put_in, -turn.diff, before)
        start = 4 * (turn.hole - 1)
        return self._rows(seen, read)[start : start + 4]

    def move(self, turn: Sight, before: Before) -> int:
        """A move drawn by the weights."""
        (move,) = self._rng.choices(MOVES, self.weights(turn, before))
        return min(move, turn.max_raise)

    def chances(self, spot: Spot) -> list[list[float]]:
        """The chance of each of MOVES with each hole value, if the opponent plays from the tables: [move][hole]."""
        result = [[0.0] * 11 for _ in MOVES]
        # Turns that do not fit together, as from a faulty dealer, may look like more raises, or like strange ones.
        sizes = spot.sizes[-MAX_RAISES:]
        for read in product(SIZES, repeat=len(sizes)):
            chance = prod([reads(spot.street, size, as_size) for size, as_size in zip(sizes, read, strict=True)])
            if not chance:
                continue
            row = self._rows(spot, read)
            for hole in VALUES:
                weights = row[4 * hole - 4 : 4 * hole]
                total = sum(weights)
                for move, weight in enumerate(weights):
                    result[move][hole] += chance * weight / total
        return result

    def _rows(self, spot: Spot, read: tuple[int, ...]) -> bytes:
        """The weights for all hole values of who faces ``spot``, with the street's raises read as ``read``."""
        clip = CLIP[spot.street]
        opens = len(spot.put_in) % 2 == 0
        lead = min(max(-spot.diff if opens else spot.diff, -clip), clip) + clip
        place = PLACES[int(spot.put_in[:1] == (0,)), read]
        game = nearest_game(self._buy_ins, spot.before.carry)
        before = spot.before
        number = nearest_class(self._classes[spot.street], before.chips, before.raiser, before.standing)
        start = ((number * (2 * clip + 1) + lead) * len(PLACES) + place) * 40
        return tables.equilibrium(game)[spot.street - 1][start : start + 40]

    def _read(self, street: int, size: int) -> int:
        """A raise as one that the tables know, by lot."""
        return 10 if self._rng.random() < reads(street, size, 10) else 1


def reads(street: int, size: int, as_size: int) -> float:
    """The chance that a raise on a street is read as 1 or as 10."""
    big: float = ((min(max(size, 1), MAX_RAISE) - 1) / 9) ** READ_BIG[street]
    return big if as_size == SIZES[1] else 1 - big

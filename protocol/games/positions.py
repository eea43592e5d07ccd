"""Who has the button and the blinds: the big blind moves on, the small blind and the button follow it.

"Dead button": nobody posts the big blind twice in a row or misses it. The small blind is posted from the place of the
last big blind, and the button lies at the place of the last small blind; a place whose player has left stays empty for
that hand, so that a small blind may be missing and a button may lie where nobody sits.

A *place* is an int that outlives the player who sat there: player ``i`` sits at ``2 i``, and ``2 i + 1`` is the gap
behind it.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self


def place_of(player: int) -> int:
    """The place of a player who sits at the table."""
    return 2 * player


class Positions(NamedTuple):
    """The places of button, small blind and big blind in one hand."""

    button: int
    small: int
    big: int

    @classmethod
    def first(cls, seated: Sequence[int]) -> Self:
        """The places in the first hand: with two players the one with the button posts the small blind."""
        small = seated[1] if len(seated) > 2 else seated[0]
        big = seated[2] if len(seated) > 2 else seated[1]
        return cls(place_of(seated[0]), place_of(small), place_of(big))

    def next(self, seated: Sequence[int]) -> Self:
        """The places in the next hand, between the players ``seated`` then, of whom there are at least two."""
        big = next((player for player in seated if place_of(player) > self.big), seated[0])
        if len(seated) == 2:
            other = seated[0] if big == seated[1] else seated[1]
            return self.__class__(place_of(other), place_of(other), place_of(big))
        small, button = self.big, self.small
        if button == place_of(big):
            # After a hand of two players the same one would have button and big blind: a newcomer takes the button.
            others = [player for player in seated if player != big and place_of(player) != small]
            button = place_of(before(small, others))
        return self.__class__(button, small, place_of(big))

    def next_in_order(self, seated: Sequence[int]) -> Self:
        """The places in the next hand where no place stays empty: the big blind moves on, and before it sit the others.

        Between two players of more who began, the big blind has the button, and so the small blind acts first on all
        streets.
        """
        order = sorted(seated)
        big = next((index for index, player in enumerate(order) if place_of(player) > self.big), 0)
        return self.__class__(*[place_of(order[(big - back) % len(order)]) for back in (2, 1, 0)])

    def without(self, player: int) -> Self:
        """The places after a player has gone and all behind it have moved up by one."""
        gone = place_of(player)
        return self.__class__(*[place - 1 if place == gone else place - 2 if place > gone else place for place in self])

    def skipped_by_blinds(self, player: int) -> bool:
        """Whether a player who sits down now would come between the button and the small blind of the next hand."""
        place = place_of(player)
        if self.small < self.big:
            return self.small < place < self.big
        return place > self.small or place < self.big


def before(place: int, players: Sequence[int]) -> int:
    """The last of ``players``, in seat order, who sits at ``place`` or before it."""
    return next((player for player in reversed(players) if place_of(player) <= place), players[-1])

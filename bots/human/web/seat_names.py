"""Names of the seats at a dealer's table, whose messages tell numbers only. The dealer that serves the page has them.

A question may leave out seats that have folded, and then the seats of a scene are numbered otherwise than those of the
hand. So names are used only where the number of seats and the person's own seat agree.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bots.human.updates import Scene
from bots.human.web.room import Company


@dataclass(frozen=True, slots=True)
class SeatNames:
    """The names of one hand.

    Attributes:
        hand: its number, as the person counts hands.
        names: by seat; empty if they are not known.
    """

    hand: int
    names: Sequence[str]

    def in_scene(self, scene: Scene) -> Scene:
        """A scene of the hand with names instead of numbers."""
        if scene.hand != self.hand or len(scene.seats) != len(self.names):
            return scene
        named = [
            view if seat == scene.me else replace(view, name=name)
            for seat, (view, name) in enumerate(zip(scene.seats, self.names, strict=True))
        ]
        return replace(scene, seats=tuple(named), headline=self.in_line(scene.headline))

    def in_line(self, line: str) -> str:
        """A line of the history with names instead of numbers, unless it tells of another hand."""
        hand = re.match(r"Hand (\d+)", line)
        if hand is not None and int(hand[1]) != self.hand:
            return line
        return re.sub(r"\bseat (\d+)", lambda seat: self._name(int(seat[1]), seat[0]), line)

    def _name(self, seat: int, otherwise: str) -> str:
        return self.names[seat] if seat < len(self.names) else otherwise


#: Before the first hand.
NO_NAMES = SeatNames(0, ())


def seat_names(scene: Scene, company: Company | None) -> SeatNames:
    """The names of a hand at the person's turn, of which the dealer knows the ``company``; None if it knows nothing."""
    fits = company is not None and (len(company.names), company.seat) == (len(scene.seats), scene.me)
    return SeatNames(scene.hand, company.names if company is not None and fits else ())

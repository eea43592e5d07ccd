"""Players who are out of the round under way, in the order in which they left."""

from typing import NamedTuple

from dealer.faults import Fault
from dealer.lobby.player import Player


class Departure(NamedTuple):
    """The departure of one player.

    Attributes:
        order: the larger the later, then table and hand; equal for players who left in the same hand.
        chips: before that hand.
        reason: in words.
    """

    order: tuple[int, int, int]
    chips: int
    reason: str

    @property
    def hand(self) -> int:
        """The number of the hand at its table."""
        return self.order[-1]


class Departures(dict[Player, Departure]):
    """The departures of one round, by player, in the order in which they happened. ``add`` notes one more."""

    def add(self, player: Player, table: int, hand: int, chips: int, reason: str) -> None:
        """Note that a player is out of the round; only its first departure counts."""
        if player not in self:
            self[player] = Departure(self._order(table, hand), chips, reason)

    def _order(self, table: int, hand: int) -> tuple[int, int, int]:
        """A key that orders departures: equal for those in one hand of one table, else one after the other."""
        for departure in self.values():
            if departure.order[1:] == (table, hand):
                return departure.order
        # A player who is let in again leaves a gap, and the next one to leave still comes after the last.
        last = max((departure.order[0] for departure in self.values()), default=-1)
        return max(len(self), last + 1), table, hand


def part_with(player: Player, hand: int, reason: str, fault: Fault | None) -> None:
    """Mark a player as out of the tournament for good.

    Args:
        player: who.
        hand: of its table, in which it left.
        reason: in words.
        fault: what put it out, if that is not yet among its faults.
    """
    player.left, player.left_in, player.left_for = reason, hand, fault


def take_back(player: Player) -> None:
    """Undo ``part_with``: a player is in the tournament again, and the fault that put it out is forgiven."""
    for fault in player.faults[-1:]:
        if player.left in (fault.reason, f"you are out: {fault.reason}"):
            player.faults.pop()
    player.left, player.left_in, player.left_for = None, 0, None
    player.lives = max(player.lives, 1)

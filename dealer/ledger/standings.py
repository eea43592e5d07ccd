"""Places: who has left and when, who came where, and how players are ranked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

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


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place (1 is the best; equals share one) and chips; ``Ledger.standings`` says which.

    ``points`` are half points, where places go by them; None elsewhere.
    """

    place: int
    chips: int
    player: Player
    points: int | None = None


def rank(
    stacks: Mapping[Player, int],
    departures: Mapping[Player, Departure],
    games_won: Mapping[Player, int] | None = None,
) -> list[Standing]:
    """Places: players still in by games won, if that counts, and chips; then the others, the last to leave first.

    Players who left in the same hand are ranked by their chips before it.

    Args:
        stacks: chips of each player to rank.
        departures: who is out.
        games_won: by each player, where games count.
    """

    def merit(player: Player) -> tuple[bool, tuple[int, ...], int, int]:
        departure = departures.get(player)
        if departure is not None:
            return False, departure.order, 0, departure.chips
        return True, (), games_won[player] if games_won is not None else 0, stacks[player]

    return rank_by({player: merit(player) for player in stacks}, stacks)


def rank_by(
    merits: Mapping[Player, Any], chips: Mapping[Player, int], points: Mapping[Player, int] | None = None
) -> list[Standing]:
    """Places by merit, more being better; those of equal merit share one. Who has no ``chips`` there has 0."""
    order = sorted(merits, key=merits.__getitem__, reverse=True)
    standings: list[Standing] = []
    for position, player in enumerate(order):
        tied = position and merits[player] == merits[order[position - 1]]
        place = standings[-1].place if tied else position + 1
        standings.append(Standing(place, chips.get(player, 0), player, None if points is None else points[player]))
    return standings

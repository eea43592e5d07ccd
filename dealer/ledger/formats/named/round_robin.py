"""The round-robin format: everybody meets everybody once."""

from collections.abc import Sequence

from dealer.ledger.formats.circle_draw import round_robin
from dealer.ledger.formats.pairings import Pairings
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings


class RoundRobin(Pairings):
    """All pairs, drawn before the first round; a player whose opponent has left gets the point."""

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self._draw = round_robin(len(players))
        self.rounds = len(self._draw)
        self._forfeits: list[tuple[Player, Player]] = []

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """The pairs of a round in which both are here; a player without an opponent sits alone."""
        pairs = [(self.players[one], self.players[two]) for one, two in self._draw[number - 1]]
        self._forfeits = [
            (one, two) if one in here else (two, one) for one, two in pairs if (one in here) != (two in here)
        ]
        met = [[one, two] for one, two in pairs if one in here and two in here]
        return met + [[player] for player in here if not any(player in pair for pair in met)]

    def count_unplayed(self, tables: Sequence[TableState]) -> None:
        """Give the points of pairings of which one player has left to the other."""
        for present, absent in self._forfeits:
            self.scores.forfeit(present, absent)


FORMAT = RoundRobin

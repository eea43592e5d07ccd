"""Duplicate tournaments: every deal is played with the players rotated through all seats, so that luck cancels."""

from collections.abc import Mapping, Sequence

from dealer.ledger.departures import Departure
from dealer.ledger.duplicate import DuplicateScores
from dealer.ledger.formats.format import Format, deal_out
from dealer.ledger.standings import Standing, rank
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings


class Duplicate(Format):
    """Tables that play the same deals once for each of their players.

    Attributes:
        scores: of all deals.
    """

    eliminates = False
    keeps_seats = True  # else the others' deals would not stay whole
    scores_games = False  # games of one deal depend on each other, and must not be counted one by one

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.scores = DuplicateScores(deal_out(self.players, settings.table_size), settings.games)

    def games(self, players: int) -> int:
        """Each deal once for every player."""
        return self.settings.games * players

    def rotation(self, table: TableState) -> int:
        """All deals are played in one rotation before the next begins: no program meets a deal twice in a row."""
        return (table.game - 1) // self.settings.games

    def deck_number(self, table: TableState) -> int:
        """The same in each rotation."""
        return (table.game - 1) % self.settings.games * self.settings.hands + table.played + 1

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """The tables whose deals the scores expect; there is one round."""
        return deal_out(self.players, self.settings.table_size)

    def end_game(self, table: TableState) -> None:
        """Count one rotation of a deal."""
        before = self.settings.game.start(len(table.players)).stacks
        self.scores.end_game(table.players, before, table.match.stacks)

    def standings(self, chips: Mapping[Player, int], departures: Mapping[Player, Departure]) -> Sequence[Standing]:
        """Places by chips won in all complete deals together."""
        return rank(self.scores.totals(), departures)

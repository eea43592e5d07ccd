"""A freezeout, or a series of them: everybody plays until one has all chips."""

import hmac
from collections.abc import Mapping, Sequence

from dealer.ledger.formats.format import Format, deal_out
from dealer.ledger.formats.series import SeriesScores
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings


class Freezeout(Format):
    """One tournament, or a series of them, in which a player without chips is out.

    Attributes:
        series: scores of several tournaments; None if there is one.
    """

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.rounds = settings.rounds or 1
        self.series = SeriesScores(players) if self.rounds > 1 else None

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """As few tables as hold everybody, in the order of arrival; in later rounds the seed draws the seats."""
        order = list(here)
        if number > 1:
            order.sort(key=lambda player: self._lot(number, player))
        return deal_out(order, self.settings.table_size)

    def _lot(self, number: int, player: Player) -> bytes:
        return hmac.digest(self.settings.seed, f"seat/{number}/{player.number}".encode(), "sha256")

    def end_round(self, tables: Sequence[TableState], places: Mapping[Player, int]) -> None:
        """See ``Format``."""
        if self.series is not None:
            self.series.end_round(places)

    def points(self) -> Mapping[Player, int]:
        """See ``Format``."""
        return {player: score.total for player, score in self.series.by_player.items()} if self.series else {}

    def merits(self) -> Mapping[Player, tuple[int, ...]] | None:
        """See ``Format``."""
        series = self.series
        if series is None or series.rounds == 0:
            return None
        return {player: series.standings_merit(player) for player in series.by_player}

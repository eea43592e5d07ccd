"""All that was learnt from a journal, before any of it is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from dealer.audit.rebuild import LedgerRebuild
from dealer.lobby.player import Player
from dealer.report.curves import Curves
from dealer.report.figures import Style, styles
from dealer.report.head_to_head import HeadToHead
from dealer.report.journal_pass import Survey
from dealer.report.names import Label
from dealer.report.places import everybody
from dealer.report.player_tally import Figures


@dataclass(frozen=True)
class Findings:
    """All that a report tells.

    Attributes:
        fold: of the whole journal.
        survey: of the same.
        labels: what players are called.
        figures: of each player.
        curves: of the last round.
        pairs: what players won from each other.
    """

    fold: LedgerRebuild
    survey: Survey
    labels: Mapping[Player, Label]
    figures: Mapping[Player, Figures]
    curves: Curves
    pairs: HeadToHead

    @cached_property
    def order(self) -> list[Player]:
        """All players, the best first; figures that have no room for all show these."""
        return [standing.player for standing in everybody(self.fold.ledger)]

    @cached_property
    def looks(self) -> Mapping[Player, Style]:
        """How players are drawn."""
        return styles(self.labels, self.order)

    @property
    def hands(self) -> int:
        """Finished at all tables together."""
        return sum(table.finished for table in self.fold.ledger.seating.tables)

    @property
    def title(self) -> str:
        """What was played, in a line."""
        game = self.fold.ledger.settings.game.title
        return f"{game[0].upper()}{game[1:]}: {len(self.labels)} players, {self.hands:,} hands"

"""The Swiss format: in every round, players meet others with about as many points."""

from collections.abc import Sequence

from dealer.ledger.formats.pairings import Pairings
from dealer.ledger.formats.swiss_draw import swiss_rounds
from dealer.lobby.player import Player
from dealer.settings import Settings


class Swiss(Pairings):
    """Pairs with about equal points; of an odd number of players, one has a bye."""

    swiss = True
    rounds_from = "rounds"

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.rounds = settings.rounds or swiss_rounds(len(players))
        self._bye: Player | None = None

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """The pairs of a round; a player with a bye sits alone."""
        pairs, self._bye = self.scores.draw(here)
        return [*map(list, pairs), *([] if self._bye is None else [[self._bye]])]

    def count_unplayed(self) -> None:
        """Give the player with a bye its point."""
        if self._bye is not None:
            self.scores.bye(self._bye)


FORMAT = Swiss

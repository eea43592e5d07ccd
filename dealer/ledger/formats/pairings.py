"""Round robins and Swiss tournaments: tables of two, whose games one of them wins."""

from collections.abc import Mapping, Sequence

from dealer.ledger.formats.format import Format
from dealer.ledger.formats.pairing_scores import PairingScores
from dealer.ledger.formats.points import points_of_pair
from dealer.ledger.formats.round_robin import round_robin
from dealer.ledger.formats.swiss import swiss_rounds
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings


class Pairings(Format):
    """Tables of two players. A pairing is won by who wins more games; a player who left loses those it misses.

    Attributes:
        scores: of all pairings.
    """

    eliminates = False
    fewest = 1  # who waits for somebody that has left gets a point for it, as often as it does

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        swiss = settings.format == "swiss"
        self._draw = () if swiss else round_robin(len(players))
        self._bye: Player | None = None
        self._forfeits: list[tuple[Player, Player]] = []
        self.scores = PairingScores(players, swiss)
        self.rounds = (settings.rounds or swiss_rounds(len(players))) if swiss else len(self._draw)

    @property
    def scores_games(self) -> bool:
        """See ``Format``."""
        return True

    def rotation(self, table: TableState) -> int:
        """The two take turns in the first seat."""
        return table.game - 1

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """The pairs of a round in which both are here; who has no opponent sits alone."""
        if self.scores.swiss:
            pairs, self._bye = self.scores.draw(here)
            return [*map(list, pairs), *([] if self._bye is None else [[self._bye]])]
        pairs = [(self.players[one], self.players[two]) for one, two in self._draw[number - 1]]
        self._forfeits = [
            (one, two) if one in here else (two, one) for one, two in pairs if (one in here) != (two in here)
        ]
        met = [[one, two] for one, two in pairs if one in here and two in here]
        return met + [[player] for player in here if not any(player in pair for pair in met)]

    def end_game(self, table: TableState) -> None:
        """Count a game of a pairing; a player who has left cannot win it."""
        start = self.settings.game.start(len(table.players)).stacks
        table.won = [won + now - before for won, now, before in zip(table.won, table.match.stacks, start, strict=True)]
        stacks = [(player.left is None, stack) for player, stack in zip(table.players, table.match.stacks, strict=True)]
        order = sorted(set(stacks))
        gained = points_of_pair(order.index(stacks[0]), order.index(stacks[1]))
        table.points = [points + half for points, half in zip(table.points, gained, strict=True)]

    def end_round(self, tables: Sequence[TableState], places: Mapping[Player, int]) -> None:
        """See ``Format``."""
        for table in tables:
            if len(table.players) == 2:
                one, two = table.players
                chips = table.won[0], table.won[1]
                self.scores.end_pairing(one, two, points_of_pair(*self._won(table)), chips)
        for present, absent in self._forfeits:
            self.scores.forfeit(present, absent)
        if self._bye is not None:
            self.scores.bye(self._bye)

    def _won(self, table: TableState) -> tuple[int, int]:
        """Half points of games: those played, and those that one of the two was not there for."""
        unplayed = 2 * (self.settings.games - table.scored)
        gone = [player.left is not None for player in table.players]
        one, two = (points + unplayed * other for points, other in zip(table.points, reversed(gone), strict=True))
        return one, two

    def points(self) -> Mapping[Player, int]:
        """See ``Format``."""
        return self.scores.points()

    def merits(self) -> Mapping[Player, tuple[int, ...]] | None:
        """See ``Format``."""
        return self.scores.rank_keys()

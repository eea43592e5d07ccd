"""A tournament format: who sits together in each round, what is counted, and what places go by."""

from collections.abc import Mapping, Sequence

from dealer.ledger.departures import Departure
from dealer.ledger.standings import Standing, rank_by
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.match import MIN_PLAYERS


class Format:
    """One tournament's format, with what its rounds have come to; the base for all formats.

    Attributes:
        rounds: how often everybody sits down anew.
        eliminates: whether a player without chips is out of the round; else its stack is full again in the next game.
        fewest: with how many players who have not left another round still counts.
        keeps_seats: whether the seat of a player who left stays at the table, and folds.
    """

    rounds: int = 1
    eliminates: bool = True
    fewest: int = MIN_PLAYERS
    keeps_seats: bool = False

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        self.settings = settings
        self.players = tuple(players)

    @property
    def scores_games(self) -> bool:
        """Whether games are counted one by one, by who had the most chips at the end of each."""
        return self.settings.game.in_games

    def games(self, players: int) -> int:
        """How many games a table of so many players plays in a round."""
        return self.settings.games

    def rotation(self, table: TableState) -> int:
        """By how many places the players of a table are moved on in the game that begins."""
        return 0

    def deck_number(self, table: TableState) -> int:
        """The number of the deck of a table's next hand; a new one for each hand."""
        return table.hand_number + 1

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """Who sits together in a round.

        Args:
            number: of the round, from 1.
            here: who has not left.
        """
        raise NotImplementedError

    def end_game(self, table: TableState) -> None:
        """Count a game that a table has finished."""

    def end_round(self, tables: Sequence[TableState], places: Mapping[Player, int]) -> None:
        """Count a round that was played to its end.

        Args:
            tables: of the round.
            places: of those who began it, as a freezeout gives them.
        """

    def points(self) -> Mapping[Player, int]:
        """Half points of everybody, where ``merits`` are not None."""
        return {}

    def merits(self) -> Mapping[Player, tuple[int, ...]] | None:
        """What places in the tournament go by, more being better; None if they are those of the only round."""
        return None

    def standings(
        self, chips: Mapping[Player, int], departures: Mapping[Player, Departure]
    ) -> Sequence[Standing] | None:
        """Everybody's place in the tournament; None if those are the places of the round under way.

        Args:
            chips: of each player, as standings show them.
            departures: who is out of the round.
        """
        merits = self.merits()
        return None if merits is None else rank_by(merits, chips, self.points())


def deal_out(players: Sequence[Player], table_size: int) -> list[list[Player]]:
    """Players at as few tables as have seats for them, one after the other, so that sizes differ by one at most."""
    tables = -(-len(players) // table_size)
    return [list(players[table::tables]) for table in range(tables)]

"""A tournament format: who sits together in each round, what is counted, what places go by, and how that is shown."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from rich.table import Table

from dealer.cli.flags import TournamentFlags
from dealer.errors import OptionError
from dealer.ledger.columns import Column, standings_table
from dealer.ledger.formats.points import points_in_words, shown
from dealer.ledger.scores import Scores, game_columns, scores_table
from dealer.ledger.standings import Departure, Standing, rank, rank_by
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.match import MIN_PLAYERS
from protocol.plurals import plural


class Format:
    """One tournament's format, with what its rounds have come to; the base for all formats.

    A format is one file in ``named``, whose class is called ``FORMAT`` there.

    Attributes:
        rounds_from: the flag that says how many rounds there are; None where the format decides that itself.
        rounds: how often everybody sits down anew.
        eliminates: whether a player without chips is out of the round; else its stack is full again in the next game.
        fewest: with how many players who have not left another round still counts.
        keeps_seats: whether the seat of a player who left stays at the table, and folds.
        game_scores: of games one by one, where they are counted; else None.
    """

    rounds_from: ClassVar[Literal["rounds", "series"] | None] = None
    rounds: int = 1
    eliminates: bool = True
    fewest: int = MIN_PLAYERS
    keeps_seats: bool = False

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        self.settings = settings
        self.players = tuple(players)
        self.game_scores = Scores(self.players) if self.scores_games else None

    # Before the tournament: flags

    @classmethod
    def check(cls, flags: TournamentFlags) -> None:
        """Make sure that the flags fit the format.

        Raises:
            OptionError: one belongs to another format.
        """
        if flags.rounds is not None and cls.rounds_from != "rounds":
            raise OptionError("--rounds is for --format swiss; --series says how many freezeouts are played")
        if flags.series != 1 and cls.rounds_from != "series":
            raise OptionError(f"--series plays freezeouts; leave it or --format {flags.format} out")

    @classmethod
    def rounds_asked(cls, flags: TournamentFlags) -> int | None:
        """The number of rounds that the flags ask for; None where the format decides that itself."""
        return None if cls.rounds_from is None else getattr(flags, cls.rounds_from)

    @classmethod
    def one_table(cls, settings: Settings) -> bool:
        """True if there is a single table, so that its seats limit how many can play."""
        return False

    # While it is played

    @property
    def scores_games(self) -> bool:
        """True if games are counted one by one, by who had the most chips at the end of each."""
        return self.settings.game.in_games

    def games(self, players: int) -> int:
        """The number of games that a table of so many players plays in a round."""
        return self.settings.games

    def rotation(self, table: TableState) -> int:
        """By how many places the players of a table are moved on in the game that begins."""
        return 0

    def deck_number(self, table: TableState) -> int:
        """The number of the deck of a table's next hand; a new one for each hand."""
        return table.hand_number + 1

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """The tables of a round.

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

    # Places

    def points(self) -> Mapping[Player, int]:
        """Half points of everybody, where ``merits`` are not None."""
        return {}

    def merits(self) -> Mapping[Player, tuple[int, ...]] | None:
        """Keys that order places in the tournament, more being better; None if they are those of the only round."""
        return None

    def standings(self, stacks: Mapping[Player, int], departures: Mapping[Player, Departure]) -> list[Standing]:
        """Everybody's place as things stand now.

        By what the format counts, as far as rounds are complete; else, where games count, by games won and then
        average chips; else by chips.

        Args:
            stacks: chips of those who began the round under way.
            departures: who is out of that round.
        """
        games = self.game_scores
        merits = self.merits()
        if merits is not None:
            return rank_by(merits, games.average_chips() if games else stacks, self.points())
        if games and games.games:
            return rank(games.average_chips(), departures, games.games_won())
        return rank(stacks, departures)

    @property
    def measure(self) -> str:
        """The measure of a player's row on the live page: points, won, average or chips."""
        if self.merits() is not None:
            return "points"
        return "average" if self.settings.game.in_games and self.settings.games > 1 else "chips"

    def places(self, player: Player) -> Sequence[float]:
        """A player's place in each complete round, where rounds have places of their own."""
        return ()

    # How it is shown

    @property
    def chips_title(self) -> str:
        return "Average chips" if self.game_scores and self.game_scores.games else "Chips"

    def columns(self) -> Sequence[Column]:
        """Columns of standings that only this format has, for the report's page and CSV file."""
        return game_columns(self.game_scores) if self.game_scores else ()

    def tables(self, standings: Sequence[Standing]) -> Iterator[Table]:
        """The tables that a terminal shows at the end, the most important one first."""
        yield scores_table(standings, self.game_scores) if self.game_scores else standings_table(standings)

    def notes(self) -> Iterator[str]:
        """Lines below these tables."""
        return iter(())

    def facts(self, player: Player) -> dict[str, Any]:
        """The facts of a player for JSON, beside its standing."""
        return {"score": self.game_scores.by_player[player].as_dict()} if self.game_scores else {}

    def progress(self) -> dict[str, int] | None:
        """The numbers of deals that are planned and complete; None in formats without deals."""
        return None

    def closing_words(self, standing: Standing, rounds: int) -> str:
        """The result of a player, behind its place in its ``done:`` message.

        Args:
            standing: of the player.
            rounds: that were played to their end.
        """
        if standing.points is not None:
            return f" with {points_in_words(standing.points)} after {plural(rounds, 'round')}"
        if self.game_scores is None:
            return f" with {plural(standing.chips, 'chip')}"
        score = self.game_scores.by_player[standing.player]
        return f"; you won {plural(score.won, 'game')}, drew {score.drawn} and lost {score.lost}"


def points_column(points: Mapping[Player, int]) -> Column:
    """The column of points; ``points`` are half points of each player."""
    column = Column("points", lambda one: points[one.player] / 2, "Points", "Points", "points")
    return replace(column, text=lambda whole: shown(round(2 * whole)), page="{:g}".format)


def deal_out(players: Sequence[Player], table_size: int) -> list[list[Player]]:
    """Players at as few tables as have seats for them, one after the other, so that sizes differ by one at most."""
    tables = -(-len(players) // table_size)
    return [list(players[table::tables]) for table in range(tables)]

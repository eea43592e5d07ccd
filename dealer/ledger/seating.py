"""Who sits where: rounds, tables, who is still in, and who moves."""

from collections.abc import Mapping, Sequence

from dealer.ledger.balance import balanced, next_table
from dealer.ledger.formats.format import Format
from dealer.ledger.formats.freezeout import Freezeout
from dealer.ledger.formats.pairings import Pairings
from dealer.ledger.standings import Departure
from dealer.ledger.table_state import Arrival, TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.match import MIN_PLAYERS


class Seating:
    """Players at tables.

    A tournament is a row of *rounds*, most often a single one: in each, everybody who has not left sits down anew with
    equal stacks, at tables that are new too.

    Attributes:
        round: the number of the round under way, from 1.
        tables: of all rounds so far, by number.
        departures: who is out of the round under way.
        version: grows with every change that could make a table send a player elsewhere.
        format: who sits together in a round, and what it counts.
    """

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        self.settings = settings
        self.players = tuple(players)
        for number, player in enumerate(players):
            player.number = number
        self.format: Format = (Freezeout if settings.format == "freezeout" else Pairings)(settings, self.players)
        self.round = 0
        self.version = 0
        self.tables: list[TableState] = []
        self.departures: dict[Player, Departure] = {}
        self._places: dict[Player, TableState] = {}
        self._first = 0
        self._counted: tuple[int, Mapping[int, int]] = (-1, {})
        self._seat_everybody()

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return self.format.rounds

    @property
    def round_tables(self) -> list[TableState]:
        """The tables of the round under way."""
        return self.tables[self._first :]

    @property
    def rounds_played(self) -> int:
        """How many rounds were played to their end."""
        return self.round if self.round_over else self.round - 1

    @property
    def over(self) -> bool:
        """Whether there is no hand left to play."""
        last = self.round >= self.rounds or sum(player.left is None for player in self.players) < self.format.fewest
        return last and self.round_over

    @property
    def round_over(self) -> bool:
        """Whether no table of this round plays on."""
        return all(self.table_over(table) for table in self.round_tables)

    def _seat_everybody(self) -> None:
        """Equal stacks at new tables for everybody who has not left."""
        self.round += 1
        self.version += 1
        self.departures = {}
        self._first = len(self.tables)
        here = [player for player in self.players if player.left is None]
        for seated in self.format.seat(self.round, here):
            match = self.settings.game.start(len(seated))
            table = TableState(len(self.tables), seated, match, match.stacks, self.round)
            table.points, table.won = [0] * len(seated), [0] * len(seated)
            self.tables.append(table)
            self._places.update(dict.fromkeys(seated, table))

    def table_of(self, player: Player) -> TableState:
        """Where a player sits, or will before the next hand there."""
        return self._places[player]

    def still_in(self, player: Player) -> bool:
        """Whether a player is in the round under way."""
        return player.left is None and player not in self.departures

    def plays_on(self, player: Player) -> bool:
        """Whether a player has not left, and may have a hand left to play."""
        more = self.round < self.rounds or not self.table_over(self.table_of(player))
        return player.left is None and more and not self.over

    def games(self, table: TableState) -> int:
        """How many games a table plays; a duplicate one plays each deal once for every player."""
        return self.settings.games * (len(table.players) if self.settings.duplicate else 1)

    def game_over(self, table: TableState) -> bool:
        """Whether the game under way has no more hands."""
        return table.match.over or table.played >= self.settings.hands

    def table_over(self, table: TableState) -> bool:
        """Whether a table has nothing more to play; one that is short of players goes on if it may get some."""
        if self._played_out(table):
            return True
        return self.size(table) < MIN_PLAYERS and len(self._sizes()) < MIN_PLAYERS

    def _played_out(self, table: TableState) -> bool:
        """Whether a table has played all its hands, or has no players any more."""
        return self.size(table) == 0 or (table.game >= self.games(table) and self._all_hands_played(table))

    def _all_hands_played(self, table: TableState) -> bool:
        over = self.game_over(table)
        may_get_players = self.sends_players and len(self.round_tables) > 1
        return over and (table.played >= self.settings.hands or not may_get_players)

    @property
    def eliminates(self) -> bool:
        """Whether whose chips are gone is out of the round; else its stack is full again in the next game."""
        return self.format.eliminates and not self.settings.duplicate

    @property
    def sends_players(self) -> bool:
        """Whether players move between tables: where one stack has to last until its player is out."""
        settings = self.settings
        one_stack = not settings.game.in_games and settings.games == 1
        return self.eliminates and one_stack

    def size(self, table: TableState) -> int:
        """Players still in at a table, and on their way to it."""
        arriving = sum(self.still_in(player) for player, _ in table.arriving)
        return arriving + sum(self.still_in(player) for player in table.players)

    def _sizes(self) -> Mapping[int, int]:
        """Players still in at each table that could play on with others, by number."""
        version, sizes = self._counted
        if version != self.version:
            playing = (table for table in self.round_tables if not self._played_out(table))
            sizes = {table.number: self.size(table) for table in playing} if self.sends_players else {}
            self._counted = self.version, sizes
        return sizes

    def next_move(self, table: TableState) -> tuple[Player, TableState] | None:
        """Whom a table that is between two hands sends to which other one now; None if it keeps everybody.

        The seats take turns, by the number of the hand.
        """
        sizes = self._sizes()
        to = next_table(table.number, sizes, self.settings.table_size) if table.number in sizes else None
        if to is None:
            return None
        candidates = [player for player in table.players if self.still_in(player)]
        return candidates[table.hand_number % len(candidates)], self.tables[to]

    def move(self, player: Player, to: TableState) -> None:
        """Between two hands of its table, a player leaves for another one, where it is dealt in next.

        What it has been dealt so far ended with the last hand here, so it misses none and plays no two at once.
        """
        stack = self._places[player].release(player)
        to.arriving.append(Arrival(player, stack))
        self._places[player] = to
        self.version += 1

    def may_deal(self, table: TableState) -> bool:
        """Whether a table has enough players, and none has to wait until another has sent some."""
        return len(table.match.seated) >= MIN_PLAYERS and balanced(self._sizes())

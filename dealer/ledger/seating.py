"""Seating: rounds, tables, and which player moves to which table."""

from collections.abc import Mapping, Sequence

from dealer.ledger.formats.format import Format
from dealer.ledger.standings import Departures
from dealer.ledger.table_state import Arrival, TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.match import MIN_PLAYERS


class Seating:
    """The tables of a tournament and the players at them.

    A tournament is a row of *rounds*, most often a single one: in each, all players who have not left sit down at new
    tables with equal stacks.

    Args:
        settings: of the tournament.
        players: in the order of the tournament.
        format: who sits together in a round.
        departures: who is out of the round under way; emptied when a round begins.

    Attributes:
        round: the number of the round under way, from 1.
        tables: of all rounds so far, by number.
        hands_before: finished one after another in the rounds before this one.
        version: grows with every change that could make a table send a player elsewhere; see ``changed``.
    """

    def __init__(self, settings: Settings, players: Sequence[Player], format: Format, departures: Departures) -> None:
        self._settings = settings
        self._players = players
        self._format = format
        self._departures = departures
        self.round = 0
        self.version = 0
        self.tables: list[TableState] = []
        self._places: dict[Player, TableState] = {}
        self.hands_before = 0
        self._first = 0  # the number of the first table of this round
        # What each of many tables asks before each of its hands is counted once per version.
        self._size_of: dict[TableState, int] = {}
        self._counted: Mapping[int, int] | None = None
        self._balanced: bool | None = None
        self.begin_round()

    def changed(self) -> None:
        """Note a change that could make a table send a player elsewhere: somebody left or moved, or a game is over."""
        self.version += 1
        self._size_of.clear()
        self._counted = self._balanced = None

    # Rounds

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self._format.rounds

    @property
    def round_tables(self) -> list[TableState]:
        """The tables of the round under way."""
        return self.tables[self._first :]

    @property
    def rounds_played(self) -> int:
        """The number of rounds that were played to their end."""
        return self.round if self.round_over else self.round - 1

    @property
    def hands_on(self) -> int:
        """Hands finished one after another: in each round, those of the table that has played most."""
        return self.hands_before + self.hands_in_round

    @property
    def hands_in_round(self) -> int:
        """The hands of this round that the table which has played most has finished."""
        return max((table.finished for table in self.round_tables), default=0)

    @property
    def finished(self) -> int:
        """Hands finished at all tables, in all rounds."""
        return sum(table.finished for table in self.tables)

    @property
    def over(self) -> bool:
        """True if there is no hand left to play."""
        return self.round_over and not self.another_round()

    def another_round(self, more: int = 0) -> bool:
        """True if a round follows, with those who have not left and ``more`` players who are let in again."""
        here = sum(player.left is None for player in self._players) + more
        return self.round < self.rounds and here >= self._format.fewest

    @property
    def round_over(self) -> bool:
        """True if no table of this round plays on."""
        return all(self.table_over(table) for table in self.round_tables)

    def begin_round(self) -> None:
        """Seat everybody who has not left at new tables, with equal stacks."""
        self.hands_before += self.hands_in_round
        self.round += 1
        self.changed()
        self._departures.clear()
        self._first = len(self.tables)
        here = [player for player in self._players if player.left is None]
        for seated in self._format.seat(self.round, here):
            table = self._new_table(seated)
            self.tables.append(table)
            self._places.update(dict.fromkeys(seated, table))

    def _new_table(self, players: list[Player]) -> TableState:
        match = self._settings.game.start(len(players))
        return TableState(
            number=len(self.tables),
            players=players,
            match=match,
            stacks_before=match.stacks,
            round=self.round,
            games=self._format.games(len(players)),
            hands=self._settings.hands,
            points=[0] * len(players),
            won=[0] * len(players),
        )

    # Players and tables

    def table_of(self, player: Player) -> TableState:
        """The table at which a player sits, or will before the next hand there."""
        return self._places[player]

    def still_in(self, player: Player) -> bool:
        """True if a player is in the round under way."""
        return player.left is None and player not in self._departures

    def plays_on(self, player: Player) -> bool:
        """True if a player has not left, and may have a hand left to play."""
        more = self.round < self.rounds or not self.table_over(self.table_of(player))
        return player.left is None and more and not self.over

    def size(self, table: TableState) -> int:
        """Players still in at a table, and on their way to it."""
        if table not in self._size_of:
            everybody = (*table.players, *(player for player, _ in table.arriving))
            self._size_of[table] = sum(map(self.still_in, everybody))
        return self._size_of[table]

    def table_over(self, table: TableState) -> bool:
        """True if a table has nothing more to play; one that is short of players goes on if it may get some."""
        if self._played_out(table):
            return True
        return self.size(table) < MIN_PLAYERS and len(self._sizes()) < MIN_PLAYERS

    def _played_out(self, table: TableState) -> bool:
        """True if a table has played all its hands, or has no players any more."""
        if self.size(table) == 0:
            return True
        may_get_players = self.sends_players and len(self.round_tables) > 1
        return table.game >= table.games and table.game_over and (table.played >= table.hands or not may_get_players)

    # Moves between tables

    @property
    def sends_players(self) -> bool:
        """True if players move between tables: where one stack has to last until its player is out."""
        one_stack = not self._settings.game.in_games and self._settings.games == 1
        return self._format.eliminates and one_stack

    def _sizes(self) -> Mapping[int, int]:
        """Players still in at each table that could play on with others, by number."""
        if self._counted is None:
            playing = (table for table in self.round_tables if not self._played_out(table))
            self._counted = {table.number: self.size(table) for table in playing} if self.sends_players else {}
        return self._counted

    def next_move(self, table: TableState) -> tuple[Player, TableState] | None:
        """The player whom a table between two hands sends away now, and the table it goes to; None for no move.

        Seats take turns, by the number of the hand.
        """
        sizes = self._sizes()
        to = next_table(table.number, sizes, self._settings.table_size) if table.number in sizes else None
        if to is None:
            return None
        candidates = [player for player in table.players if self.still_in(player)]
        return candidates[table.hand_number % len(candidates)], self.tables[to]

    def move(self, player: Player, to: TableState) -> None:
        """Send a player whose table is between two hands to another table, where it is dealt in next.

        What it has been dealt so far ended with the last hand here, so it misses none and plays no two at once.
        """
        stack = self._places[player].release(player)
        to.arriving.append(Arrival(player, stack))
        self._places[player] = to
        self.changed()

    def may_deal(self, table: TableState) -> bool:
        """True if a table has enough players, and none has to wait until another has sent some."""
        if self._balanced is None:
            sizes = self._sizes().values()
            # no table has two players more than another; else one of them will send some after its hand
            self._balanced = not sizes or max(sizes) - min(sizes) <= 1
        return len(table.match.seated) >= MIN_PLAYERS and self._balanced


def next_table(table: int, sizes: Mapping[int, int], table_size: int) -> int | None:
    """The table to which a table between two hands sends one of its players next; None if it keeps them.

    The smallest table is broken up as soon as the others have seats for its players (of equals the one with the
    highest number), and until that is done no other table sends any. Otherwise a table gives to the smallest one if
    that has at least two players fewer.

    Args:
        table: that could send a player.
        sizes: players still in at each table that plays on, ``table`` among them.
        table_size: seats at a table.
    """
    others = {number: size for number, size in sizes.items() if number != table}
    if not others or not sizes[table]:
        return None
    smallest = min(others, key=lambda number: (others[number], number))
    if sum(sizes.values()) <= table_size * len(others):
        return smallest if table == min(sizes, key=lambda number: (sizes[number], -number)) else None
    return smallest if sizes[table] > sizes[smallest] + 1 else None

"""What a tournament has come to: who sits where, with how many chips, and who has left.

Everything that changes it is a method here, and a record in the journal: the dealer calls them while it plays, and a
journal that is read again calls the same ones. No clock, no sockets.
"""

from collections.abc import Sequence
from dataclasses import replace

from dealer.balance import balanced, next_table
from dealer.duplicate import DuplicateScores
from dealer.faults import Fault
from dealer.levels import ante_at, payable
from dealer.played import PlayedHand
from dealer.player import Player
from dealer.scores import Scores
from dealer.settings import Settings
from dealer.standings import Departure, Standing, rank
from dealer.table_state import Arrival, TableState
from protocol.games.base import Hand
from protocol.games.match import MIN_PLAYERS
from protocol.shuffle import cards_at, shuffled_places


class Ledger:
    """Players, their tables and the order in which they leave.

    A tournament is a row of *rounds*, most often a single one: in each, everybody who has not left sits down anew with
    equal stacks, at tables that are new too.

    Attributes:
        round: the number of the round under way, from 1.
        tables: of all rounds so far, by number.
        level: at which the next hand is dealt; the first is 1.
        departures: who is out of the round under way.
        version: grows with every change that could make a table send a player elsewhere.
        scores: of games, where games count; else None.
        duplicate: scores of deals in a duplicate tournament, which has no others; else None.
    """

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        self.settings = settings
        self.players = tuple(players)
        for number, player in enumerate(players):
            player.number = number
        self.round = 0
        self.level = 1
        self.version = 0
        self.tables: list[TableState] = []
        self.departures: dict[Player, Departure] = {}
        self._places: dict[Player, TableState] = {}
        self._first = 0
        self._counted: tuple[int, dict[int, int]] = (-1, {})
        # Games of one deal depend on each other, so a duplicate tournament must not count them one by one.
        self.scores = Scores(self.players) if settings.game.in_games and not settings.duplicate else None
        self.begin_round()
        seated = [table.players for table in self.tables]
        self.duplicate = DuplicateScores(seated, settings.games) if settings.duplicate else None

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return self.settings.rounds

    @property
    def round_tables(self) -> list[TableState]:
        """The tables of the round under way."""
        return self.tables[self._first :]

    @property
    def over(self) -> bool:
        """Whether there is no hand left to play."""
        last = self.round >= self.rounds or sum(player.left is None for player in self.players) < MIN_PLAYERS
        return last and self.round_over

    @property
    def round_over(self) -> bool:
        """Whether no table of this round plays on."""
        return all(self.table_over(table) for table in self.round_tables)

    def begin_round(self) -> None:
        """Equal stacks at new tables for everybody who has not left."""
        self.round += 1
        self.level = 1
        self.version += 1
        self.departures = {}
        self._first = len(self.tables)
        here = [player for player in self.players if player.left is None]
        count = -(-len(here) // self.settings.table_size)
        for number in range(count):
            seated = here[number::count]
            match = self.settings.game.start(len(seated))
            table = TableState(len(self.tables), seated, match, match.stacks)
            self.tables.append(table)
            self._places.update(dict.fromkeys(seated, table))

    def end_round(self) -> None:
        """No table of this round plays any more: whoever was on the way to one has arrived."""
        for table in self.round_tables:
            table.settle()

    def table_of(self, player: Player) -> TableState:
        """Where a player sits, or will before the next hand there."""
        return self._places[player]

    def still_in(self, player: Player) -> bool:
        """Whether a player is in the round under way."""
        return player.left is None and player not in self.departures

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
    def sends_players(self) -> bool:
        """Whether players move between tables: where one stack has to last until its player is out."""
        settings = self.settings
        return not (settings.duplicate or settings.game.in_games) and settings.games == 1

    def size(self, table: TableState) -> int:
        """Players still in at a table, and on their way to it."""
        arriving = sum(self.still_in(player) for player, _ in table.arriving)
        return arriving + sum(self.still_in(player) for player in table.players)

    def _sizes(self) -> dict[int, int]:
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
        """Whether a table that keeps everybody need not wait for players whom another one will send here."""
        if len(table.match.seated) < MIN_PLAYERS:
            return False
        sizes = self._sizes()
        return table.number not in sizes or balanced(table.number, sizes)

    def game_due(self, table: TableState) -> bool:
        """Whether a table between two hands begins a game next."""
        return table.game == 0 or (table.game < self.games(table) and self.game_over(table))

    def begin_game(self, table: TableState) -> None:
        """Equal stacks for everybody who still plays, and no hand played.

        A duplicate tournament plays all deals in one rotation before the next one begins, so that a program does not
        meet the same cards again at once.
        """
        table.game += 1
        table.played = 0
        match = self.settings.game.start(len(table.players))
        if self.settings.duplicate:
            rotation, players = (table.game - 1) // self.settings.games, len(table.players)
            match = replace(match, seated=tuple((seat + rotation) % players for seat in range(players)))
        table.match = match
        table.stacks_before = match.stacks
        self.tidy(table)

    def next_deck(self, table: TableState) -> bytes:
        """The deck of the next hand, as places in ``DECK``."""
        number = table.hand_number + 1
        if self.settings.duplicate:
            number = (table.game - 1) % self.settings.games * self.settings.hands + table.played + 1
        return shuffled_places(self.settings.seed, table.number, number)

    def deal(self, table: TableState, places: bytes, level: int | None = None) -> Hand:
        """Begin the next hand, at the level under way or, in a journal, at that of the hand."""
        self.charge(table, self.level if level is None else level)
        table.hand_number += 1
        table.in_hand = True
        table.stacks_before = table.match.stacks
        return table.match.deal(cards_at(places))

    def charge(self, table: TableState, level: int) -> None:
        """Ask of a table what everybody pays before a hand at a level; who cannot is not dealt in."""
        if level != table.level:
            table.level, table.at_level = level, 0
        if self.settings.levels is not None:
            stacks = [table.match.stacks[index] for index in table.match.seated]
            table.match = table.match.charge(payable(self.ante(level), stacks))

    def ante(self, level: int) -> int:
        """What a level asks for, where there are levels; a table whose stacks cannot pay it asks for less."""
        return ante_at(level, int(self.settings.game.facts["ante"]))

    def level_due(self, table: TableState) -> bool:
        """Whether a table has played so many hands at the level under way that the next one begins, everywhere."""
        levels = self.settings.levels
        return levels is not None and table.level == self.level and table.at_level >= levels

    def next_level(self) -> None:
        """Antes rise; hands under way are played as they were dealt.

        Raises:
            ValueError: this tournament has no levels.
        """
        self.check_levels()
        self.level += 1

    def check_levels(self) -> None:
        """Whether antes can rise.

        Raises:
            ValueError: this tournament has no levels.
        """
        if self.settings.levels is None:
            raise ValueError("this tournament has no levels; start one with --levels")

    def fee(self, table: TableState) -> str:
        """What a player pays before the next hand at a table, in words."""
        if self.settings.levels is None:
            return self.settings.game.fee
        stacks = [table.match.stacks[index] for index in table.match.seated]
        return f"the ante of {payable(self.ante(self.level), stacks)}"

    def finish(self, table: TableState, hand: PlayedHand) -> None:
        """End the hand under way: chips move, and who cannot pay for the next is not dealt in any more."""
        table.match = table.match.record(hand.settlement)
        table.in_hand = False
        table.played += 1
        table.finished += 1
        table.at_level += 1
        if table.played >= self.settings.hands:
            self.version += 1
        if self.scores:
            self.scores.add(hand)
        for player, share in zip(hand.players, hand.settlement.shares, strict=True):
            player.hands_won += bool(share) and not hand.settlement.tied
        survivors = table.players if self.duplicate else table.seated
        self.tidy(table)
        # In a duplicate tournament an empty stack is full again in the next deal.
        for player in survivors:
            player.hands_survived += player.left is None

    def hands_under_way(self) -> list[TableState]:
        """Tables that may have dealt a hand when their dealer died, of which nothing but its cards may be known."""
        for table in self.round_tables:
            table.settle()
        return [
            table
            for table in self.round_tables
            if table.game and not self.game_over(table) and not self.table_over(table)
        ]

    def void(self, table: TableState) -> None:
        """Whatever was dealt of the hand under way does not count, and its cards are never dealt again.

        Who left in it has left all the same. In a duplicate tournament its cards are dealt again after all: the deal
        would not be complete without them, and everybody meets every deal several times anyway.
        """
        table.hand_number += 1
        table.voided += 1
        table.in_hand = False
        table.stacks_before = table.match.stacks
        self.tidy(table)
        for player in table.players:
            if player.left_in == table.hand_number and player.left_for is not None:
                player.faults.append(player.left_for)  # its own record went with the hand

    def leave(
        self,
        player: Player,
        hand: int,
        chips: int,
        reason: str,
        fault: Fault | None = None,
        *,
        for_good: bool = True,
    ) -> None:
        """A player is out since ``hand``, before which it had ``chips``. ``tidy`` the table when that hand is over.

        Args:
            player: who.
            hand: of its table, in which it left.
            chips: before that hand.
            reason: in words.
            fault: what put it out, if that is not yet among its faults; it will be, should the hand not count.
            for_good: whether it leaves the tournament; else only the round under way.
        """
        self.version += 1
        if player not in self.departures:
            self.departures[player] = Departure(self._order(self._places[player].number, hand), chips)
        if for_good:
            player.left, player.left_in, player.left_with, player.left_for = reason, hand, chips, fault

    def _order(self, table: int, hand: int) -> tuple[int, int, int]:
        """What orders departures: those in the same hand of the same table are equal, others come one by one."""
        for departure in self.departures.values():
            if departure.order[1:] == (table, hand):
                return departure.order
        return len(self.departures), table, hand

    def tidy(self, table: TableState) -> None:
        """Between two hands: who has left gets no more cards, who arrives gets some, and a game that is over is scored.

        In a duplicate tournament the place of who has left stays, and folds, so that the others' deals stay whole.
        """
        table.settle()
        if not self.settings.duplicate:
            for index, player in enumerate(table.players):
                if not self.still_in(player) and index in table.match.seated:
                    table.match = table.match.without(index)
        if table.scored < table.game and self.game_over(table):
            self._score_game(table)
            table.scored = table.game

    def _score_game(self, table: TableState) -> None:
        if self.duplicate:
            before = self.settings.game.start(len(table.players)).stacks
            self.duplicate.end_game(table.players, before, table.match.stacks)
        elif self.scores:
            self.scores.end_game(table.players, table.match.stacks)

    def broke(self, table: TableState) -> list[Player]:
        """Between two hands: who still plays but cannot pay for the next hand, which is the end of it."""
        if self.settings.duplicate:
            return []
        self.charge(table, self.level)
        seated = table.seated
        return [player for player in table.players if self.still_in(player) and player not in seated]

    def stacks(self) -> dict[Player, int]:
        """Chips of everybody in the round under way; during a hand as they were before it."""
        return {player: stack for table in self.round_tables for player, stack in table.stacks().items()}

    def standings(self) -> list[Standing]:
        """Everybody's place as things stand now; where games count, by games won and then average chips.

        In a duplicate tournament by chips per deal, and chips are those won in all complete deals together.
        """
        if self.duplicate:
            return rank(self.duplicate.totals(), self.departures)
        if self.scores and self.scores.games:
            return rank(self.scores.average_chips(), self.departures, self.scores.games_won())
        return rank(self.stacks(), self.departures)

"""What a tournament has come to: who sits where, with how many chips, and who has left.

Everything that changes it is a method here, and a record in the journal: the dealer calls them while it plays, and a
journal that is read again calls the same ones. No clock, no sockets.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dealer.duplicate import DuplicateScores
from dealer.faults import Fault
from dealer.played import PlayedHand, ShownHand
from dealer.player import Player
from dealer.scores import Scores
from dealer.settings import Settings
from dealer.standings import Standing, rank
from protocol.games.base import Hand
from protocol.games.match import MIN_PLAYERS, Match
from protocol.shuffle import cards_at, shuffled_places


@dataclass(eq=False, slots=True)
class TableState:
    """One table.

    Attributes:
        number: of the table, from 0.
        players: everybody who sat down here.
        match: who is dealt in with how many chips, in the order of ``players``.
        stacks_before: chips of every player before the hand under way, or the last one.
        game: the number of the game under way; 0 before the first.
        hand_number: of the hand under way, or of the last one; the first hand is 1.
        played: hands finished in the game under way.
        finished: hands finished in all games.
        voided: hands that were dealt and do not count.
        scored: games whose scores were counted.
        current: the hand under way; None between two hands.
        last: the last finished hand, once it may be told; None before there is one.
    """

    number: int
    players: list[Player]
    match: Match
    stacks_before: tuple[int, ...]
    game: int = 0
    hand_number: int = 0
    played: int = 0
    finished: int = 0
    voided: int = 0
    scored: int = 0
    current: ShownHand | None = None
    last: ShownHand | None = None

    @property
    def seated(self) -> list[Player]:
        """Who is dealt in next, by seat."""
        return [self.players[index] for index in self.match.seated]


class Ledger:
    """Players, their tables and the order in which they leave.

    Attributes:
        tables: as few as hold everybody, their sizes differing by one at most.
        scores: of games, where games count; else None.
        duplicate: scores of deals in a duplicate tournament, which has no others; else None.
    """

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        self.settings = settings
        self.players = tuple(players)
        # Games of one deal depend on each other, so a duplicate tournament must not count them one by one.
        self.scores = Scores(self.players) if settings.game.in_games and not settings.duplicate else None
        self.tables = self._seat_players()
        seated = [table.players for table in self.tables]
        self.duplicate = DuplicateScores(seated, settings.games) if settings.duplicate else None

    def _seat_players(self) -> list[TableState]:
        count = -(-len(self.players) // self.settings.table_size)
        tables = []
        for number in range(count):
            seated = list(self.players[number::count])
            match = self.settings.game.start(len(seated))
            tables.append(TableState(number, seated, match, match.stacks))
        return tables

    def table_of(self, player: Player) -> TableState:
        """Where a player sits."""
        return next(table for table in self.tables if player in table.players)

    def games(self, table: TableState) -> int:
        """How many games a table plays; a duplicate one plays each deal once for every player."""
        return self.settings.games * (len(table.players) if self.settings.duplicate else 1)

    def game_over(self, table: TableState) -> bool:
        """Whether the game under way has no more hands."""
        return table.match.over or table.played >= self.settings.hands

    def table_over(self, table: TableState) -> bool:
        """Whether a table has nothing more to play."""
        playing = sum(player.left is None for player in table.players)
        return playing < MIN_PLAYERS or (table.game >= self.games(table) and self.game_over(table))

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
        self.tidy(table)

    def next_deck(self, table: TableState) -> bytes:
        """The deck of the next hand, as places in ``DECK``."""
        number = table.hand_number + 1
        if self.settings.duplicate:
            number = (table.game - 1) % self.settings.games * self.settings.hands + table.played + 1
        return shuffled_places(self.settings.seed, table.number, number)

    def deal(self, table: TableState, places: bytes) -> Hand:
        """Begin the next hand."""
        table.hand_number += 1
        table.stacks_before = table.match.stacks
        return table.match.deal(cards_at(places))

    def finish(self, table: TableState, hand: PlayedHand) -> None:
        """End the hand under way: chips move, and who cannot pay for the next is not dealt in any more."""
        table.match = table.match.record(hand.settlement)
        table.played += 1
        table.finished += 1
        if self.scores:
            self.scores.add(hand)
        for player, share in zip(hand.players, hand.settlement.shares, strict=True):
            player.hands_won += bool(share) and not hand.settlement.tied
        self.tidy(table)
        # In a duplicate tournament an empty stack is full again in the next deal.
        for player in table.players if self.duplicate else table.seated:
            player.hands_survived += player.left is None

    def void(self, table: TableState) -> None:
        """Whatever was dealt of the hand under way does not count, and its cards are never dealt again.

        Who left in it has left all the same. In a duplicate tournament its cards are dealt again after all: the deal
        would not be complete without them, and everybody meets every deal several times anyway.
        """
        table.hand_number += 1
        table.voided += 1
        table.stacks_before = table.match.stacks
        self.tidy(table)
        for player in table.players:
            if player.left_in == table.hand_number and player.left_for is not None:
                player.faults.append(player.left_for)  # its own record went with the hand

    def leave(self, player: Player, hand: int, chips: int, reason: str, fault: Fault | None = None) -> None:
        """A player is out since ``hand``, before which it had ``chips``. ``tidy`` the table when that hand is over.

        Args:
            player: who.
            hand: in which it left.
            chips: before that hand.
            reason: in words.
            fault: what put it out, if that is not yet among its faults; it will be, should the hand not count.
        """
        player.left, player.left_in, player.left_with, player.left_for = reason, hand, chips, fault

    def tidy(self, table: TableState) -> None:
        """Between two hands: who has left gets no more cards, and a game that is over is scored.

        In a duplicate tournament the place of who has left stays, and folds, so that the others' deals stay whole.
        """
        if not self.settings.duplicate:
            for index, player in enumerate(table.players):
                if player.left is not None and index in table.match.seated:
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
        seated = table.seated
        return [player for player in table.players if player.left is None and player not in seated]

    def standings(self) -> list[Standing]:
        """Everybody's place as things stand now; where games count, by games won and then average chips.

        In a duplicate tournament by chips per deal, and chips are those won in all complete deals together.
        """
        if self.duplicate:
            return rank(self.duplicate.totals())
        if self.scores and self.scores.games:
            return rank(self.scores.average_chips(), self.scores.games_won())
        return rank(
            {
                player: stack
                for table in self.tables
                for player, stack in zip(table.players, table.match.stacks, strict=True)
            }
        )

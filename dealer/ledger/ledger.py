"""What a tournament has come to: who sits where, with how many chips, and who has left.

Everything that changes it is a method here or of its ``Seating``, and a record in the journal: the dealer calls them
while it plays, and a journal that is read again calls the same ones. No clock, no sockets.
"""

from collections.abc import Sequence
from dataclasses import replace

from dealer.faults import Fault
from dealer.ledger.duplicate import DuplicateScores
from dealer.ledger.formats.points import points_of_pair
from dealer.ledger.played_hand import PlayedHand
from dealer.ledger.scores import Scores
from dealer.ledger.seating import Seating
from dealer.ledger.standings import Departure, Standing, rank, rank_by
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.base import Hand
from protocol.games.match import Match
from protocol.games.stakes import Stakes


class Ledger(Seating):
    """Players, their chips and the order in which they leave.

    Attributes:
        level: at which the next hand is dealt; the first is 1.
        scores: of games, where games count; else None.
        duplicate: scores of deals in a duplicate tournament, which has no others; else None.
    """

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.level = 1
        games_count = settings.game.in_games or not self.format.eliminates
        # Games of one deal depend on each other, so a duplicate tournament must not count them one by one.
        self.scores = Scores(self.players) if games_count and not settings.duplicate else None
        seated = [table.players for table in self.tables]
        self.duplicate = DuplicateScores(seated, settings.games) if settings.duplicate else None

    def begin_round(self) -> None:
        """Everybody who has not left sits down anew, and antes are what they were at first."""
        self.level = 1
        self._seat_everybody()

    def end_round(self) -> None:
        """No table of this round plays any more: whoever was on the way to one has arrived, and it is counted.

        A round that was ended early counts for nothing.
        """
        for table in self.round_tables:
            self.tidy(table)
        if self.round_over:
            places = {standing.player: standing.place for standing in self.round_standings()}
            self.format.end_round(self.round_tables, places)

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
            match = _rotated(match, (table.game - 1) // self.settings.games)
        elif not self.format.eliminates:
            match = _rotated(match, table.game - 1)
        table.match = match
        table.stacks_before = match.stacks
        self.tidy(table)

    def next_deck(self, table: TableState) -> bytes:
        """What chance decides in the next hand, as the journal keeps it: for a deck the places of its cards."""
        number = table.hand_number + 1
        if self.settings.duplicate:
            number = (table.game - 1) % self.settings.games * self.settings.hands + table.played + 1
        return self.settings.game.chance.draw(self.settings.seed, table.number, number)

    def deal(self, table: TableState, places: bytes, level: int | None = None) -> Hand:
        """Begin the next hand, at the level under way or, in a journal, at that of the hand."""
        self.charge(table, self.level if level is None else level)
        table.hand_number += 1
        table.in_hand = True
        table.stacks_before = table.match.stacks
        return table.match.deal(self.settings.game.chance.outcome(places))

    def charge(self, table: TableState, level: int) -> None:
        """Ask of a table what everybody pays before a hand at a level; who cannot is not dealt in."""
        if level != table.level:
            table.level, table.at_level = level, 0
        table.match = self._charged(table, level)

    def _charged(self, table: TableState, level: int) -> Match:
        """The match of a table with what a level asks for."""
        if self.settings.levels is None:
            return table.match
        stacks = [table.match.stacks[index] for index in table.match.seated]
        return table.match.charge(self.stakes(level).payable(stacks))

    def stakes(self, level: int) -> Stakes:
        """What a level asks for, where there are levels; a table whose stacks cannot pay it asks for less."""
        stakes = self.settings.game.stakes
        assert stakes is not None, "a game without stakes that rise has no levels"
        return stakes.at_level(level)

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
        return self.stakes(self.level).payable(stacks).text

    def finish(self, table: TableState, hand: PlayedHand) -> None:
        """End the hand under way: chips move, and who cannot pay for the next is not dealt in any more."""
        self._settle_stacks(table, hand)
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

    def _settle_stacks(self, table: TableState, hand: PlayedHand) -> None:
        """Chips move; where antes rise, who cannot pay for the next hand is found by what the table then asks for."""
        levels = self.settings.levels is not None
        match = table.match.charge(self.stakes(table.level).smallest()) if levels else table.match
        table.match = match.record(hand.settlement)
        table.match = self._charged(table, table.level)

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
            self.departures[player] = Departure(self._order(self._places[player].number, hand), chips, reason)
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
            return
        if self.scores:
            self.scores.end_game(table.players, table.match.stacks)
        if not self.format.eliminates:
            self._count_game(table)

    def _count_game(self, table: TableState) -> None:
        """A game of a pairing; who has left cannot win it."""
        start = self.settings.game.start(len(table.players)).stacks
        table.won = [won + now - before for won, now, before in zip(table.won, table.match.stacks, start, strict=True)]
        stacks = [(player.left is None, stack) for player, stack in zip(table.players, table.match.stacks, strict=True)]
        order = sorted(set(stacks))
        gained = points_of_pair(order.index(stacks[0]), order.index(stacks[1]))
        table.points = [points + half for points, half in zip(table.points, gained, strict=True)]

    def broke(self, table: TableState) -> list[Player]:
        """Between two hands: who still plays but cannot pay for the next hand, which is the end of it."""
        if not self.eliminates:
            return []
        seated = self._charged(table, self.level).seated
        return [player for index, player in enumerate(table.players) if self.still_in(player) and index not in seated]

    def stacks(self) -> dict[Player, int]:
        """Chips of everybody in the round under way; during a hand as they were before it."""
        return {player: stack for table in self.round_tables for player, stack in table.stacks().items()}

    def round_standings(self) -> list[Standing]:
        """Places and chips in the round under way, of those who began it."""
        return rank(self.stacks(), self.departures)

    def standings(self) -> list[Standing]:
        """Everybody's place as things stand now; where games count, by games won and then average chips.

        In a duplicate tournament by chips per deal, and chips are those won in all complete deals together. In a
        tournament of several rounds by those that are complete.
        """
        if self.duplicate:
            return rank(self.duplicate.totals(), self.departures)
        merits = self.format.merits()
        if merits is not None:
            chips = self.scores.average_chips() if self.scores else self.stacks()
            return rank_by(merits, chips, self.format.points())
        if self.scores and self.scores.games:
            return rank(self.scores.average_chips(), self.departures, self.scores.games_won())
        return self.round_standings()


def _rotated(match: Match, by: int) -> Match:
    """Everybody seated, ``by`` places further on."""
    players = len(match.stacks)
    return replace(match, seated=tuple((seat + by) % players for seat in range(players)))

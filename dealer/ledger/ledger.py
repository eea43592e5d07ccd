"""The state of a tournament: hands dealt and finished, chips, levels, and who has left.

The dealer calls these methods while it plays. To read a journal again is to call the same ones, record by record, which
leads to the same ledger. No clock, no sockets.
"""

from collections.abc import Sequence
from dataclasses import replace

from dealer.faults import Fault
from dealer.ledger.formats.registry import format_of
from dealer.ledger.played_hand import Deal, PlayedHand
from dealer.ledger.seating import Seating
from dealer.ledger.standings import Departures, Standing, rank
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.level_table import LevelTable
from protocol.games.match import Match
from protocol.games.stakes import Stakes

#: Hands of a table whose decks are drawn in one go. Between two hands the caches of the processor have forgotten most,
#: so that a deck drawn by itself takes twice as long.
DRAWN_TOGETHER = 16


class Ledger:
    """The state of one tournament; its parts hold one idea each.

    Attributes:
        settings: of the tournament.
        players: everybody who was there at the start, by number.
        format: who meets whom, and what places go by.
        departures: who is out of the round under way.
        seating: rounds, tables, and who sits at them.
        levels: what a hand costs.
        scores: of games, where games count; else None.
        resumption: how often the tournament was resumed, which new decks follow from as well.
        stopped: whether the journal says that every table stopped before its next hand, so that none was dealt.
    """

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        self.settings = settings
        self.players = tuple(players)
        for number, player in enumerate(players):
            player.number = number
        self.format = format_of(settings, self.players)
        self.departures = Departures()
        self.seating = Seating(settings, self.players, self.format, self.departures)
        self.levels = Levels(settings)
        self.scores = self.format.game_scores
        self.resumption = 0
        self.stopped = False
        self._decks: dict[int, tuple[int, Sequence[bytes]]] = {}

    # Rounds and games

    def begin_round(self) -> None:
        """Seat everybody who has not left anew; antes are what they were at first."""
        self.levels.level = 1
        self.seating.begin_round()

    def end_round(self) -> None:
        """Count the round, which no table plays any more; players on the way to a table sit down.

        A round that was ended early counts for nothing.
        """
        for table in self.seating.round_tables:
            self.tidy(table)
        if self.seating.round_over:
            places = {standing.player: standing.place for standing in self.round_standings()}
            self.format.end_round(self.seating.round_tables, places)

    def begin_game(self, table: TableState) -> None:
        """Give equal stacks to everybody who still plays; no hand of the game is played yet."""
        table.game += 1
        table.played = 0
        players, by = len(table.players), self.format.rotation(table)
        match = self.settings.game.start(players)
        seated = tuple((seat + by) % players for seat in range(players))  # everybody ``by`` places further on
        table.match = replace(match, seated=seated) if by else match
        table.stacks_before = table.match.stacks
        self.tidy(table)

    # Hands

    def next_deck(self, table: TableState) -> bytes:
        """The chance of the next hand, as the journal keeps it: for a deck the places of its cards."""
        row, place = divmod(self.format.deck_number(table), DRAWN_TOGETHER)
        drawn, decks = self._decks.get(table.number, (None, ()))
        if drawn != row:
            numbers = range(row * DRAWN_TOGETHER, (row + 1) * DRAWN_TOGETHER)
            draw, seed = self.settings.game.chance.draw, self.settings.seed
            # The deals of a duplicate set are dealt again on purpose: in other seats, and when one was interrupted.
            resumption = 0 if self.settings.duplicate else self.resumption
            decks = [draw(seed, table.number, number, resumption) for number in numbers]
            self._decks[table.number] = row, decks
        return decks[place]

    def deal(self, table: TableState, places: bytes, level: int | None = None) -> Deal:
        """Begin the next hand, at the level under way or, in a journal, at that of the hand."""
        self.levels.charge(table, self.levels.level if level is None else level)
        table.hand_number += 1
        table.in_hand = True
        table.stacks_before = table.match.stacks
        players = tuple([player.number for player in table.seated])
        return Deal(table.number, table.hand_number, table.level, players, table.match, places)

    def finish(self, table: TableState, hand: PlayedHand) -> None:
        """End the hand under way: chips move, and players who cannot pay for the next are not dealt in any more.

        Replies are counted here, from the record, so that a journal that is read again gives the same figures.
        """
        players = [self.players[number] for number in hand.deal.players]
        for seat, _, microseconds in hand.record.actions:
            if microseconds is not None:
                players[seat].reply_times.add(microseconds / 1e6)
        self.levels.settle(table, hand)
        table.in_hand = False
        table.played += 1
        table.finished += 1
        table.at_level += 1
        if table.played >= table.hands:
            self.seating.changed()
        if self.scores:
            self.scores.add(players, hand)
        for player, share in zip(players, hand.settlement.shares, strict=True):
            player.hands_won += bool(share) and not hand.settlement.tied
        # Where seats are kept, an empty stack is full again in the next game. A player who waited was not in this hand.
        seated = table.seated
        survivors = table.players if self.format.keeps_seats else [player for player in players if player in seated]
        self.tidy(table)
        for player in survivors:
            player.hands_survived += player.left is None

    def resume(self, *, new_decks: bool = True) -> None:
        """Play on after an interruption.

        Args:
            new_decks: whether decks are shuffled anew, so that none that may have been seen is dealt again. Older
                journals shuffle them as before.
        """
        self.resumption += new_decks
        self.stopped = False
        self._decks.clear()

    def hands_under_way(self) -> list[TableState]:
        """Tables that may have dealt a hand when their dealer died, of which nothing but its cards may be known.

        A table that waits for a player from another one is among them. There are none if all tables had stopped.
        """
        for table in self.seating.round_tables:
            table.settle()
        if self.stopped:
            return []
        playing = [table for table in self.seating.round_tables if table.game and not self.seating.table_over(table)]
        # A game goes on with the players of its table, or with one who is sent to it.
        sends = self.seating.sends_players
        return [table for table in playing if not table.game_over or (sends and table.played < table.hands)]

    def void(self, table: TableState) -> None:
        """Take back the hand under way: it does not count, and its cards are never dealt again.

        Players who left in it have left all the same. A duplicate tournament does deal its cards again: the deal
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

    # Players

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
        """Put a player out since ``hand``. ``tidy`` the table when that hand is over.

        Args:
            player: who.
            hand: of its table, in which it left.
            chips: before that hand.
            reason: in words.
            fault: what put it out, if that is not yet among its faults; it will be, should the hand not count.
            for_good: whether it leaves the tournament; else only the round under way.
        """
        self.seating.changed()
        self.departures.add(player, self.seating.table_of(player).number, hand, chips, reason)
        if for_good:
            player.left, player.left_in, player.left_for = reason, hand, fault

    def tidy(self, table: TableState) -> None:
        """Bring a table between two hands up to date.

        Players who left get no more cards, players who arrive get some, and a game that is over is scored.
        """
        table.settle()
        # Nearly always nobody has left. The size of a table tells it, which is counted when somebody leaves or moves.
        if not self.format.keeps_seats and self.seating.size(table) < len(table.players):
            for index, player in enumerate(table.players):
                if not self.seating.still_in(player) and index in (*table.match.seated, *table.match.waiting):
                    table.match = table.match.without(index)
        # Where players move, a table with one player left may get another one, so its game is not over. Such games do
        # not count either, and a journal need not tell in which order a hand ended and a player set out for its table.
        if not self.seating.sends_players and table.scored < table.game and table.game_over:
            if self.scores:
                self.scores.end_game(table.players, table.match.stacks)
            self.format.end_game(table)
            table.scored = table.game

    def broke(self, table: TableState) -> list[Player]:
        """Players of a table between two hands who are still in but cannot pay for the next hand: they are out."""
        if not self.format.eliminates:
            return []
        match = self.levels.charged(table, self.levels.level)
        if len(match.seated) + len(match.waiting) == len(table.players):
            return []
        return [
            player
            for index, player in enumerate(table.players)
            if index not in (*match.seated, *match.waiting) and self.seating.still_in(player)
        ]

    # Chips and places

    def stacks(self) -> dict[Player, int]:
        """Chips of everybody in the round under way; during a hand as they were before it."""
        return {player: stack for table in self.seating.round_tables for player, stack in table.stacks().items()}

    def round_standings(self) -> list[Standing]:
        """Places and chips in the round under way, of those who began it."""
        return rank(self.stacks(), self.departures)

    def standings(self) -> list[Standing]:
        """Everybody's place as things stand now; the format says what places go by."""
        return self.format.standings(self.stacks(), self.departures)

    def closing_message(self, standing: Standing) -> str:
        """The text behind the ``done:`` at the end of a tournament, for the player of ``standing``."""
        place = f"the tournament is over; you are number {standing.place} of {len(self.players)}"
        return place + self.format.closing_words(standing, self.seating.rounds_played)


class Levels:
    """The levels of one tournament; with settings that have none, antes stay as they are.

    Raises:
        ValueError: the settings have levels, but nothing can rise in the game, or a level table does not fit it.

    Attributes:
        level: at which the next hand is dealt, the same for all tables; the first of every round is 1.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        levels = settings.levels
        if levels is not None and settings.game.stakes is None:
            raise ValueError(f"levels: in {settings.game.name} nothing can rise")
        #: What each level asks for, where a table says so.
        self._stakes = levels.stakes(settings.game) if isinstance(levels, LevelTable) else []
        self.level = 1

    def stakes(self, level: int) -> Stakes:
        """The stakes of a level, where there are levels; a table whose stacks cannot pay them asks for less."""
        if self._stakes:
            return self._stakes[level - 1]
        stakes = self._settings.game.stakes
        assert stakes is not None, "a game whose stakes cannot rise has no levels"
        return stakes.at_level(level)

    @property
    def facts(self) -> dict[str, int]:
        """The stakes of every hand now, see ``facts_at``."""
        return self.facts_at(self.level)

    def facts_at(self, level: int) -> dict[str, int]:
        """The stakes of every hand at a level, in chips by name; empty for a game whose stakes cannot rise."""
        if self._settings.levels is not None:
            return self.stakes(level).facts
        return {} if self._settings.game.stakes is None else self._settings.game.stakes.facts

    def due(self, table: TableState) -> bool:
        """True if a table has played so many hands at the level under way that the next one begins, everywhere."""
        levels = self._settings.levels
        hands = levels.hands(self.level) if isinstance(levels, LevelTable) else levels
        return hands is not None and table.level == self.level and table.at_level >= hands

    @property
    def minutes(self) -> int | None:
        """Minutes of play after which the level under way is over; None where minutes do not count."""
        levels = self._settings.levels
        return levels.minutes(self.level) if isinstance(levels, LevelTable) else None

    def begin_next(self) -> None:
        """Raise the antes; hands under way are played as they were dealt.

        Raises:
            ValueError: this tournament has no levels, or no further one.
        """
        self.check()
        self.level += 1

    def check(self) -> None:
        """Make sure that antes can rise.

        Raises:
            ValueError: this tournament has no levels, or no further one.
        """
        if self._settings.levels is None:
            raise ValueError("this tournament has no levels; start one with --levels or --level-table")
        if self._stakes and self.level == len(self._stakes):
            raise ValueError(f"level {self.level} is the last of the level table, and stays until the end")

    def fee(self, table: TableState) -> str:
        """The price of the next hand at a table, in words."""
        if self._settings.levels is None:
            return self._settings.game.fee
        return self.stakes(self.level).payable(_stacks(table)).text

    def charge(self, table: TableState, level: int) -> None:
        """Set what a table pays before a hand at a level; players who cannot pay it are not dealt in."""
        if level != table.level:
            table.level, table.at_level = level, 0
        table.match = self.charged(table, level)

    def charged(self, table: TableState, level: int) -> Match:
        if self._settings.levels is None:
            return table.match
        return table.match.charge(self.stakes(level).payable(_stacks(table)))

    def settle(self, table: TableState, hand: PlayedHand) -> None:
        """Move the chips of a finished hand.

        Where antes rise, what the next hand costs depends on the new stacks, so nobody is sent away for the old price:
        chips move at the smallest stakes, then the table is charged anew.
        """
        if self._settings.levels is None:
            table.match = table.match.record(hand.settlement)
            return
        table.match = table.match.charge(self.stakes(table.level).smallest()).record(hand.settlement)
        table.match = self.charged(table, table.level)


def _stacks(table: TableState) -> list[int]:
    return [table.match.stacks[index] for index in table.match.seated]

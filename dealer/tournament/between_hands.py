"""What happens at a table between two hands, and what the table waits for before the next one.

In this order: players who were let in again get seats, players on the way to the table sit down, the level rises,
removed, overdue and broke players leave, and players move to other tables. Then the table deals again, if the host lets
it, enough players are connected, table sizes are balanced, and all this is written.
"""

from collections.abc import Callable
from math import inf

import trio

from dealer.faults import FaultKind
from dealer.journal.records import LevelRecord, MoveRecord
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.readmission import free_table, let_in
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.tournament.presence import Presence
from dealer.tournament.show_plan import OutlookReader
from dealer.tournament.tempo import ActionPauses, Tempo
from protocol.events import GameBegun, Readmitted


def broke_text(stack: int, fee: str) -> str:
    """Why a player with ``stack`` chips cannot pay for the next hand, which costs ``fee`` (in words)."""
    if stack <= 0:
        return "broke"
    return f"broke, {stack} {'chip does' if stack == 1 else 'chips do'} not pay {fee}"


class BetweenHands:
    """Prepares the tables of a tournament for their next hands.

    Attributes:
        tempo: how fast hands follow each other.
        stopping: whether no table deals another hand.
        removals: players the host has removed, with the reason, who leave after the hand in progress at their table.
        level_clock: how long the level under way has been played.
    """

    def __init__(self, ledger: Ledger, journal: Journal, presence: Presence) -> None:
        self.tempo = Tempo(OutlookReader(ledger).read)
        self.stopping = False
        self.removals: dict[Player, str] = {}
        self.level_clock = LevelClock(ledger, self.tempo)
        self._ledger = ledger
        self._journal = journal
        self._presence = presence
        self._balanced: dict[TableState, int] = {}
        self._newcomers: set[Player] = set()

    async def ready(self, table: TableState, dealt: float) -> bool:
        """Wait until a table that dealt its last hand at the trio time ``dealt`` may deal the next one.

        Returns:
            False if the table has no next hand.
        """
        while True:
            self._prepare(table)
            if self._ends or self._ledger.seating.table_over(table):
                return False
            if table.game_due:
                await self._begin_game(table)
                continue  # players may have left if the game's record had to wait for the disk
            wake = self._wait_until(table, dealt)
            if wake is None and not self._journal.holds_up_deals:
                return True
            if wake is None:
                await self._journal.saved()
                continue  # the host may have paused play meanwhile, or another table may have sent a player
            with trio.move_on_at(wake):
                await self._presence.changes.changed()

    def action_pauses(self) -> ActionPauses:
        """The waits between the actions at one table."""
        return ActionPauses(self.tempo, self._presence.changes, lambda: self._ends)

    @property
    def _ends(self) -> bool:
        return self.stopping or self._journal.outgrown

    def remove(self, player: Player, reason: str) -> None:
        """Put a player out: at once if its table is between two hands, else after the hand in progress."""
        self.removals[player] = reason
        table = self._ledger.seating.table_of(player)
        if not table.in_hand:
            self._remove_at_hosts_word(table)
        self._presence.changes.announce()

    def raise_level(self) -> None:
        """Begin the next level, at all tables.

        Raises:
            ValueError: this tournament has no levels, or no further one.
        """
        self._ledger.levels.begin_next()
        self._journal.record(LevelRecord(self._ledger.levels.level))

    def let_in_for_round(self) -> list[Player]:
        """Let players in who wait for the next round, which is about to begin; who they are."""
        waiting = self._presence.waiting()
        for player in waiting:
            let_in(self._ledger, player, None)
            self._presence.sat_down(player)
        return waiting

    def _prepare(self, table: TableState) -> None:
        ends = self._ends
        if not ends:
            self._let_players_in()
        table.settle()
        if self._ledger.levels.due(table) or self.level_clock.due():
            self.raise_level()
        if self.removals:
            self._remove_at_hosts_word(table)
        self._presence.remove_overdue(table)
        self._remove_broke(table)
        # Sizes are compared only when some table's size may have changed: with many tables that takes longer than a
        # hand.
        if not ends and self._balanced.get(table) != self._ledger.seating.version:
            self._send_players(table)
            self._balanced[table] = self._ledger.seating.version
        if self._newcomers:
            self._announce_to_newcomers(table)

    def _let_players_in(self) -> None:
        """Seat players who were let in again and have logged in, where a seat is free."""
        for player in self._presence.waiting():
            to = free_table(self._ledger, player)
            if to is not None:
                let_in(self._ledger, player, to)
                self._journal.record(Readmitted(player.number, to.number))
                self._newcomers.add(player)
                self._presence.sat_down(player)

    def _announce_to_newcomers(self, table: TableState) -> None:
        """Tell players who were let in which game is played, once they are dealt in; a new game is told to all."""
        for player in self._newcomers.intersection(table.seated):
            self._newcomers.remove(player)
            if not table.game_due:
                self._presence.announce_game(player, table)

    def _remove_at_hosts_word(self, table: TableState) -> None:
        for player in [player for player in self.removals if self._ledger.seating.table_of(player) is table]:
            reason = self.removals.pop(player)
            if player.left is None:
                table.settle()
                self._presence.leave(player, f"you are out: {reason}", FaultKind.REMOVED)
                self._ledger.tidy(table)

    def _remove_broke(self, table: TableState) -> None:
        """Put out players who cannot pay for the next hand."""
        broke = self._ledger.broke(table)
        for player in broke:
            stack = table.match.stacks[table.players.index(player)]
            self._presence.leave(player, f"you are out: {broke_text(stack, self._ledger.levels.fee(table))}")
        if broke:
            self._ledger.tidy(table)

    def _send_players(self, table: TableState) -> None:
        """Move players to smaller tables, where they are dealt in next."""
        while move := self._ledger.seating.next_move(table):
            player, to = move
            self._ledger.seating.move(player, to)
            self._journal.record(MoveRecord(player.number, to.number))
            self._presence.changes.announce()

    def _wait_until(self, table: TableState, dealt: float) -> float | None:
        """The trio time until which a table waits, unless something changes before; None if it may deal now."""
        presence = self._presence
        if self._ledger.seating.may_deal(table) and presence.enough_connected(table):
            due = self.tempo.due(dealt)
            if due <= dealt or trio.current_time() >= due:
                return None
        else:
            due = inf
        return min(due, presence.next_deadline(table))

    async def _begin_game(self, table: TableState) -> None:
        presence = self._presence
        self._ledger.begin_game(table)
        self._journal.record(GameBegun(table.number, table.game, table.hand_number + 1))
        presence.about_to_announce.add(table)
        # Written before the first deal: a dealer that resumes must void a first hand whose cards were seen, and
        # without this record it would not know that there was one.
        await self._journal.saved()
        presence.about_to_announce.remove(table)
        for player in table.seated:
            presence.announce_game(player, table)


class LevelClock:
    """Measures the time of play at a level, without the host's pauses.

    It counts from one look to the next, so it must be looked at before each hand and at the end of each pause.

    Attributes:
        clock: returns seconds; by default the trio time.
    """

    def __init__(self, ledger: Ledger, tempo: Tempo) -> None:
        self.clock: Callable[[], float] = trio.current_time
        self._ledger = ledger
        self._tempo = tempo
        #: Round and level at the last look; the time and whether play was paused then; seconds played until then.
        self._measured: tuple[int, int] | None = None
        self._looked = 0.0
        self._paused = False
        self._played = 0.0

    def due(self) -> bool:
        """Look at the clock: whether the level under way has lasted its minutes; False where hands count."""
        minutes = self._ledger.levels.minutes
        if minutes is None:
            return False
        now = self.clock()
        under_way = (self._ledger.seating.round, self._ledger.levels.level)
        if under_way != self._measured:
            self._measured, self._played = under_way, 0.0
        elif not self._paused:
            self._played += now - self._looked
        self._looked, self._paused = now, self._tempo.paused
        return self._played >= 60 * minutes

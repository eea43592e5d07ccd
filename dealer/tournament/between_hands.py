"""The floor: what happens at a table between two of its hands, and what it has to wait for.

Whoever is out leaves, whoever was sent elsewhere goes, antes rise, a new game begins; then the table deals again, if
the host lets it, enough players are here, and no other table is about to send it some.
"""

from math import inf

import trio

from dealer.faults import FaultKind
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.tournament.presence import Presence

SLOWEST_PACE = 5.0
"""Seconds a hand; slower than that nobody watches."""


class Tempo:
    """What all tables of a tournament obey between two hands.

    Attributes:
        paused: whether nobody deals.
        pace: seconds from the beginning of a hand to the beginning of the next one at the same table, at least; 0 is as
            fast as it goes.
    """

    def __init__(self) -> None:
        self.paused = False
        self.pace = 0.0

    def due(self, dealt: float) -> float:
        """The trio time at which a table that dealt at ``dealt`` may deal again; infinite while nobody may."""
        return inf if self.paused else dealt + self.pace


class BetweenHands:
    """All tables of a tournament, seen from between their hands.

    Args:
        ledger: of the tournament.
        journal: where it is recorded.
        presence: who is here.

    Attributes:
        tempo: how fast hands follow each other.
        stopping: whether no further hand is dealt anywhere.
        removals: whom the host has removed, and who leaves when no hand is under way at its table; with the reason.
    """

    def __init__(self, ledger: Ledger, journal: Journal, presence: Presence) -> None:
        self.tempo = Tempo()
        self.stopping = False
        self._ledger = ledger
        self._journal = journal
        self._presence = presence
        self.removals: dict[Player, str] = {}
        self._looked: dict[TableState, int] = {}

    async def ready(self, table: TableState, dealt: float) -> bool:
        """Wait until a table that dealt its last hand at ``dealt`` may deal the next; False if there is none."""
        while True:
            self._between_hands(table)
            if self._ends or self._ledger.seating.table_over(table):
                return False
            if table.game_due:
                await self._begin_game(table)
                continue
            wake = self._wait_until(table, dealt)
            if wake is None:
                return True
            with self._journal.table_waiting(), trio.move_on_at(wake):
                await self._presence.changes.changed()

    @property
    def _ends(self) -> bool:
        return self.stopping or self._journal.outgrown

    def remove(self, player: Player, reason: str) -> None:
        """Put a player out: at once if it is in no hand, else after that."""
        self.removals[player] = reason
        table = self._ledger.seating.table_of(player)
        if not table.in_hand:
            self._remove_those_removed(table)
        self._presence.changes.announce()

    def raise_level(self) -> None:
        """Antes rise, everywhere.

        Raises:
            ValueError: this tournament has no levels.
        """
        self._ledger.levels.begin_next()
        self._journal.record("level", level=self._ledger.levels.level)

    def _between_hands(self, table: TableState) -> None:
        table.settle()
        if self._ledger.levels.due(table):
            self.raise_level()
        self._remove_those_removed(table)
        self._presence.remove_overdue(table)
        self._remove_broke(table)
        if not self._ends and self._looked.get(table) != self._ledger.seating.version:
            self._send_players(table)
            self._looked[table] = self._ledger.seating.version

    def _remove_those_removed(self, table: TableState) -> None:
        """Whom the host has removed leaves."""
        for player in [player for player in self.removals if self._ledger.seating.table_of(player) is table]:
            reason = self.removals.pop(player)
            if player.left is None:
                table.settle()
                self._presence.leave(player, f"you are out: {reason}", FaultKind.REMOVED)
                self._ledger.tidy(table)

    def _remove_broke(self, table: TableState) -> None:
        """Who cannot pay for the next hand is out."""
        broke = self._ledger.broke(table)
        for player in broke:
            stack = table.match.stacks[table.players.index(player)]
            self._presence.leave(player, f"you are out: {stack} chips do not pay {self._ledger.levels.fee(table)}")
        if broke:
            self._ledger.tidy(table)

    def _send_players(self, table: TableState) -> None:
        """Whom the ledger sends to other tables goes there, and is dealt in next."""
        while move := self._ledger.seating.next_move(table):
            player, to = move
            self._ledger.seating.move(player, to)
            self._journal.record("move", player=player.number, table=to.number)
            self._presence.changes.announce()

    def _wait_until(self, table: TableState, dealt: float) -> float | None:
        """The trio time until which a table waits, unless something changes before; None if it may deal now."""
        presence = self._presence
        if self._ledger.seating.may_deal(table) and presence.enough_here(table):
            due = self.tempo.due(dealt)
            if trio.current_time() >= due:
                return None
        else:
            due = inf
        return min(due, presence.next_deadline(table))

    async def _begin_game(self, table: TableState) -> None:
        presence = self._presence
        self._ledger.begin_game(table)
        self._journal.record("game", table=table.number, game=table.game, hand=table.hand_number + 1)
        presence.about_to_announce.add(table)
        await self._journal.saved()  # whoever plays on must void a first hand of which cards may have been seen
        presence.about_to_announce.remove(table)
        for player in table.seated:
            presence.announce_game(player, table)

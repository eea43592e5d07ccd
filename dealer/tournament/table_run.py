"""One table of a round: deals come from the ledger, and records of hands go to the journal before anybody is told."""

from typing import Protocol

import structlog

from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.ledger.table_state import TableState
from dealer.tournament.hand_player import HandLost, HandPlayer

log = structlog.get_logger()


class TableHands(Protocol):
    """The hands of one table, as they can be watched."""

    @property
    def last(self) -> PlayedHand | None:
        """The last finished hand, once it is on the disk; None before there is one."""

    @property
    def in_play(self) -> HandRecord | None:
        """The record so far of the hand under way; None between two hands."""

    @property
    def decisions_in_play(self) -> int:
        """Questions answered in the hand under way, which the ledger has not counted yet."""


class TableRun:
    """Has a table play the hands that the ledger deals to it.

    Args:
        state: the table in the ledger.
        ledger: of the tournament.
        journal: where every hand is written before anyone is told its result.
        table: who plays its hands.

    Attributes:
        state: see above.
        last: the last finished hand, once it is on the disk; None before there is one.
    """

    def __init__(self, state: TableState, ledger: Ledger, journal: Journal, table: HandPlayer) -> None:
        self.state = state
        self.last: PlayedHand | None = None
        self._ledger = ledger
        self._journal = journal
        self._table = table

    @property
    def in_play(self) -> HandRecord | None:
        """The record so far of the hand under way; None between two hands."""
        return self._table.so_far()

    @property
    def decisions_in_play(self) -> int:
        """Questions answered in the hand under way, which the ledger has not counted yet."""
        return self._table.decisions

    async def play_hand(self) -> None:
        """Play one hand from ante to payoff, record it, and only then tell its result."""
        ledger, state = self._ledger, self.state
        before = state.match, state.level, state.at_level
        try:
            played = await self._table.play(ledger.deal(state, ledger.next_deck(state)))
        except HandLost as lost:
            state.match, state.level, state.at_level = before
            self._void(lost)
            return
        # The record is on the disk before chips move or anybody is told: if the dealer dies before that, the hand is
        # void for all; after that, it counts for all.
        if self._journal.is_read:
            self._journal.record("hand", **played.facts)
        await self._journal.saved()
        ledger.finish(state, played)
        self.last = played
        self._table.tell_results(played)

    def _void(self, lost: HandLost) -> None:
        """Void the hand under way as a resumed dealer does: its number, from which its cards follow, is used up."""
        self._ledger.void_dealt(self.state, lost.faults)
        self._journal.record("void", table=self.state.number, hand=self.state.hand_number)
        reason = "the process that played it ended; it does not count, and the next one is dealt"
        log.warning("hand void", table=self.state.number, hand=self.state.hand_number, reason=reason)

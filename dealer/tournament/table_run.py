"""One table of a round: deals come from the ledger, and records of hands go to the journal before anybody is told."""

from collections.abc import Callable
from typing import Protocol

from dealer.faults import SeatLost
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.tournament.action_pauses import ActionPauses
from dealer.tournament.hand_log import HandLog
from dealer.tournament.table import Table
from dealer.tournament.time_account import TimeAccount


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
        judge: decides what becomes of a player who gave no acceptable answer; returns whether that was a fault.
        note_correction: counts a corrected action of a player; the text says what was wanted.
        log_steps: whether every step of a hand goes to the log.
        pauses: between the actions of slow hands; None where no hand is slow.

    Attributes:
        state: see above.
        last: the last finished hand, once it is on the disk; None before there is one.
    """

    def __init__(
        self,
        state: TableState,
        ledger: Ledger,
        journal: Journal,
        judge: Callable[[Player, SeatLost], bool],
        note_correction: Callable[[Player, str], None],
        *,
        log_steps: bool = False,
        pauses: ActionPauses | None = None,
    ) -> None:
        async def judge_number(number: int, lost: SeatLost) -> bool:
            return judge(ledger.players[number], lost)

        def note_of_number(number: int, reason: str) -> None:
            note_correction(ledger.players[number], reason)

        self.state = state
        self.last: PlayedHand | None = None
        self._ledger = ledger
        self._journal = journal
        note = None if ledger.settings.acpc is None else note_of_number
        hand_log = HandLog(ledger.settings.game, ledger.players) if log_steps else None
        time_account = TimeAccount.of(ledger)
        self._table = Table(ledger.settings.game, ledger.players, judge_number, note, hand_log, pauses, time_account)

    @property
    def in_play(self) -> HandRecord | None:
        """The record so far of the hand under way; None between two hands."""
        return self._table.so_far()

    @property
    def decisions_in_play(self) -> int:
        """Questions answered in the hand under way, which the ledger has not counted yet."""
        record = self.in_play
        return 0 if record is None else sum(microseconds is not None for _, _, microseconds in record.actions)

    async def play_hand(self) -> None:
        """Play one hand from ante to payoff, record it, and only then tell its result."""
        ledger, state = self._ledger, self.state
        played = await self._table.play(ledger.deal(state, ledger.next_deck(state)))
        # The record is on the disk before chips move or anybody is told: if the dealer dies before that, the hand is
        # void for all; after that, it counts for all.
        self._journal.record("hand", **played.facts)
        await self._journal.saved()
        ledger.finish(state, played)
        self.last = played
        self._table.tell_results(played)

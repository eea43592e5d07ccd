"""Who plays the hands of a table: this process, or another one that a table is handed to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dealer.faults import Fault, SeatLost
from dealer.ledger.deal import Deal
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.lobby.player import Player
from dealer.net.stalls import Stall
from dealer.tournament.hand_log import HandLog
from dealer.tournament.table import Pauses, Table
from dealer.tournament.time_account import TimeAccount


class HandLost(Exception):
    """The process that played a hand ended, so nothing of it is known but that its cards may have been seen.

    Attributes:
        faults: that players were judged for in that hand, in order.
    """

    def __init__(self, faults: Sequence[tuple[Player, Fault]]) -> None:
        super().__init__("the process that played this hand ended")
        self.faults = faults


class HandPlayer(Protocol):
    """Plays the hands of one table, one after the other."""

    def so_far(self) -> HandRecord | None:
        """A copy of the record of the hand under way, which may be a moment old; None between two hands."""

    @property
    def decisions(self) -> int:
        """Questions answered in the hand under way, as far as they are known here."""

    async def play(self, deal: Deal) -> PlayedHand:
        """Play a hand from ante to payoff. Nobody is told how it ended until ``tell_results``.

        Raises:
            HandLost: the process that played it ended.
        """

    def tell_results(self, played: PlayedHand) -> None:
        """Tell every player of the hand just played how it ended. Call it when the record is on the disk."""


@dataclass(frozen=True, slots=True)
class TableTerms:
    """What the hands of one table are played with.

    Attributes:
        number: of the table.
        ledger: of the tournament, which the player of hands reads and never changes.
        judge: decides what becomes of a player who gave no acceptable answer; returns whether that was a fault.
        note_correction: counts a corrected action of a player; the text says what was wanted.
        pauses: between the actions of slow hands; None where no hand is slow.
        log_steps: whether every step of a hand goes to the log.
    """

    number: int
    ledger: Ledger
    judge: Callable[[Player, SeatLost], bool]
    note_correction: Callable[[Player, str], None]
    pauses: Pauses | None = None
    log_steps: bool = False


class HandPlayers(Protocol):
    """Finds who plays the hands of each table."""

    def at_table(self, terms: TableTerms) -> HandPlayer:
        """Who plays the hands of one table."""

    def came_back(self, player: Player) -> None:
        """A player has come back on another connection, perhaps in the middle of a hand."""

    def tell_stalls(self, listener: Callable[[Stall], None]) -> None:
        """Call ``listener`` when another process than this one stood still."""

    def pids(self) -> Sequence[int]:
        """The numbers of the other processes that play, as the system counts them."""


class OwnTables:
    """All tables are played by this process."""

    def at_table(self, terms: TableTerms) -> Table:
        """See ``HandPlayers``."""
        ledger = terms.ledger

        async def judge_number(number: int, lost: SeatLost) -> bool:
            return terms.judge(ledger.players[number], lost)

        def note_of_number(number: int, reason: str) -> None:
            terms.note_correction(ledger.players[number], reason)

        note = None if ledger.settings.acpc is None else note_of_number
        hand_log = HandLog(ledger.settings.game, ledger.players) if terms.log_steps else None
        time_account = TimeAccount.of(ledger)
        return Table(ledger.settings.game, ledger.players, judge_number, note, hand_log, terms.pauses, time_account)

    def came_back(self, player: Player) -> None:
        """See ``HandPlayers``: a table looks at a player's connection at each of its turns."""

    def tell_stalls(self, listener: Callable[[Stall], None]) -> None:
        """See ``HandPlayers``: there is no other process."""

    def pids(self) -> Sequence[int]:
        """See ``HandPlayers``: there is none."""
        return ()

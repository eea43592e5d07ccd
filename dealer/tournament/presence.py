"""Who is here, who is away, and who is out: what becomes of players who give no acceptable answer."""

from math import inf

import structlog
import trio

from dealer.faults import FaultKind, SeatLost
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.lobby.reconnect import Changes, Reconnections
from dealer.net.seat import Seat
from protocol.games.match import MIN_PLAYERS
from protocol.wire.messages import GameInfo

log = structlog.get_logger()


class Presence:
    """Parts with players, and takes them back.

    Args:
        ledger: of the tournament.
        journal: where it is recorded who leaves, before they hear of it.
        reunion: brings back players whose connection ended; None if that is the end of them.

    Attributes:
        closings: where players are told why they are out, while the tournament goes on; set it before that.
        changes: announced whenever somebody comes or goes.
        about_to_announce: tables whose players will be told in a moment which game is played.
    """

    def __init__(self, ledger: Ledger, journal: Journal, reunion: Reconnections | None) -> None:
        self.changes = reunion.changes if reunion else Changes()
        self.closings: trio.Nursery | None = None
        self.about_to_announce: set[TableState] = set()
        self._ledger = ledger
        self._journal = journal
        self._reunion = reunion

    def judge(self, player: Player, lost: SeatLost) -> bool:
        """What becomes of a player who gave no acceptable answer; whether that was a fault."""
        fault = lost.fault
        if self._reunion is not None and lost.may_come_back:
            self._send_away(player, fault.reason, self._reunion)
            return False
        player.faults.append(fault)
        player.lives -= 1
        log.warning("fault", player=player.id, avatar=player.avatar, kind=fault.kind.value, reason=fault.reason)
        if player.lives <= 0 or not lost.connected:
            self.leave(player, f"you are out: {fault.reason}", fault.kind)
        return True

    def leave(self, player: Player, reason: str, kind: FaultKind | None = None) -> None:
        """A player is out, for a fault of some kind or because its chips are gone.

        Whose chips are gone sits down again when the next round begins, if there is one.
        """
        ledger = self._ledger
        table = ledger.seating.table_of(player)
        chips = table.chips_before(player)
        for_good = kind is not None or ledger.seating.round >= ledger.seating.rounds
        ledger.leave(player, table.hand_number, chips, reason, for_good=for_good)
        self._journal.record(
            "out",
            player=player.number,
            hand=table.hand_number,
            chips=chips,
            kind=kind and kind.value,
            reason=reason,
        )
        log.info("out", player=player.id, avatar=player.avatar, hand=table.hand_number, reason=reason)
        if for_good:
            self._disconnect(player, reason)
        self.changes.announce()

    def _disconnect(self, player: Player, reason: str) -> None:
        if self._reunion:
            self._reunion.forget(player)
        if player.seat is not None:
            assert self.closings is not None
            self.closings.start_soon(self._close_when_saved, player.seat, reason)
            player.seat = None

    async def _close_when_saved(self, seat: Seat, reason: str) -> None:
        await self._journal.saved()
        await seat.close(reason)

    def remove_overdue(self, table: TableState) -> None:
        """Between two hands: who has been away too long is out."""
        if self._reunion is None:
            return
        for player in self._reunion.overdue(table.players):
            late = f"you were not back within {self._ledger.settings.rejoin:g} s"
            self.leave(player, f"you are out: your connection ended, and {late}", FaultKind.GONE)
            self._ledger.tidy(table)

    def enough_here(self, table: TableState) -> bool:
        """Whether a table need not wait for players who are away: two of those it deals to are here, or all."""
        if self._reunion is None:
            return True
        playing = [player for player in table.players if self._ledger.seating.still_in(player)]
        here = sum(player.seat is not None for player in playing)
        return here >= MIN_PLAYERS or here == len(playing)

    def next_deadline(self, table: TableState) -> float:
        """The trio time at which somebody of a table has been away too long; infinite if nobody is."""
        return self._reunion.next_deadline(table.players) if self._reunion else inf

    def expect_back(self) -> None:
        """From now on players whose connection ends may come back, if that was agreed."""
        if self._reunion is not None:
            self._reunion.on_back = self._welcome_back

    def note_absent(self, player: Player) -> None:
        """A player is not there when a tournament is played on."""
        if self._reunion is not None:
            self._send_away(player, "not back yet", self._reunion)
        else:
            self.leave(player, "you are out: you did not come back when the dealer did", FaultKind.GONE)

    def _send_away(self, player: Player, reason: str, reunion: Reconnections) -> None:
        """The connection is lost, the player is not: it may come back."""
        log.warning("away", player=player.id, avatar=player.avatar, reason=reason)
        if player.seat is not None:
            assert self.closings is not None
            self.closings.start_soon(player.seat.close, reason)
        reunion.wait_for(player)
        self._record_presence("away", player)

    def _welcome_back(self, player: Player) -> None:
        """Whoever comes back in the middle of a game must be told which."""
        log.warning("back", player=player.id, avatar=player.avatar)
        self._record_presence("back", player)
        table = self._ledger.seating.table_of(player)
        if player in table.seated and table not in self.about_to_announce:
            self.announce_game(player, table)

    def _record_presence(self, type_: str, player: Player) -> None:
        hand = self._ledger.seating.table_of(player).hand_number
        self._journal.record(type_, player=player.number, hand=hand)

    def announce_game(self, player: Player, table: TableState) -> None:
        """Tell a player which game is played, unless it is one whose players expect no such word."""
        game, seated = self._ledger.settings.game, table.seated
        if game.announced and player.seat is not None:
            player.seat.tell(GameInfo.about(game, seated.index(player), len(seated)))

    def close(self) -> None:
        """From now on it is too late to come back."""
        if self._reunion:
            self._reunion.close()

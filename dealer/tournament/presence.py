"""Which players are connected, away or out, and what becomes of a player who gives no acceptable answer."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any

import structlog
import trio

from dealer.faults import Fault, FaultKind, SeatLost
from dealer.journal.records import AwayRecord, BackRecord, ClosedRecord, CorrectedRecord, OutRecord
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from dealer.lobby.failed_logins import readable
from dealer.lobby.player import Player
from dealer.lobby.reconnect import Changes, Reconnections
from dealer.net.seat import KEPT_SECONDS, Seat
from dealer.tournament.people import PeopleAtHand
from protocol.games.match import MIN_PLAYERS
from protocol.wire.messages import GameInfo

log = structlog.get_logger()

#: Seconds, at least, for a question that is asked again after a page's connection broke. A person's clock stood still
#: meanwhile, so what was left is enough for who had thought already; but who is back must see the table again first,
#: and a connection that nobody could reach any more is only found out when no time is left.
FEWEST_SECONDS = 10.0

#: Incidents that are kept for the host.
LATEST = 100


class Presence:
    """Records players who lose their connection, come back, or leave, and closes the connections of those who left.

    Args:
        ledger: of the tournament.
        journal: where it is recorded who leaves, before they hear of it.
        reconnections: through which players come back; None if nobody can.

    Attributes:
        closings: the nursery in which connections are closed while the tournament goes on; set it before that.
        changes: announced when a player goes away, comes back or leaves.
        incidents: faults and lost connections, for the host.
        people: at each table with people, tells them the hand under way.
        about_to_announce: tables whose players will be told in a moment which game is played.
    """

    def __init__(self, ledger: Ledger, journal: Journal, reconnections: Reconnections | None) -> None:
        self.changes = reconnections.changes if reconnections else Changes()
        self.closings: trio.Nursery | None = None
        self.incidents = Incidents()
        self.people: dict[TableState, PeopleAtHand] = {}
        self.about_to_announce: set[TableState] = set()
        self._ledger = ledger
        self._journal = journal
        self._reconnections = reconnections
        self._rejoin = None if ledger.settings.rejoin is None else reconnections

    # Leaving

    def judge(self, player: Player, lost: SeatLost) -> bool:
        """Decide what becomes of a player who gave no acceptable answer; return whether that was a fault."""
        fault = lost.fault
        if player.seat is not None and player.seat.excuses(lost):
            log.info("folded because the dealer stops", player=player.id, avatar=player.avatar)
            if not lost.connected:
                self._give_up_connection(player, fault.reason)
            return False
        if self._rejoin is not None and lost.may_come_back:
            self._note(player, fault, "away, and may come back")
            self._send_away(player, fault.reason, self._rejoin)
            return False
        player.faults.append(fault)
        player.lives -= 1
        log.warning("fault", player=player.id, avatar=player.avatar, kind=fault.kind.value, reason=fault.reason)
        out = player.lives <= 0 or not lost.connected
        self._note(player, fault, "out" if out else "plays on")
        if out:
            self.leave(player, f"you are out: {fault.reason}", fault.kind)
        return True

    def note_correction(self, player: Player, reason: str) -> None:
        """Count an action that was corrected as a fault which costs no life."""
        fault = Fault(FaultKind.CORRECTED, reason)
        player.faults.append(fault)
        self._note(player, fault, "corrected, plays on")
        log.warning("corrected", player=player.id, avatar=player.avatar, reason=reason)
        self._journal.record(CorrectedRecord(player.number, self._hand_of(player), reason))

    def _note(self, player: Player, fault: Fault, effect: str) -> None:
        """Keep a fault for the host, with what the program sent."""
        hand = self._ledger.seating.table_of(player).hand_number
        sent = b"" if player.seat is None else player.seat.heard
        self.incidents.note(
            Incident(time.time(), player.id, player.avatar, fault.kind.value, fault.reason, hand, sent, effect)
        )

    def leave(self, player: Player, reason: str, kind: FaultKind | None = None) -> None:
        """Put a player out.

        Without a fault it sits down again when the next round begins, if there is one.

        Args:
            player: who.
            reason: what it hears.
            kind: of the fault that puts it out; None if it has no chips left.
        """
        ledger = self._ledger
        table = ledger.seating.table_of(player)
        chips = table.chips_before(player)
        for_good = kind is not None or ledger.seating.round >= ledger.seating.rounds
        ledger.leave(player, table.hand_number, chips, reason, for_good=for_good)
        self._journal.record(OutRecord(player.number, table.hand_number, chips, kind, reason))
        log.info("out", player=player.id, avatar=player.avatar, hand=table.hand_number, reason=reason)
        if for_good:
            self._disconnect(player, reason, gone=kind is FaultKind.GONE)
        self.changes.announce()

    def _disconnect(self, player: Player, reason: str, *, gone: bool) -> None:
        if self._reconnections:
            self._reconnections.forget(player)
        if player.seat is not None:
            assert self.closings is not None
            close = player.seat.close if gone else partial(self.part, player, player.seat)
            self.closings.start_soon(self._close_when_saved, close, reason)
            player.seat = None

    async def _close_when_saved(self, close: Callable[[str], Awaitable[object]], reason: str) -> None:
        # A dealer that dies before the record is written lets the player back in, so it must not hear it is out.
        await self._journal.saved()
        await close(reason)

    async def part(self, player: Player, seat: Seat, reason: str) -> None:
        """Tell a player for good that it is out or that all is over, and record whether its program then hung up."""
        in_time = await seat.close(reason)
        self._journal.record(ClosedRecord(player.number, in_time))

    def remove_overdue(self, table: TableState) -> None:
        """Put out the players of a table between two hands who were away for too long."""
        if self._rejoin is None:
            return
        for player in self._rejoin.overdue(table.players):
            late = f"you were not back within {self._ledger.settings.rejoin:g} s"
            self.leave(player, f"you are out: your connection ended, and {late}", FaultKind.GONE)
            self._ledger.tidy(table)

    # Away and back

    async def back_through_page(self, player: Player, seat: Seat, lost: SeatLost) -> float | None:
        """Wait for a person at its turn whose page died, or whose page's connection broke.

        Args:
            player: who is asked.
            seat: the connection on which it was asked.
            lost: why there is no answer.

        Returns:
            Seconds within which the person, who is back, is to answer; infinite for as many as usual. None if the place
            is not kept, or the person did not come back in time: the connection is then lost as any other.
        """
        if not (lost.may_come_back and seat.keeps_place()):
            return None
        if player.seat is seat:
            seat.hang_up()
            log.warning("kept", player=player.id, avatar=player.avatar, reason=lost.fault.reason)
            self._note(player, lost.fault, f"the table waits up to {KEPT_SECONDS:g} s for the page")
        while player.seat is seat and seat.keeps_place():
            with trio.move_on_at(seat.kept_until):
                await self.changes.changed()
        again = player.seat
        if again is None or again is seat:
            return None
        return max(seat.unused, FEWEST_SECONDS)

    def enough_connected(self, table: TableState) -> bool:
        """Whether a table can deal without waiting for players who are away: two players are connected, or all are."""
        if self._rejoin is None:
            return True
        playing = [player for player in table.players if self._ledger.seating.still_in(player)]
        connected = sum(player.seat is not None for player in playing)
        return connected >= MIN_PLAYERS or connected == len(playing)

    def next_deadline(self, table: TableState) -> float:
        """The trio time at which a player of a table has been away too long; infinite if none is away."""
        return self._rejoin.next_deadline(table.players) if self._rejoin else inf

    def use_clock(self, clock: Callable[[], float]) -> None:
        """Measure the time that players are away with ``clock``, which returns seconds."""
        if self._reconnections is not None:
            self._reconnections.clock = clock

    def expect_back(self) -> None:
        """Let players whose connection is lost come back from now on, if that was agreed."""
        if self._reconnections is not None:
            self._reconnections.on_back = self._take_back

    def note_absent(self, player: Player) -> None:
        """Note a player who is not connected when a tournament is resumed: it is away, or else out."""
        if self._rejoin is not None:
            self._send_away(player, "not back yet", self._rejoin)
        else:
            self.leave(player, "you are out: you did not come back when the dealer did", FaultKind.GONE)

    def _send_away(self, player: Player, reason: str, reconnections: Reconnections) -> None:
        """Give up a player's connection, and wait for it to come back on another one."""
        log.warning("away", player=player.id, avatar=player.avatar, reason=reason)
        self._give_up_connection(player, reason)
        reconnections.wait_for(player)
        self._journal.record(AwayRecord(player.number, self._hand_of(player)))

    def _give_up_connection(self, player: Player, reason: str) -> None:
        """Close a player's connection, if there is one, while the player stays in the tournament."""
        if player.seat is not None:
            assert self.closings is not None
            self.closings.start_soon(player.seat.close, reason)
            player.seat = None

    def _take_back(self, player: Player) -> None:
        log.warning("back", player=player.id, avatar=player.avatar)
        self._journal.record(BackRecord(player.number, self._hand_of(player)))
        table = self._ledger.seating.table_of(player)
        # A program that comes back in the middle of a game must be told which; if the table is about to announce its
        # game, it would be told twice.
        if player in table.seated and table not in self.about_to_announce:
            self.announce_game(player, table)
        if (people := self.people.get(table)) is not None:
            people.catch_up(player)

    # Let in again

    def let_in(self, player: Player) -> None:
        """Let a player who has left log in again.

        Raises:
            ValueError: nobody can log in any more.
        """
        if self._reconnections is None:
            raise ValueError("nobody can log in during this tournament")
        self._reconnections.let_in(player)

    def is_let_in(self, player: Player) -> bool:
        """Whether a player who has left may log in again, or waits for a seat at a table."""
        return self._reconnections is not None and self._reconnections.is_let_in(player)

    def waiting(self) -> list[Player]:
        """Players who were let in, have logged in, and wait for a seat at a table."""
        return self._reconnections.waiting() if self._reconnections else []

    def sat_down(self, player: Player) -> None:
        """Note that a player who was let in has a seat again."""
        assert self._reconnections is not None
        self._reconnections.sat_down(player)
        log.warning("let in", player=player.id, avatar=player.avatar)
        self.changes.announce()

    def _hand_of(self, player: Player) -> int:
        return self._ledger.seating.table_of(player).hand_number

    def announce_game(self, player: Player, table: TableState) -> None:
        """Send the ``game:`` message to a player, if the game has one and the player is connected."""
        game, seated = self._ledger.settings.game, table.seated
        if game.announced and player.seat is not None:
            player.seat.tell(GameInfo.about(game, seated.index(player), len(seated)))

    def close(self) -> None:
        """Let no player come back any more."""
        if self._reconnections:
            self._reconnections.close()


@dataclass(frozen=True, slots=True)
class Incident:
    """A fault, or the loss of a connection.

    Attributes:
        time: when, in seconds since 1970.
        id: of the player.
        avatar: of the player.
        kind: of ``FaultKind``.
        reason: what the player was told.
        hand: the number of the hand at its table.
        sent: the first bytes that came since the question; empty if none came.
        effect: what became of the player, in words.
        times: how often the same happened in succession.
    """

    time: float
    id: str
    avatar: str
    kind: str
    reason: str
    hand: int
    sent: bytes
    effect: str
    times: int = 1

    def as_json(self) -> dict[str, Any]:
        """The facts for the desk; bytes as Python writes them."""
        names = ("time", "times", "id", "avatar", "kind", "reason", "hand", "effect")
        return {**{name: getattr(self, name) for name in names}, "sent": readable(self.sent)}


class Incidents:
    """The last incidents of a tournament.

    Attributes:
        latest: at most ``LATEST``, the newest last; a fault that a player repeats is one incident, the last one.
    """

    def __init__(self) -> None:
        self.latest: list[Incident] = []

    def note(self, incident: Incident) -> None:
        last = self.latest[-1] if self.latest else None
        if last is not None and (last.id, last.kind) == (incident.id, incident.kind):
            self.latest[-1] = replace(incident, times=last.times + 1)
        else:
            self.latest = [*self.latest[1 - LATEST :], incident]

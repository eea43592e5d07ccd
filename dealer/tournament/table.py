"""A table: it is given a deal, asks each seat in turn, and returns the record of the hand.

A table knows neither the ledger nor the journal. What goes in (a ``Deal``) and what comes out (a ``HandRecord``) are
plain values, so a table can run in another process than the tournament it belongs to.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from dealer.faults import FaultKind, SeatLost
from dealer.journal.records import FOLDED
from dealer.ledger.deal import Deal
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.net.seat import Seat
from protocol.games.base import Action, Bet, Hand, IllegalAction
from protocol.games.game import Game

#: Decides what becomes of a player (by number) who gave no acceptable answer; returns whether that was a fault.
Judge = Callable[[int, SeatLost], Awaitable[bool]]


class Connected(Protocol):
    """A player as a table knows it."""

    @property
    def seat(self) -> Seat | None:
        """The connection; None while there is none."""


class Table:
    """Plays one hand after the other.

    Args:
        game: what is played.
        players: of the tournament, by number.
        judge: awaited at once for a player who gave no acceptable answer.
    """

    def __init__(self, game: Game, players: Sequence[Connected], judge: Judge) -> None:
        self._game = game
        self._players = players
        self._judge = judge
        self._record: HandRecord | None = None
        self._to_tell: list[Seat | None] = []

    def so_far(self) -> HandRecord | None:
        """A copy of the record of the hand under way; None between two hands.

        It is made when it is asked for: a copy after every decision would slow all tables down for one that is watched.
        """
        if self._record is None:
            return None
        deal, actions, faults = self._record
        return HandRecord(deal, [*actions], [*faults])

    async def play(self, deal: Deal) -> PlayedHand:
        """Play a hand from ante to payoff. Nobody is told how it ended until ``tell_results``."""
        self._record = record = HandRecord(deal, [], [])
        players = [self._players[number] for number in deal.players]
        hand = deal.begin(self._game)
        while (seat := hand.to_act) is not None:
            hand = await self._decide(hand, seat, players[seat], record)
        self._to_tell = [player.seat for player in players]
        return PlayedHand(record, hand, hand.settle())

    def tell_results(self, played: PlayedHand) -> None:
        """Tell every player of the hand just played how it ended. Call it when the record is on the disk.

        A player who has come back since on another connection is told nothing: that connection did not play the hand.
        """
        self._record = None
        statuses = played.settlement.statuses()
        for number, connection, status in zip(played.deal.players, self._to_tell, statuses, strict=True):
            if connection is not None and self._players[number].seat is connection:
                connection.tell(status)

    async def _decide(self, hand: Hand, seat: int, player: Connected, record: HandRecord) -> Hand:
        """The hand after the player's answer, or after a fold if no acceptable answer came."""
        connection = player.seat
        if connection is not None:
            try:
                action = await connection.ask(hand.view(seat))
                after = hand.apply(action)
            except SeatLost as lost:
                # A player who has come back on another connection meanwhile lost the old one only, and is not judged.
                if player.seat is connection:
                    await self._note(record, seat, lost)
            except IllegalAction as illegal:
                await self._note(record, seat, SeatLost(FaultKind.ILLEGAL, str(illegal), connected=True))
            else:
                record.actions.append((seat, _chips(action), int(connection.reply_seconds * 1e6)))
                return after
        record.actions.append((seat, FOLDED, None))
        return hand.concede()

    async def _note(self, record: HandRecord, seat: int, lost: SeatLost) -> None:
        """Have a lost seat judged, and note the fault if it was one."""
        if await self._judge(record.deal.players[seat], lost):
            record.faults.append((seat, lost.fault.kind.value, lost.fault.reason))


def _chips(action: Action) -> int:
    return action.amount if isinstance(action, Bet) else FOLDED

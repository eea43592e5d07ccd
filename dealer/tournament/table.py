"""A table: it is given a deal, asks each seat in turn, and returns the record of the hand.

A table knows neither the ledger nor the journal. What goes in (a ``Deal``) and what comes out (a ``HandRecord``) are
plain values, so a table can run in another process than the tournament it belongs to.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from dealer.faults import FaultKind, SeatLost
from dealer.journal.records import FOLDED
from dealer.ledger.deal import Deal
from dealer.ledger.played_hand import CorrectionNote, HandRecord, PlayedHand
from dealer.net.seat import Seat
from dealer.tournament.following import Connected, FollowedHand
from dealer.tournament.hand_log import HandLog
from dealer.tournament.time_account import TimeAccount
from protocol.games.base import FOLD, Bet, Hand, IllegalAction
from protocol.games.game import Game
from protocol.wire.messages import ShownTurn


class Pauses(Protocol):
    """Waits between the actions of a slow hand."""

    def due(self, acted: int) -> bool:
        """Whether there is a wait before the next action of a hand that has had so many."""

    async def wait(self, acted: int) -> None:
        """Wait before the next action of a hand that has had so many."""

    def hand_over(self, acted: int) -> None:
        """Note how many actions a hand had."""


#: Decides what becomes of a player (by number) who gave no acceptable answer; returns whether that was a fault.
Judge = Callable[[int, SeatLost], Awaitable[bool]]


class Table:
    """Plays one hand after the other.

    Args:
        game: what is played.
        players: of the tournament, by number.
        judge: awaited at once for a player who gave no acceptable answer.
        note_correction: called with a player (by number) whose action was corrected, and what it wanted; None where no
            program can follow the hands of this table.
        hand_log: is told every step of every hand; None where the log does not show them.
        pauses: between the actions of slow hands; None where no hand is slow.
        time_account: of programs that follow the hands; None if only each of their answers is limited.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Connected],
        judge: Judge,
        note_correction: Callable[[int, str], None] | None = None,
        hand_log: HandLog | None = None,
        pauses: Pauses | None = None,
        time_account: TimeAccount | None = None,
    ) -> None:
        self._game = game
        self._players = players
        self._judge = judge
        self._note_correction = note_correction
        self._hand_log = hand_log
        self._pauses = pauses
        self.time_account = time_account
        # Chosen here, so that a table whose steps are not logged does not even ask whether they are.
        self._decide = self._ask if hand_log is None else self._ask_and_log
        self._followed: FollowedHand | None = None
        self._record: HandRecord | None = None
        self._corrections: list[CorrectionNote] = []
        self._to_tell: list[Seat | None] = []

    def so_far(self) -> HandRecord | None:
        """A copy of the record of the hand under way; None between two hands.

        It is made when it is asked for: a copy after every decision would slow all tables down for one that is watched.
        """
        if self._record is None:
            return None
        deal, actions, faults, corrections = self._record
        return HandRecord(deal, [*actions], [*faults], [*corrections])

    @property
    def decisions(self) -> int:
        """Questions answered in the hand under way."""
        return 0 if self._record is None else self._record.decisions

    async def play(self, deal: Deal) -> PlayedHand:
        """Play a hand from ante to payoff. Nobody is told how it ended until ``tell_results``."""
        self._corrections = []
        self._record = record = HandRecord(deal, [], [], self._corrections)
        players = [self._players[number] for number in deal.players]
        hand = deal.begin(self._game)
        if self._hand_log is not None:
            self._hand_log.dealt(deal, hand)
        if self._note_correction is not None:
            hand = await self._play_followed(hand, players, record)
        pauses, decide, actions = self._pauses, self._decide, record.actions
        while (seat := hand.to_act) is not None:
            if pauses is not None and pauses.due(len(actions)):
                await pauses.wait(len(actions))
            hand = await decide(hand, seat, players[seat], record)
        if pauses is not None:
            pauses.hand_over(len(actions))
        self._to_tell = [player.seat for player in players]
        return PlayedHand.of(record, hand, hand.settle())

    async def _play_followed(self, hand: Hand, players: Sequence[Connected], record: HandRecord) -> Hand:
        """Play a hand whose every action is told to the programs that follow it; return its end."""
        followed = self._followed = FollowedHand(self._game, record.deal, hand, players)
        while (seat := hand.to_act) is not None:
            if self._pauses is not None and self._pauses.due(len(record.actions)):
                await self._pauses.wait(len(record.actions))
            # Not before the pause: a program answers the state as soon as it comes, and it must be asked by then.
            followed.tell()
            hand = await self._decide(hand, seat, players[seat], record)
            _, chips, _ = record.actions[-1]
            followed.act(seat, FOLD if chips == FOLDED else Bet(chips), hand)
        return hand

    def tell_results(self, played: PlayedHand) -> None:
        """Tell every player of the hand just played how it ended. Call it when the record is on the disk.

        A player who has come back since on another connection is told nothing: that connection did not play the hand.
        """
        self._record = None
        if self._hand_log is not None:
            self._hand_log.ended(played)
        statuses = played.settlement.statuses()
        for seat, (number, connection) in enumerate(zip(played.deal.players, self._to_tell, strict=True)):
            if connection is not None and self._players[number].seat is connection:
                if self._followed is not None:
                    self._followed.tell_end(played, seat, connection)
                if statuses[seat] is not None:
                    connection.tell(statuses[seat])

    async def _ask_and_log(self, hand: Hand, seat: int, player: Connected, record: HandRecord) -> Hand:
        """See ``_ask``; question and answer are logged."""
        assert self._hand_log is not None
        self._hand_log.asked(hand, seat)
        after = await self._ask(hand, seat, player, record)
        self._hand_log.acted(hand, seat, after, record)
        return after

    async def _ask(self, hand: Hand, seat: int, player: Connected, record: HandRecord) -> Hand:
        """The hand after the player's answer, or after a fold if no acceptable answer came."""
        connection = player.seat
        if connection is not None:
            try:
                follows = self._followed is not None and connection.follows
                if follows and self.time_account is not None:
                    connection.time_left = self.time_account.left(record.deal.players[seat])
                action = await connection.ask(ShownTurn(hand.legal()) if follows else hand.view(seat))
                after = hand.apply(action)
            except SeatLost as lost:
                # A player who has come back on another connection meanwhile lost the old one only, and is not judged.
                if player.seat is connection:
                    await self._note(record, seat, lost)
            except IllegalAction as illegal:
                await self._note(record, seat, SeatLost(FaultKind.ILLEGAL, str(illegal), connected=True))
            else:
                if follows:
                    self._note_followed(record, seat, connection)
                chips = action.amount if isinstance(action, Bet) else FOLDED
                record.actions.append((seat, chips, int(connection.reply_seconds * 1e6)))
                return after
        record.actions.append((seat, FOLDED, None))
        return hand.concede()

    def _note_followed(self, record: HandRecord, seat: int, connection: Seat) -> None:
        """Note the time of the answer just given by a program that follows the hand, and how it was corrected."""
        player, correction = record.deal.players[seat], connection.correction
        if self.time_account is not None:
            self.time_account.use(player, connection.reply_seconds)
        if correction is not None:
            assert self._note_correction is not None
            self._corrections.append((len(record.actions), correction.asked))
            self._note_correction(player, correction.reason)

    async def _note(self, record: HandRecord, seat: int, lost: SeatLost) -> None:
        """Have a lost seat judged, and note the fault if it was one."""
        if await self._judge(record.deal.players[seat], lost):
            record.faults.append((seat, lost.fault.kind.value, lost.fault.reason))

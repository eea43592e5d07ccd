"""One table: deal a hand, ask whose turn it is, settle, tell everybody."""

from collections.abc import Callable

from dealer.faults import FaultKind, SeatLost
from dealer.journal.records import FOLDED
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord, PlayedHand, ShownHand
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from protocol.games.base import Action, Bet, Hand, IllegalAction

Judge = Callable[[Player, SeatLost], bool]
"""Decides what becomes of a player who gave no acceptable answer; whether that was a fault."""


class Table:
    """Plays the hands of one table.

    Args:
        state: the table.
        ledger: of the tournament.
        journal: where every hand is written before anyone hears its result.
        judge: called at once with a player who gave no acceptable answer.
    """

    def __init__(self, state: TableState, ledger: Ledger, journal: Journal, judge: Judge) -> None:
        self.state = state
        self._ledger = ledger
        self._journal = journal
        self._judge = judge

    async def play_hand(self) -> None:
        """One hand from ante to payoff: played, recorded, and only then told."""
        state = self.state
        deck = self._ledger.next_deck(state)
        hand = self._ledger.deal(state, deck)
        seated = state.seated
        record = HandRecord()
        state.current = shown = ShownHand(state.hand_number, seated, hand, hand, record)
        while (seat := hand.to_act) is not None:
            shown.hand = hand = await self._decide(hand, seat, seated[seat], record)
        settlement = hand.settle()
        there = [player.seat for player in seated]
        self._journal.record(
            "hand",
            table=state.number,
            hand=state.hand_number,
            level=state.level,
            players=[player.number for player in seated],
            stacks=hand.starting,
            deck=deck,
            actions=record.actions,
            faults=record.faults,
            payoffs=settlement.payoffs,
        )
        await self._journal.saved()
        self._ledger.finish(state, PlayedHand(seated, record.actions, hand.pot, settlement))
        shown.settlement, state.last, state.current = settlement, shown, None
        for player, connection, status in zip(seated, there, settlement.statuses(), strict=True):
            if connection is not None and player.seat is connection:  # who came back just now did not play to the end
                connection.tell(status)

    async def _decide(self, hand: Hand, seat: int, player: Player, record: HandRecord) -> Hand:
        """The hand after the player's answer, or after a fold if no acceptable answer came."""
        connection = player.seat
        if connection is not None:
            try:
                action = await connection.ask(hand.view(seat))
                after = hand.apply(action)
            except SeatLost as lost:
                if player.seat is connection:  # unless the player has come back on another one meanwhile
                    self._note(player, seat, lost, record)
            except IllegalAction as illegal:
                self._note(player, seat, SeatLost(FaultKind.ILLEGAL, str(illegal), connected=True), record)
            else:
                seconds = connection.reply_seconds
                player.reply_times.add(seconds)
                record.actions.append((seat, _chips(action), int(seconds * 1e6)))
                return after
        record.actions.append((seat, FOLDED, None))
        return hand.concede()

    def _note(self, player: Player, seat: int, lost: SeatLost, record: HandRecord) -> None:
        if self._judge(player, lost):
            record.faults.append((seat, lost.fault.kind.value, lost.fault.reason))


def _chips(action: Action) -> int:
    return action.amount if isinstance(action, Bet) else FOLDED

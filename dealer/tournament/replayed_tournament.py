"""A tournament that is shown again from its journal at the host's tempo, to those who watch tournaments in progress."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from pathlib import Path

import trio

from dealer.audit.hands import ReplayedHand, with_hands_after
from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import JournalError, NotStartedError, OptionError
from dealer.journal.batches import read_journal
from dealer.journal.records import FinishedHandRecord, Record
from dealer.journal.writer import Journal
from dealer.ledger.played_hand import Deal, HandRecord, PlayedHand
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player
from dealer.telling.hand_events import HandEvents
from dealer.tournament.table import WatchedTable
from dealer.tournament.tournament import Tournament
from protocol.events import AtTable


class _HandToShow:
    """A hand of the journal: what its table shows of it, action by action."""

    def __init__(self, record: FinishedHandRecord, hand: ReplayedHand) -> None:
        players = tuple([player.number for player in hand.players])
        deal = Deal(hand.table, hand.number, hand.level, players, hand.match, record.deck)
        self.table, self.number = hand.table, hand.number
        self.whole = HandRecord(deal, record.actions, record.faults, record.corrections)
        self.played = PlayedHand(self.whole, hand.last, hand.settlement)
        self._hand = hand

    def told(self) -> Sequence[Sequence[AtTable]]:
        """The events of its deal, and then those of each action."""
        events, steps, last = HandEvents.of(self._hand), self._hand.steps, self._hand.last
        acted = [tuple(events.step(step, after)) for step, after in with_hands_after(steps, last)]
        return [events.begin(steps[0].before if steps else last), *acted]

    def after(self, actions: int) -> HandRecord:
        """The record as it was after so many actions."""
        return self.whole._replace(actions=self.whole.actions[:actions])


class ReplayedTournament(Tournament):
    """Shows all hands of a journal. Make one, then ``run`` it once.

    Two ledgers follow the journal: one is a hand ahead and knows how each hand goes, the other is that of this
    tournament, so that nobody sees in the standings how the hand on the table will end.

    Args:
        path: of the journal.
        first: the number of the first hand that is shown; all before it have been played when the replay begins.

    Attributes:
        path: see above.
        imported: whether others dealt the hands, so that their cards follow from no seed.

    Raises:
        JournalError: the journal is empty, damaged or wrong at its beginning.
    """

    def __init__(self, path: Path, first: int = 1) -> None:
        self.path = path
        self._first = first
        self._records = read_journal(path)
        self._ahead, self._shown = LedgerRebuild(path), LedgerRebuild(path)
        start = next(self._records, None)
        if start is None:
            raise NotStartedError(path)
        self._take(start)
        self.imported = self._shown.imported
        super().__init__(self._shown.ledger, Journal(None))
        self.started = True

    def is_here(self, player: Player) -> bool:
        """Whether a player was connected."""
        return not self._shown.is_away(player)

    async def run(self) -> list[Standing]:
        """Show all hands, those that tables played side by side together, and return the standings.

        Raises:
            OptionError: the journal has no hand of the first number.
            JournalError: it is damaged or wrong; all hands before that were shown.
        """
        for records, hands in self._steps():
            dealt = -inf
            if any(hand.number >= self._first for hand in hands):
                self._first = 0
                dealt = await self._show(hands)
            if self.stopping:
                return self.standings()
            for hand in hands:
                table = self._table(hand)
                table.record, table.last = None, hand.played
            for record in records:
                self._shown.take(record)
                self.journal.record(record)
            await self.journal.saved()
            await trio.lowlevel.checkpoint()
            if dealt > -inf:
                await self._wait(dealt)
        if self._first > 1:
            raise OptionError(
                f"there is no hand {self._first} in {self.path}: hands count from 1 to {self.hand_number}"
            )
        self.over, self.ended = True, self._shown.ended
        return self.standings()

    def _take(self, record: Record) -> ReplayedHand | None:
        self._shown.take(record)
        return self._ahead.take(record)

    def _steps(self) -> Iterator[tuple[Sequence[Record], Sequence[_HandToShow]]]:
        """Records that are shown together: one of them, or hands of different tables that follow one another."""
        records: list[Record] = []
        hands: list[_HandToShow] = []
        try:
            for record in self._records:
                hand = self._ahead.take(record)
                shown = None
                if hand is not None and isinstance(record, FinishedHandRecord):
                    shown = _HandToShow(record, hand)
                if hands and (shown is None or shown.table in [other.table for other in hands]):
                    yield records, hands
                    records, hands = [], []
                if shown is None:
                    yield [record], ()
                else:
                    records.append(record)
                    hands.append(shown)
        except JournalError:  # all before that is shown
            yield records, hands
            raise
        yield records, hands

    def _table(self, hand: _HandToShow) -> WatchedTable:
        return self.runs.setdefault(hand.table, WatchedTable())

    async def _show(self, hands: Sequence[_HandToShow]) -> float:
        """Show hands action by action, at the host's tempo; the trio time at which they were dealt."""
        await self._wait(-inf)  # for the end of a pause
        pauses = self._between_hands.action_pauses()
        pauses.dealt = dealt = trio.current_time()
        told = [hand.told() for hand in hands]
        actions = max(len(hand.whole.actions) for hand in hands)
        for count in range(actions + 1):
            for hand, events in zip(hands, told, strict=True):
                self._table(hand).record = hand.after(count)
                self._tell(events[count] if count < len(events) else ())
            await pauses.wait(count)
        pauses.hand_over(actions)
        return dealt

    def _tell(self, events: Iterable[AtTable]) -> None:
        for event in events:
            for listener in self.listeners:
                listener(event)

    async def _wait(self, dealt: float) -> None:
        """Wait until hands may follow those that were dealt at the trio time ``dealt``."""
        while not self.stopping and (due := self.tempo.due(dealt)) > trio.current_time():
            with trio.move_on_at(due):
                await self._presence.changes.changed()

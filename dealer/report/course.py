"""Follow the course of a tournament while its journal is read."""

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.journal.records import Record
from dealer.replayer.recording import Story
from dealer.report.journal_pass import Watcher


class CourseWatcher(Watcher):
    """Tells the records to a story.

    Attributes:
        story: the course of the tournament, and the moments for its replays.
        largest: the hand with the largest pot, with its cards; None before the first.
    """

    def __init__(self, rebuild: LedgerRebuild) -> None:
        self.story = Story()
        self.largest: ReplayedHand | None = None
        self._rebuild = rebuild

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        self.story.take(record, hand, self._rebuild.ledger)
        for largest in self.story.course.largest[:1]:
            if hand is not None and (largest.table, largest.hand) == (hand.table, hand.number):
                self.largest = hand

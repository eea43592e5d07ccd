"""The moments of a tournament that a viewer may want to jump to: knock-outs, new leaders, rare hands, faults."""

from collections.abc import Iterator, Sequence

from dealer.audit.hands import ReplayedHand
from dealer.journal.records import Record
from dealer.ledger.ledger import Ledger
from dealer.telling.moments import Course, Moment
from dealer.telling.record_events import RecordEvents
from protocol.events import Voided


class Story:
    """Finds the moments while a journal is read: those of its course, faults, corrections and voided hands.

    Attributes:
        course: of the tournament.
    """

    def __init__(self) -> None:
        self.course = Course()
        self._events: RecordEvents | None = None
        self._moments: list[tuple[Moment, int]] = []

    @property
    def moments(self) -> Sequence[tuple[Moment, int]]:
        """All that were found, in the order of the journal, each with its frame of the hand; 0 is the deal.

        Pots are left out: each file has the largest of those that it shows. A fault that put its player out is told
        once.
        """
        gone = {moment[1:4] for moment, _ in self._moments if moment.kind == "out"}
        return [
            (moment, frame)
            for moment, frame in self._moments
            if moment.kind != "pot" and (moment.kind != "fault" or moment[1:4] not in gone)
        ]

    def take(self, record: Record, hand: ReplayedHand | None, ledger: Ledger) -> None:
        """Take the next record, which the ledger has followed from the first one on."""
        self._events = self._events or RecordEvents(ledger)
        event = self._events.of(record, hand)
        if hand is not None:
            self._moments += _faults(hand)
        elif isinstance(event, Voided):
            # the hand is dealt again with this number
            self._moments.append((Moment("void", event.table, event.hand, None), 0))
        if event is not None:
            self._moments += [(moment, 0) for moment in self.course.hear(event)]


def _faults(hand: ReplayedHand) -> Iterator[tuple[Moment, int]]:
    """The faults and corrections of a hand, with the frames after them."""
    for frame, step in enumerate(hand.steps, 1):
        player = hand.players[step.seat].number
        if step.fault is not None:
            words, reason = step.fault.kind.value, step.fault.reason
            yield Moment("fault", hand.table, hand.number, player, words=words, reason=reason), frame
        if step.asked is not None:
            yield Moment("corrected", hand.table, hand.number, player, words=f"asked to {step.asked}"), frame

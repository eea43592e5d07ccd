"""Two passes over a journal: one counts what is whole, the other replays it and shows each record to watchers."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.cli.tables import reading_progress
from dealer.errors import TornError
from dealer.journal.batches import read_journal
from dealer.journal.records import EndRecord, Record, RefusedRecord, ResumeRecord, StartRecord
from protocol.events import Voided


@dataclass(slots=True)
class Survey:
    """The findings of a first pass over a journal, before any record is checked against those before it.

    Attributes:
        records: that are whole.
        ended: whether the last of them is the end of the tournament.
        resumed: how often the dealer was started again.
        voided: hands that do not count because of that.
        torn: what is wrong after the last whole record; None if nothing is.
        game: the name of the game that the first record tells; None if it tells none.
        refused: the kinds of failed logins, by the id that was given.
    """

    records: int = 0
    ended: bool = False
    resumed: int = 0
    voided: int = 0
    torn: TornError | None = None
    game: str | None = None
    refused: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


class Watcher:
    """Is shown the records of a journal, in order. What it does not define does nothing."""

    def before(self, record: Record) -> None:
        """Take a record that was not applied yet: the ledger is as it was when the dealer acted."""

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        """Take the same record after it was applied, with the hand if it is the record of one."""


def survey(path: Path) -> Survey:
    """Count the records of a journal.

    Raises:
        JournalError: the journal cannot be read, or is damaged before its end.
    """
    found = Survey()
    try:
        with reading_progress("reading", path) as advance:
            for record in read_journal(path, advance):
                found.records += 1
                found.ended |= isinstance(record, EndRecord)
                found.resumed += isinstance(record, ResumeRecord)
                found.voided += isinstance(record, Voided)
                if isinstance(record, StartRecord):
                    found.game = record.game
                if isinstance(record, RefusedRecord) and record.id is not None:
                    found.refused[record.id].add(record.kind)
    except TornError as error:
        found.torn = error
    return found


def begin(path: Path) -> LedgerRebuild:
    """A ledger to which the start record of a journal was applied: all that watchers have to know at first.

    Raises:
        JournalError: see ``LedgerRebuild.take``.
    """
    rebuild = LedgerRebuild(path)
    rebuild.take(next(read_journal(path)))
    return rebuild


def follow(
    rebuild: LedgerRebuild, records: int, watchers: Sequence[Watcher], tell: Callable[[float], None] = lambda _: None
) -> None:
    """Apply so many records, the start among them, and show each to the watchers before and after.

    The start record is only shown after, because before it there is no ledger. ``tell`` is called with the share of the
    records that are done, about a hundred times.

    Raises:
        JournalError: see ``LedgerRebuild.take``.
    """
    with reading_progress("reporting", rebuild.path) as advance:
        # the dealer may have written more since the first pass; both passes must see the same journal
        for number, record in enumerate(islice(read_journal(rebuild.path, advance), records)):
            if number % max(records // 100, 1) == 0:
                tell(number / records)
            hand = None
            if number:
                for watcher in watchers:
                    watcher.before(record)
                hand = rebuild.take(record)
            for watcher in watchers:
                watcher.after(record, hand)

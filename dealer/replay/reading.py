"""A journal as what there is to watch, in order: scripts of hands, and notes of what happens beside them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dealer.journal.records import JournalError, Record, read_journal
from dealer.ledger import Ledger
from dealer.options import OptionError
from dealer.player import Player
from dealer.refold import Refold
from dealer.refolded import RefoldedHand
from dealer.replay.notes import Away, Back, BesideHand, GameBegun, Left, Note, Unfinished, Voided, note_of
from dealer.replay.script import Script, script_of
from dealer.replay.viewer import Viewer, find_viewer
from dealer.table_state import TableState


@dataclass(frozen=True, slots=True)
class Choice:
    """What of a tournament is asked for; None for all of it.

    Attributes:
        hand: a number, from 1.
        table: a number, from 0.
        seat: see ``find_viewer``.
    """

    hand: int | None = None
    table: int | None = None
    seat: str | None = None


def watch(path: Path, choice: Choice) -> Iterator[Script | Note]:
    """What was asked for, as it is read.

    Raises:
        OptionError: it is not in the journal.
        JournalError: the journal is damaged, wrong or torn; all before that was yielded.
    """
    fold = Refold(path)
    screening: _Screening | None = None
    try:
        for record in read_journal(path):
            hand = fold.take(record)
            screening = screening or _Screening(fold.ledger, choice)
            yield from screening.show(record, hand)
            if screening.over:
                break
    except JournalError:
        yield from screening.rest() if screening else ()
        raise
    screening = screening or _Screening(fold.ledger, choice)
    yield from screening.rest()
    screening.check_found()
    if choice.hand is None and not fold.ended:
        yield Unfinished()


class _Screening:
    """Chooses what to show, and puts what happened in a hand behind it.

    A player who is lost in the middle of a hand is recorded at once, the hand when it is over.
    """

    def __init__(self, ledger: Ledger, choice: Choice) -> None:
        self._ledger = ledger
        self._choice = choice
        self._viewer = None if choice.seat is None else _find_viewer(ledger, choice.seat)
        self._tables = _choose_tables(ledger, choice.table, self._viewer)
        self._waiting: list[BesideHand] = []
        self._left_out: set[int] = set()
        self._found = False

    @property
    def over(self) -> bool:
        """Whether nothing of what was asked for can follow."""
        wanted = self._choice.hand
        return wanted is not None and all(table.hand_number > wanted for table in self._tables)

    def show(self, record: Record, hand: RefoldedHand | None) -> Iterator[Script | Note]:
        """What there is to watch of one record."""
        if hand is not None:
            yield from self._show_hand(hand)
            yield from self._beside(hand.table)
        else:
            yield from self._show_note(note_of(record, self._ledger, self._may_know))

    def rest(self) -> Iterator[Note]:
        """What happened in hands that were never finished."""
        waiting, self._waiting = self._waiting, []
        yield from (note for note in waiting if self._wanted(note.table, note.hand))

    def check_found(self) -> None:
        """At the end.

        Raises:
            OptionError: nothing of what was asked for was there.
        """
        last = max(table.hand_number for table in self._tables)
        number, seat = self._choice.hand, self._choice.seat
        if self._found or (number is None and not (seat and last)):
            return
        if number is not None and not 1 <= number <= last:
            there = f"hands count from 1 to {last}" if last else "none was finished"
            raise OptionError(f"there is no hand {number}: {there}")
        raise OptionError(
            f"{seat!r} was dealt in no hand" if number is None else f"{seat!r} was not dealt in hand {number}"
        )

    def _show_hand(self, hand: RefoldedHand) -> Iterator[Script]:
        seat = None if self._viewer is None else self._viewer.seat_in(hand)
        if self._viewer and seat is None:
            self._left_out.add(hand.table)
            return
        self._left_out.discard(hand.table)
        if self._wanted(hand.table, hand.number):
            self._found = True
            yield script_of(hand, self._ledger.settings.game, seat)

    def _beside(self, table: int) -> Iterator[Note]:
        """What was waiting for the hand of a table that is over now."""
        waiting, self._waiting = self._waiting, []
        for note in waiting:
            if note.table != table:
                self._waiting.append(note)
            elif self._wanted(note.table, note.hand):
                yield note

    def _show_note(self, note: Note) -> Iterator[Note]:
        match note:
            case Left() | Away() | Back() if note.hand > self._ledger.tables[note.table].hand_number:
                self._waiting.append(note)
            case Voided(table, hand):
                if self._wanted(table, hand):
                    self._found = True
                    yield note
                yield from self._beside(table)
            case Left(table, hand) | Away(table, hand) | Back(table, hand):
                if self._wanted(table, hand):
                    yield note
            case GameBegun(table):
                if self._choice.hand is None and self._wanted(table, None):
                    yield note
            case _ if self._choice.hand is None:
                yield note

    def _wanted(self, table: int, hand: int | None) -> bool:
        chosen = any(state.number == table for state in self._tables)
        return chosen and table not in self._left_out and self._choice.hand in (None, hand)

    def _may_know(self, player: Player) -> bool:
        return self._viewer is None or self._viewer.may_know(player)


def _find_viewer(ledger: Ledger, name: str) -> Viewer:
    return find_viewer(name, ledger.players, max(len(table.players) for table in ledger.tables))


def _choose_tables(ledger: Ledger, number: int | None, viewer: Viewer | None) -> list[TableState]:
    tables = ledger.tables
    if number is not None and number >= len(tables):
        raise OptionError(f"there is no table {number}: tables count from 0 to {len(tables) - 1}")
    chosen = tables if number is None else [tables[number]]
    if viewer is None or viewer.player is None:
        return chosen
    own = ledger.table_of(viewer.player)
    if own not in chosen:
        raise OptionError(f"{viewer.name!r} sits at table {own.number}, not {number}")
    return [own]

"""A journal as what there is to watch, in order: scripts of hands, and notes of what happens beside them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import JournalError, OptionError
from dealer.journal.records import Record, read_journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.replay.note_reader import note_of
from dealer.replay.notes import Away, Back, BesideHand, GameBegun, Left, Moved, Note, Unfinished, Voided
from dealer.replay.script import Script, script_of
from dealer.replay.viewer import Viewer, find_viewer


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
    rebuild = LedgerRebuild(path)
    screening: _Screening | None = None
    try:
        for record in read_journal(path):
            hand = rebuild.take(record)
            screening = screening or _Screening(rebuild.ledger, choice)
            yield from screening.show(record, hand)
            if screening.over:
                break
    except JournalError:
        yield from screening.rest() if screening else ()
        raise
    screening = screening or _Screening(rebuild.ledger, choice)
    yield from screening.rest()
    screening.check_found()
    if choice.hand is None and not rebuild.ended:
        yield Unfinished()


class _Screening:
    """Chooses what to show, and puts what happened in a hand behind it.

    A player who is lost in the middle of a hand is recorded at once, the hand when it is over. Whoever watches through
    the eyes of a player goes with it from table to table.
    """

    def __init__(self, ledger: Ledger, choice: Choice) -> None:
        self._ledger = ledger
        self._choice = choice
        self._viewer = None if choice.seat is None else _find_viewer(ledger, choice.seat)
        self._waiting: list[BesideHand] = []
        self._places = {player: ledger.seating.table_of(player).number for player in ledger.players}
        self._left_out: set[int] = set()
        self._found = False
        if ledger.seating.rounds == 1:
            self._check_table()

    @property
    def over(self) -> bool:
        """Whether nothing of what was asked for can follow."""
        wanted, ledger = self._choice.hand, self._ledger
        if wanted is None or (self._choice.table is None and ledger.seating.round < ledger.seating.rounds):
            return False
        tables = self._tables
        return bool(tables) and all(table.hand_number > wanted or not ledger.seating.size(table) for table in tables)

    def show(self, record: Record, hand: ReplayedHand | None) -> Iterator[Script | Note]:
        """What there is to watch of one record."""
        if hand is not None:
            yield from self._show_hand(hand)
            yield from self._beside(hand.table)
        else:
            origin = self._places[self._ledger.players[record["player"]]] if record["type"] == "move" else None
            if record["type"] in ("move", "round"):
                self._places = {player: self._ledger.seating.table_of(player).number for player in self._ledger.players}
            yield from self._show_note(note_of(record, self._ledger, origin, self._may_know))

    def rest(self) -> Iterator[Note]:
        """What happened in hands that were never finished."""
        waiting, self._waiting = self._waiting, []
        yield from (note for note in waiting if self._wanted(note.table, note.hand))

    def check_found(self) -> None:
        """At the end.

        Raises:
            OptionError: nothing of what was asked for was there.
        """
        self._check_table()
        last = max(table.hand_number for table in self._tables)
        number, seat = self._choice.hand, self._choice.seat
        if self._found or (number is None and not (seat and last)):
            return
        if number is not None and not 1 <= number <= last:
            there = f"hands count from 1 to {last}" if last else "none was finished"
            raise OptionError(f"there is no hand {number}: {there}")
        hand = "dealt in no hand" if number is None else f"not dealt in hand {number}"
        raise OptionError(
            f"{seat!r} was {hand}" + ("" if self._choice.table is None else f" at table {self._choice.table}")
        )

    def _check_table(self) -> None:
        number, last = self._choice.table, len(self._ledger.seating.tables) - 1
        if number is not None and number > last:
            raise OptionError(f"there is no table {number}: tables count from 0 to {last}")

    @property
    def _tables(self) -> list[TableState]:
        """Those that were asked for, of all there are so far."""
        number, tables = self._choice.table, self._ledger.seating.tables
        return tables if number is None else tables[number : number + 1]

    def _show_hand(self, hand: ReplayedHand) -> Iterator[Script]:
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
            case Left() | Away() | Back() if note.hand > self._ledger.seating.tables[note.table].hand_number:
                self._waiting.append(note)
            case Voided(table, hand):
                if self._wanted(table, hand):
                    self._found = True
                    yield note
                yield from self._beside(table)
            case Left(table, hand) | Away(table, hand) | Back(table, hand):
                if self._wanted(table, hand):
                    yield note
            case Moved():
                if self._choice.hand is None and self._concerns(note):
                    yield note
            case GameBegun(table):
                if self._choice.hand is None and self._wanted(table, None):
                    yield note
            case _ if self._choice.hand is None:
                yield note

    def _wanted(self, table: int, hand: int | None) -> bool:
        player = self._viewer.player if self._viewer else None
        chosen = self._choice.table in (None, table) and (player is None or self._places[player] == table)
        return chosen and table not in self._left_out and self._choice.hand in (None, hand)

    def _concerns(self, note: Moved) -> bool:
        """Whether a move is to be shown: at both tables, and to the player itself."""
        player = self._viewer.player if self._viewer else None
        if player is None or note.id is None:  # its own id is the only one that a player may know
            return self._wanted(note.origin, None) or self._wanted(note.table, None)
        return self._choice.table in (None, note.origin, note.table)

    def _may_know(self, player: Player) -> bool:
        return self._viewer is None or self._viewer.may_know(player)


def _find_viewer(ledger: Ledger, name: str) -> Viewer:
    """Tables may grow when players come from others, and in later rounds."""
    seats = max(len(table.players) for table in ledger.seating.tables)
    if ledger.seating.rounds > 1 or (ledger.seating.sends_players and len(ledger.seating.tables) > 1):
        seats = min(ledger.settings.table_size, len(ledger.players))
    return find_viewer(name, ledger.players, seats)

"""Read from a journal the hands that a viewer asked for, as it saw them, and make notes of all other records."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import JournalError, OptionError
from dealer.journal.batches import read_journal
from dealer.journal.records import (
    AwayRecord,
    BackRecord,
    ClosedRecord,
    CorrectedRecord,
    DeskRecord,
    EndRecord,
    FinishedHandRecord,
    GameRecord,
    LevelRecord,
    MoveRecord,
    OutRecord,
    ReadmittedRecord,
    Record,
    RefusedRecord,
    ResumeRecord,
    RoundRecord,
    StallRecord,
    StartRecord,
    StoppedRecord,
    VoidRecord,
)
from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.replay.notes import (
    Away,
    Back,
    BesideHand,
    Corrected,
    Ended,
    GameBegun,
    HostSaid,
    Left,
    LevelBegun,
    Moved,
    Note,
    Opened,
    Readmitted,
    Resumed,
    RoundBegun,
    Stalled,
    Stopped,
    Unfinished,
    Voided,
)
from dealer.replay.seen_hand import SeenHand, seen_hand
from dealer.replay.viewer import Viewer, find_viewer
from dealer.settings import Services
from protocol.games.game import Game

#: What a hand is made into for its viewer.
Shown = TypeVar("Shown")

#: Makes it of a hand, its game, and the seat that sees it; None for the host.
Show = Callable[[ReplayedHand, Game, int | None], Shown]


@dataclass(frozen=True, slots=True)
class Choice:
    """The part of a tournament that is asked for; None stands for all.

    Attributes:
        hand: a number, from 1.
        table: a number, from 0.
        seat: see ``find_viewer``.
    """

    hand: int | None = None
    table: int | None = None
    seat: str | None = None


def replay_items(path: Path, choice: Choice) -> Iterator[SeenHand | Note]:
    """The hands and notes that were asked for, as they are read; see ``replay_hands``."""
    return replay_hands(path, choice, seen_hand)


def replay_hands(path: Path, choice: Choice, show: Show[Shown]) -> Iterator[Shown | Note]:
    """The hands that were asked for, each as ``show`` makes it of a replayed hand, and notes, as they are read.

    Raises:
        OptionError: it is not in the journal.
        JournalError: the journal is damaged, wrong or torn; all before that was yielded.
    """
    rebuild = LedgerRebuild(path)

    def begin() -> Selection[Shown]:
        viewer = None if choice.seat is None else viewer_of(rebuild.ledger, choice.seat)
        return Selection(rebuild.ledger, choice, viewer, show)

    selection: Selection[Shown] | None = None
    try:
        for record in read_journal(path):
            hand = rebuild.take(record)
            selection = selection or begin()
            yield from selection.show(record, hand)
            if selection.over:
                break  # so that a torn or damaged end does not matter for an early hand
    except JournalError:
        yield from selection.rest() if selection else ()
        raise
    selection = selection or begin()
    yield from selection.rest()
    selection.check_found()
    if choice.hand is None and not rebuild.ended:
        yield Unfinished()


class Selection(Generic[Shown]):
    """Chooses the hands and notes to show, and puts a note on something within a hand after that hand.

    A journal records at once that a player is lost in the middle of a hand, but records the hand when it is over. A
    viewer who is a player is shown the table where that player sits.

    Args:
        ledger: which follows the journal.
        choice: what is asked for.
        viewer: who sees it, if ``choice`` names a seat; None for the host.
        show: makes of a hand what is yielded.
    """

    def __init__(self, ledger: Ledger, choice: Choice, viewer: Viewer | None, show: Show[Shown]) -> None:
        self._ledger = ledger
        self._choice = choice
        self._made_by = show
        self._viewer = viewer
        self._waiting: list[BesideHand] = []
        self._places = {player: ledger.seating.table_of(player).number for player in ledger.players}
        self._left_out: set[int] = set()
        self._found = False
        if ledger.seating.rounds == 1:
            self._check_table()

    @property
    def over(self) -> bool:
        """True if nothing that was asked for can follow."""
        wanted, ledger = self._choice.hand, self._ledger
        if wanted is None or (self._choice.table is None and ledger.seating.round < ledger.seating.rounds):
            return False
        tables = self._tables
        return bool(tables) and all(table.hand_number > wanted or not ledger.seating.size(table) for table in tables)

    def show(self, record: Record, hand: ReplayedHand | None) -> Iterator[Shown | Note]:
        if hand is not None:
            yield from self._show_hand(hand)
            yield from self._beside(hand.table)
        else:
            origin = self._places[self._ledger.players[record.player]] if isinstance(record, MoveRecord) else None
            if isinstance(record, MoveRecord | ReadmittedRecord):
                self._places[self._ledger.players[record.player]] = record.table
            elif isinstance(record, RoundRecord):
                self._places = {player: self._ledger.seating.table_of(player).number for player in self._ledger.players}
            note = note_of(record, self._ledger, origin, self._may_know)
            if note is not None:
                yield from self._show_note(note)

    def rest(self) -> Iterator[Note]:
        """Notes on hands that were never finished."""
        waiting, self._waiting = self._waiting, []
        yield from (note for note in waiting if self._wanted(note.table, note.hand))

    def check_found(self) -> None:
        """Make sure, at the end of the journal, that it held what was asked for.

        Raises:
            OptionError: it did not.
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
        """The tables that were asked for, of those there are so far."""
        number, tables = self._choice.table, self._ledger.seating.tables
        return tables if number is None else tables[number : number + 1]

    def _show_hand(self, hand: ReplayedHand) -> Iterator[Shown]:
        seat = None if self._viewer is None else self._viewer.seat_in(hand)
        if self._viewer and seat is None:
            self._left_out.add(hand.table)
            return
        self._left_out.discard(hand.table)
        if self._wanted(hand.table, hand.number):
            self._found = True
            yield self._made_by(hand, self._ledger.settings.game, seat)

    def _beside(self, table: int) -> Iterator[Note]:
        """Notes that were kept back until the hand of a table was recorded."""
        waiting, self._waiting = self._waiting, []
        for note in waiting:
            if note.table != table:
                self._waiting.append(note)
            elif self._wanted(note.table, note.hand):
                yield note

    def _show_note(self, note: Note) -> Iterator[Note]:
        match note:
            case BesideHand() if self._is_under_way(note.table, note.hand):
                self._waiting.append(note)
            case Voided(table, hand):
                if self._wanted(table, hand):
                    self._found = True
                    yield note
                yield from self._beside(table)
            case BesideHand(table, hand):
                if self._wanted(table, hand):
                    yield note
            case Moved():
                if self._choice.hand is None and self._concerns(note):
                    yield note
            case GameBegun(table) | Readmitted(table):
                if self._choice.hand is None and self._wanted(table, None):
                    yield note
            case _ if self._choice.hand is None:
                yield note

    def _is_under_way(self, table: int, hand: int) -> bool:
        """True if a hand has no record yet."""
        return hand > self._ledger.seating.tables[table].hand_number

    def _wanted(self, table: int, hand: int | None) -> bool:
        player = self._viewer.player if self._viewer else None
        chosen = self._choice.table in (None, table) and (player is None or self._places[player] == table)
        return chosen and table not in self._left_out and self._choice.hand in (None, hand)

    def _concerns(self, note: Moved) -> bool:
        """True if a move is to be shown: to viewers of both tables, and to the player who moves."""
        player = self._viewer.player if self._viewer else None
        if player is None or note.id is None:  # its own id is the only one that a player may know
            return self._wanted(note.origin, None) or self._wanted(note.table, None)
        return self._choice.table in (None, note.origin, note.table)

    def _may_know(self, player: Player) -> bool:
        return self._viewer is None or self._viewer.may_know(player)


def viewer_of(ledger: Ledger, name: str) -> Viewer:
    """The viewer that a name or number means. Tables may grow when players move, and in later rounds.

    Raises:
        OptionError: no player is called so, or more than one.
    """
    seats = max(len(table.players) for table in ledger.seating.tables)
    if ledger.seating.rounds > 1 or (ledger.seating.sends_players and len(ledger.seating.tables) > 1):
        seats = min(ledger.settings.table_size, len(ledger.players))
    return find_viewer(name, ledger.players, seats)


def note_of(  # noqa: PLR0911, PLR0912 - one for each type of record
    record: Record, ledger: Ledger, origin: int | None, may_know: Callable[[Player], bool]
) -> Note | None:
    """The note of a record that is not a hand; None for one that concerns the host alone.

    Args:
        record: of a journal.
        ledger: what the tournament has come to with it.
        origin: the table that a player has left for another one.
        may_know: whether a player's id and reasons may be told.
    """
    match record:
        case OutRecord() | AwayRecord() | BackRecord() | CorrectedRecord():
            return _beside_hand(record, ledger, may_know)
        case MoveRecord():
            assert origin is not None
            return _moved(record, ledger, origin, may_know)
        case ReadmittedRecord():
            player = ledger.players[record.player]
            return Readmitted(record.table, player.id if may_know(player) else None, player.avatar)
        case DeskRecord():
            return _host_said(record, ledger, may_know)
        case StartRecord():
            return _opened(ledger)
        case RoundRecord():
            return _round_begun(ledger)
        case GameRecord():
            return GameBegun(record.table, record.hand, record.game)
        case LevelRecord():
            return LevelBegun(ledger.levels.level, ledger.levels.facts)
        case ResumeRecord():
            return Resumed()
        case VoidRecord():
            return Voided(record.table, record.hand)
        case StallRecord():
            return Stalled(record.seconds)
        case StoppedRecord():
            return Stopped()
        case EndRecord():
            places = ledger.standings()
            return Ended(tuple([(place.place, place.player.avatar, place.chips, place.points) for place in places]))
        case FinishedHandRecord() | RefusedRecord() | Services() | ClosedRecord():
            return None


def _opened(ledger: Ledger) -> Opened:
    settings = ledger.settings
    game = settings.game
    games = max((table.games for table in ledger.seating.tables), default=0)
    return Opened(
        game.name,
        game.title,
        game.facts,
        settings.hands,
        games,
        len(ledger.players),
        len(ledger.seating.tables),
        ledger.seating.rounds,
        settings.levels_record,
    )


def _round_begun(ledger: Ledger) -> RoundBegun:
    tables = ledger.seating.round_tables
    count = sum(len(table.players) for table in tables)
    return RoundBegun(ledger.seating.round, count, tuple(table.number for table in tables))


def _moved(record: MoveRecord, ledger: Ledger, origin: int, may_know: Callable[[Player], bool]) -> Moved:
    player = ledger.players[record.player]
    broken = not ledger.seating.size(ledger.seating.tables[origin])
    return Moved(origin, record.table, player.id if may_know(player) else None, player.avatar, broken)


def _host_said(record: DeskRecord, ledger: Ledger, may_know: Callable[[Player], bool]) -> HostSaid:
    number = record.player if record.command in ("remove", "readmit") else None
    player = None if number is None else ledger.players[number]
    id = player.id if player is not None and may_know(player) else None
    avatar = None if player is None else player.avatar
    return HostSaid(record.command, id, avatar, record.seconds, record.reason)


def _beside_hand(
    record: OutRecord | AwayRecord | BackRecord | CorrectedRecord, ledger: Ledger, may_know: Callable[[Player], bool]
) -> BesideHand:
    player = ledger.players[record.player]
    allowed = may_know(player)
    table, hand, id = ledger.seating.table_of(player).number, record.hand, player.id if allowed else None
    match record:
        case OutRecord():
            for_good, reason = player.left is not None, record.reason if allowed else None
            return Left(table, hand, id, player.avatar, for_good, record.kind, reason)
        case CorrectedRecord():
            return Corrected(table, hand, id, player.avatar, record.reason if allowed else None)
        case AwayRecord():
            return Away(table, hand, id, player.avatar)
        case BackRecord():
            return Back(table, hand, id, player.avatar)

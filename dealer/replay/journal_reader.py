"""Read from a journal the hands that a viewer asked for, as it saw them, and the events between them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import JournalError, NotStartedError, OptionError
from dealer.journal.batches import read_journal
from dealer.journal.records import Record
from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.telling.record_events import RecordEvents
from dealer.telling.seen_hand import SeenHand, seen_hand
from protocol.events import BesideHand, Event, GameBegun, HostSaid, Moved, Readmitted, Voided
from protocol.games.game import Game


class Unfinished(Event, frozen=True, tag="unfinished"):
    """The journal stops here, and the tournament could be played on."""


@dataclass(frozen=True, slots=True)
class Note:
    """An event between hands or during one, apart from its actions, as the viewer may know it.

    Attributes:
        event: what happened.
        avatar: of the player whom it is about; None if it is about nobody.
        id: of that player, if the viewer may know it.
    """

    event: Event
    avatar: str | None = None
    id: str | None = None


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
        seat: a seat or a player, see ``viewer_of``.
    """

    hand: int | None = None
    table: int | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Viewer:
    """One seat or one player, whose cards and reasons a replay shows.

    Attributes:
        name: as the user wrote it.
        seat: a number, from 0; None for a player.
        player: that player; None for a seat.
    """

    name: str
    seat: int | None = None
    player: Player | None = None

    def seat_in(self, hand: ReplayedHand) -> int | None:
        """The viewer's seat in a hand; None if it was not dealt in."""
        if self.player is not None:
            return hand.players.index(self.player) if self.player in hand.players else None
        return self.seat if self.seat in range(len(hand.players)) else None

    def may_know(self, player: Player) -> bool:
        """True if this viewer may read the id of a player, and reasons that quote its program."""
        return player is self.player


def replay_items(path: Path, choice: Choice) -> Iterator[SeenHand | Note]:
    """The hands and notes that were asked for, as they are read; see ``replay_hands``."""
    return replay_hands(path, choice, seen_hand)


def replay_hands(path: Path, choice: Choice, show: Show[Shown]) -> Iterator[Shown | Note]:
    """The hands that were asked for, each as ``show`` makes it of a replayed hand, and notes, as they are read.

    Raises:
        OptionError: it is not in the journal.
        JournalError: the journal is damaged, wrong or torn; all before that was yielded.
    """
    rebuild, selection = LedgerRebuild(path), None
    try:
        for record in read_journal(path):
            hand = rebuild.take(record)
            if selection is None:
                viewer = None if choice.seat is None else viewer_of(rebuild.ledger, choice.seat)
                selection = Selection(rebuild.ledger, choice, viewer, show)
            yield from selection.show(record, hand)
            if selection.over:
                break  # so that a torn or damaged end does not matter for an early hand
    except JournalError:
        yield from selection.rest() if selection else ()
        raise
    if selection is None:
        raise NotStartedError(path)
    yield from selection.rest()
    selection.check_found()
    if choice.hand is None and not rebuild.ended:
        yield Note(Unfinished())


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
        self._waiting: list[tuple[BesideHand, Note]] = []
        self._events = RecordEvents(ledger)
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
            event = self._events.of(record)
            if event is not None:
                yield from self._show_event(event)

    def rest(self) -> Iterator[Note]:
        """Notes on hands that were never finished."""
        waiting, self._waiting = self._waiting, []
        yield from (note for event, note in waiting if self._wanted(event.table, event.hand))

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
        for event, note in waiting:
            if event.table != table:
                self._waiting.append((event, note))
            elif self._wanted(event.table, event.hand):
                yield note

    def _show_event(self, event: Event) -> Iterator[Note]:
        note = self._note(event)
        match event:
            case BesideHand() if event.hand > self._ledger.seating.tables[event.table].hand_number:  # has no record yet
                self._waiting.append((event, note))
            case Voided(table, hand):
                if self._wanted(table, hand):
                    self._found = True
                    yield note
                yield from self._beside(table)
            case BesideHand():
                if self._wanted(event.table, event.hand):
                    yield note
            case Moved():
                if self._choice.hand is None and self._concerns(event):
                    yield note
            case GameBegun(table=table) | Readmitted(table=table):
                if self._choice.hand is None and self._wanted(table, None):
                    yield note
            case _ if self._choice.hand is None:
                yield note

    def _note(self, event: Event) -> Note:
        """The event with the names of its player, as far as the viewer may know it."""
        number = event.player if isinstance(event, BesideHand | HostSaid | Moved | Readmitted) else None
        if number is None:
            return Note(event if self._viewer is None else event.public())
        player = self._ledger.players[number]
        known = self._viewer is None or self._viewer.may_know(player)
        return Note(event if known else event.public(), player.avatar, player.id if known else None)

    def _wanted(self, table: int, hand: int | None) -> bool:
        player = self._viewer.player if self._viewer else None
        chosen = self._choice.table in (None, table) and (player is None or self._events.table_of(player) == table)
        return chosen and table not in self._left_out and self._choice.hand in (None, hand)

    def _concerns(self, move: Moved) -> bool:
        """True if a move is to be shown: to viewers of both tables, and to the player who moves."""
        player = self._viewer.player if self._viewer else None
        if player is None or move.player != player.number:
            return self._wanted(move.origin, None) or self._wanted(move.table, None)
        return self._choice.table in (None, move.origin, move.table)


def viewer_of(ledger: Ledger, name: str) -> Viewer:
    """The viewer called ``name``: the number of a seat, the id of a player, or an avatar only one has.

    Tables may grow when players move, and in later rounds, so there may be more seats than now. Players choose their
    avatars, so an id comes before an avatar. A number that is both a seat and a player's name would show one player the
    cards of another: it is refused.

    Raises:
        OptionError: no player is called so, or more than one.
    """
    seats, players = max(len(table.players) for table in ledger.seating.tables), ledger.players
    if ledger.seating.rounds > 1 or (ledger.seating.sends_players and len(ledger.seating.tables) > 1):
        seats = min(ledger.settings.table_size, len(players))
    seat = int(name) if name.isascii() and name.isdecimal() and int(name) < seats else None
    found = [player for player in players if player.id == name] or [p for p in players if p.avatar == name]
    if seat is not None and found:
        raise OptionError(f"--seat {name} is a seat, and a player is called {name} too; name the player in another way")
    if seat is not None:
        return Viewer(name, seat=seat)
    if not found:
        raise OptionError(f"there is no player {name!r}; --seat takes a seat from 0 to {seats - 1}, an id or an avatar")
    if len(found) > 1:
        raise OptionError(f"{len(found)} players have the avatar {name!r}; name one by its id")
    return Viewer(name, player=found[0])

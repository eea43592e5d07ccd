"""Follow a journal, and keep of it what each viewer may see, as the data of a file that replays it."""

import base64
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dealer.audit.hands import ReplayedHand
from dealer.journal.records import Record
from dealer.ledger.ledger import Ledger
from dealer.replay.journal_reader import Choice, Note, Selection
from dealer.replay.viewer import Viewer
from dealer.replayer.frames import HandFrames, to_json
from dealer.telling.moments import Course, LargestPots, Moment, best_seat
from dealer.telling.phrases import OUT, event_phrases
from dealer.telling.record_events import RecordEvents
from dealer.telling.scene import ACTION_SECONDS, DEAL_SECONDS, END_SECONDS, RUN_OUT_SECONDS, suit_names
from protocol.events import Corrected, Left, Started, Voided
from protocol.games.game import Game

#: Largest pots that are among the moments to jump to.
POTS = 10

#: Hands in one file at most; a browser takes a second to read so many. Those after them are left out.
MOST_HANDS = 20_000

#: Makes what may be shown of a reason that quotes what the player with this id sent.
Quote = Callable[[str, str], str]


#: How long a frame of each kind is shown.
SECONDS = {"deal": DEAL_SECONDS, "action": ACTION_SECONDS, "street": RUN_OUT_SECONDS, "end": END_SECONDS}


class SharedHands:
    """What all viewers see of the hand that is read, made once for all of them."""

    def __init__(self) -> None:
        self._last: tuple[ReplayedHand, HandFrames] | None = None

    def of(self, hand: ReplayedHand, game: Game) -> HandFrames:
        if self._last is None or self._last[0] is not hand:
            self._last = hand, HandFrames(hand, game)
        return self._last[1]


@dataclass(frozen=True, slots=True)
class Names:
    """What a file calls people and things.

    Attributes:
        source: where the hands come from, such as the name of the journal.
        players: by number.
        quote: see ``Quote``.
    """

    source: str
    players: Sequence[str]
    quote: Quote = field(default=lambda _, reason: reason)


class Story:
    """Finds the moments to jump to while a journal is read: those of its course, faults, corrections and voided hands.

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


class Recording:
    """What one viewer may see of a tournament, as it is read.

    Args:
        ledger: which follows the journal.
        choice: the hands that are wanted.
        viewer: who sees them; None for the host.
        names: see the class.
        shared: of all viewers for whom the same journal is read.
    """

    def __init__(
        self, ledger: Ledger, choice: Choice, viewer: Viewer | None, names: Names, shared: SharedHands
    ) -> None:
        self.selection = Selection(ledger, choice, viewer, self._packed)
        self._ledger = ledger
        self._viewer = viewer
        self._names = names
        self._shared = shared
        self._text = PackedText()
        self._places: dict[tuple[int, int], int] = {}
        self._pots: LargestPots[Moment] = LargestPots(POTS)
        self._notes: dict[int, list[str]] = {}
        self._left_out = 0
        self._index: list[list[int]] = []

    @property
    def hands(self) -> int:
        """Hands so far."""
        return len(self._places)

    def take(self, record: Record, hand: ReplayedHand | None) -> None:
        """Take the next record, which the ledger has followed."""
        for item in self.selection.show(record, hand):
            self._take(item)

    def finish(self, story: Story) -> str:
        """The data as compressed text, see ``PackedText``; nothing can be taken after that.

        It is a line of JSON for each hand, so that a browser reads only those that it shows, and a last one with what
        it has to know of all of them: ``index`` names their tables, numbers and players.
        """
        for note in self.selection.rest():
            self._take(note)
        game = self._ledger.settings.game
        facts = {
            "scene": {
                "title": game.title,
                "piece": game.piece,
                "suits": suit_names(game),
                "players": self._names.players,
                "source": self._names.source,
                "seenBy": self._seen_by(),
            },
            "index": self._index,
            "moments": self._moments(story),
            "notes": self._notes,
            "leftOut": self._left_out,
            "seconds": SECONDS,
        }
        self._text.add(to_json(facts))
        return self._text.finish()

    def _packed(self, hand: ReplayedHand, game: Game, viewer: int | None) -> str:
        """The text of a hand as a seat saw it, or the host for None; empty for one that is left out."""
        if len(self._places) == MOST_HANDS:
            self._left_out += 1
            return ""
        made = self._shared.of(hand, game)
        quoted = {
            line: self._names.quote(hand.players[seat].id, reason)
            for line, seat, reason in made.reasons
            if viewer in (None, seat)
        }
        self._places[hand.table, hand.number] = len(self._places)
        self._index.append([hand.table, hand.number, *[player.number for player in hand.players]])
        if any(hand.settlement.shares):
            winner, chips = hand.players[best_seat(hand.settlement.payoffs)].number, hand.last.pot
            self._pots.add(chips, Moment("pot", hand.table, hand.number, winner, chips))
        facts = {"table": hand.table, "hand": hand.number, "game": hand.game, "level": hand.level}
        own = made.end(viewer) | ({"reasons": quoted} if quoted else {})
        return f"{to_json(facts)[:-1]},{made.text},{to_json(own)[1:]}"

    def _take(self, item: str | Note) -> None:
        if isinstance(item, str):
            self._text.add(f"{item}\n" if item else "")
        elif not isinstance(item.event, Started):
            self._notes.setdefault(len(self._places) - 1, []).extend(map(str.strip, self._sentences(item)))

    def _sentences(self, note: Note) -> list[str]:
        seating, event = self._ledger.seating, note.event
        many_tables, many_games = len(seating.tables) > 1, any(table.games > 1 for table in seating.tables)
        *before, last = event_phrases(event, note.avatar or "", many_tables, many_games) or [""]
        if isinstance(event, Left | Corrected) and event.reason and note.id:
            last = f"{last.removesuffix('.')}: {self._names.quote(note.id, event.reason.removeprefix(OUT))}"
        return [*before, last] if last else before

    def _moments(self, story: Story) -> list[list[Any]]:
        """The moments in hands of this file: kind, place of the hand, frame, player, amount, words."""
        pots = [(moment, 0) for moment in self._pots.hands]
        return [
            [moment.kind, at, frame, moment.player, moment.amount, self._words(moment)]
            for moment, frame in (*pots, *story.moments)
            if (at := self._places.get((moment.table, moment.hand))) is not None
        ]

    def _words(self, moment: Moment) -> str:
        if moment.reason is None or moment.player is None:
            return moment.words
        player = self._ledger.players[moment.player]
        allowed = self._viewer is None or self._viewer.may_know(player)
        return f"{moment.words}: {self._names.quote(player.id, moment.reason)}" if allowed else moment.words

    def _seen_by(self) -> str | None:
        """The viewer in words; None for the host."""
        if self._viewer is None:
            return None
        player = self._viewer.player
        return f"seat {self._viewer.seat}" if player is None else self._names.players[player.number]


class PackedText:
    """A long text that is compressed while it is written."""

    def __init__(self) -> None:
        self._packer = zlib.compressobj(wbits=31)  # gzip, which browsers can read
        self._pieces: list[bytes] = []

    def add(self, text: str) -> None:
        """Write the next piece."""
        self._pieces.append(self._packer.compress(text.encode()))

    def finish(self) -> str:
        """The whole text, compressed, in base64; nothing can be added after that."""
        return base64.b64encode(b"".join([*self._pieces, self._packer.flush()])).decode()

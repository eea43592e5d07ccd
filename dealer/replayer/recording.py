"""Follow a journal, and keep of it what each viewer may see, as the data of a file that replays it.

A hand is kept as frames: what the table shows when it is dealt, after each action, and at its end. They are told by the
scene of a table (``TableScene``), as on the page, and hold no hole cards: those are kept beside them, as far as the
viewer may know them.
"""

import base64
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from dealer.audit.hands import ReplayedHand, with_hands_after
from dealer.audit.win_chances import win_chances
from dealer.journal.records import Record
from dealer.ledger.ledger import Ledger
from dealer.replay.journal_reader import Choice, Note, Selection, Viewer
from dealer.telling.hand_events import HandEvents, texts
from dealer.telling.moments import Course, LargestPots, Moment, best_seat
from dealer.telling.phrases import OUT, event_phrases
from dealer.telling.record_events import RecordEvents
from dealer.telling.scene import (
    ACTION_SECONDS,
    DEAL_SECONDS,
    END_SECONDS,
    RUN_OUT_SECONDS,
    Line,
    TableScene,
    suit_names,
)
from dealer.telling.seen_hand import SeenHand, seen_hand, shown_run_outs
from protocol.events import Acted, AtTable, Corrected, Left, Started, StreetDealt, Voided
from protocol.games.game import Game

#: Largest pots that are among the moments to jump to.
POTS = 10

#: Hands in one file at most; a browser takes a second to read so many. Those after them are left out.
MOST_HANDS = 20_000

#: Makes what may be shown of a reason that quotes what the player with this id sent.
Quote = Callable[[str, str], str]


#: How long a frame of each kind is shown.
SECONDS = {"deal": DEAL_SECONDS, "action": ACTION_SECONDS, "street": RUN_OUT_SECONDS, "end": END_SECONDS}


#: What the table shows: the facts of the page, and under ``told`` how many of the hand's lines have been told.
Frame = dict[str, Any]


class HandFrames:
    """What everybody saw of a finished hand before its end, and each viewer's end.

    Attributes:
        frames: when it is dealt, after each action, and when streets are run out because nobody can act any more. The
            frame after the last action is the first of those streets, if there are any.
        lines: about what happened until then.
        reasons: of faults, for the host and the player itself: the number of a line, the seat, and the words.
    """

    def __init__(self, hand: ReplayedHand, game: Game) -> None:
        self.frames: list[Frame] = []
        self.reasons: list[tuple[int, int, str]] = []
        self._hand = hand
        self._game = game
        events, self._rest = HandEvents.of(hand), list[AtTable]()
        dealt, first = events.begin(hand.dealt)
        self._scene = TableScene(dealt)
        streets = shown_run_outs(hand, game)
        happened: list[list[AtTable]] = [[first]]
        for step, after in with_hands_after(hand.steps, hand.last):
            happened.append([*events.step(step, after)])
        for number, told in enumerate(happened):
            if number == len(hand.steps) and streets:
                self._rest.append(told.pop())  # the last street, with the whole board
            for event in told:
                if isinstance(event, Acted) and event.reason is not None:
                    self.reasons.append((len(self.lines), event.seat, event.reason))
                self._scene.hear(event)
            if not self._rest:
                self._add(self._scene)
        for street in streets:
            scene = self._scene.copy()  # the end shows again who folded
            (last,) = (event for event in self._rest if isinstance(event, StreetDealt))
            scene.run_out(street, last, win_chances(street, len(hand.players)))
            self._add(scene)

    @property
    def lines(self) -> Sequence[Line]:
        return self._scene.lines

    @cached_property
    def text(self) -> str:
        """What everybody saw, as the text of the first members of a JSON object: a frame, and then what changes."""
        frames = [self.frames[0], *(changes(before, after) for before, after in pairwise(self.frames))]
        return to_json({"frames": frames, "lines": self.lines})[1:-1]

    def end(self, viewer: int | None) -> dict[str, Any]:
        """The end as a seat saw it, or the host for None.

        Returns:
            ``end``, what changes in the last frame; ``endLines`` about it; ``holes``, the hole cards that the viewer
            knew from the deal on, by seat; and ``shown``, those that it was shown at the end, if there are any.
        """
        scene = self._scene.copy()
        for event in self._rest:
            scene.hear(event)
        seen = seen_hand(self._hand, self._game, viewer, end_only=True)
        scene.end(seen, told=True)
        holes = {seat.seat: seat.hole for seat in seen.seats if seat.hole is not None}
        shown = {} if viewer is None else self._shown(seen, holes)
        frame = {**scene.facts(), "told": len(scene.lines)}
        facts = {"end": changes(self.frames[-1], frame), "endLines": scene.lines[len(self.lines) :], "holes": holes}
        return facts | ({"shown": shown} if shown else {})

    def _add(self, scene: TableScene) -> None:
        self.frames.append({**scene.facts(), "told": len(self.lines)})

    def _shown(self, seen: SeenHand, holes: Mapping[int, Sequence[str]]) -> dict[int, Sequence[str]]:
        """The hole cards that a seat was shown at the end, by seat."""
        shown = {seat: texts(cards) for seat, cards in self._hand.settlement.shown}
        public = self._hand.last.public()
        for told in seen.told:
            if told.seat not in shown:
                up = texts([*public.seats[told.seat].up, *public.board])
                shown[told.seat] = tuple([card for card in told.cards if card not in up])
        return {seat: cards for seat, cards in shown.items() if seat not in holes}


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What has to be set in ``before`` to get ``after``; None for what is gone, and seats by number.

    No fact of a frame is None, so that None can say this.
    """
    changed = {name: fact for name, fact in after.items() if name != "seats" and before.get(name) != fact}
    changed |= {name: None for name in before if name not in after}
    if "seats" in after:
        both = zip(before["seats"], after["seats"], strict=True)
        seats = {number: changes(old, new) for number, (old, new) in enumerate(both) if old != new}
        changed |= {"seats": seats} if seats else {}
    return changed


def to_json(facts: Any) -> str:
    """JSON without blanks."""
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


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

    Args:
        ledger: which follows the journal, from its start record on.

    Attributes:
        course: of the tournament.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.course = Course()
        self._events = RecordEvents(ledger)
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

    def take(self, record: Record, hand: ReplayedHand | None) -> None:
        """Take the next record, which the ledger has followed."""
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
        game, viewer = self._ledger.settings.game, self._viewer
        seen_by = None  # the host
        if viewer is not None:
            player = viewer.player
            seen_by = f"seat {viewer.seat}" if player is None else self._names.players[player.number]
        facts = {
            "scene": {
                "title": game.title,
                "piece": game.piece,
                "suits": suit_names(game),
                "players": self._names.players,
                "source": self._names.source,
                "seenBy": seen_by,
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

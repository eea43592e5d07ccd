"""The frames of a finished hand: what the table shows when it is dealt, after each action, and at its end.

They are told by the scene of a table (``TableScene``), as on the page, and hold no hole cards: those are kept beside
them, as far as the viewer may know them.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from dealer.audit.hands import ReplayedHand, with_hands_after
from dealer.audit.win_chances import win_chances
from dealer.telling.hand_events import HandEvents, texts
from dealer.telling.scene import Line, TableScene
from dealer.telling.seen_hand import SeenHand, seen_hand, shown_run_outs
from protocol.events import Acted, AtTable, StreetDealt
from protocol.games.game import Game

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
            self._hear(told)
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

    def _hear(self, events: Sequence[AtTable]) -> None:
        for event in events:
            if isinstance(event, Acted) and event.reason is not None:
                self.reasons.append((len(self.lines), event.seat, event.reason))
            self._scene.hear(event)

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

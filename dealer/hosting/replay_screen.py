"""``casino replay`` at a terminal: one hand on the screen at a time, which keys pause and step through."""

import re
import sys
from collections.abc import Iterator
from math import inf
from pathlib import Path

import trio
from rich.console import Console, Group
from rich.text import Text

from dealer.cli.tables import CardStyle
from dealer.hosting.keyboard import Keys, at_terminal, single_keys
from dealer.replay.hand_screen import HandScreen, NoteSentences
from dealer.replay.journal_reader import Choice, Note, replay_items
from dealer.telling.seen_hand import SeenHand
from protocol.events import Acted

#: Seconds between two looks at the size of the terminal, for which the screen is painted again.
LOOK_SECONDS = 0.25

#: Seconds that a moment is shown, at speed 1.
AFTER_ACTION, AFTER_CARDS, AFTER_HAND = 1.0, 2.5, 5.0

#: Hands that can be gone back to; more would fill the memory in a long tournament.
KEPT = 1000

#: What is shown of the keys.
HINT = "space pauses, left/right action, up/down hand, + - speed, q ends"

_KEY = re.compile(r"\x1b\[[A-D]|.", re.DOTALL)

#: Up, down, right and left.
_ARROWS = ("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D")


def can_watch(speed: float) -> bool:
    """Whether hands can be watched with keys: at a terminal that hands over keys, and with pauses."""
    return bool(speed) and sys.platform != "win32" and at_terminal() and Console().is_terminal


async def watch_replay(path: Path, choice: Choice, speed: float) -> int:
    """Show the hands that were asked for until the viewer ends it; the exit code.

    Raises:
        CasinoError: see ``replay_items``.
    """
    console = Console(highlight=False, markup=False, emoji=False)
    walk = HandWalk(replay_items(path, choice), speed, CardStyle(console))
    if walk.is_empty:
        console.print("There are no hands in this journal.")
        return 0
    with single_keys() as keys:
        if keys is not None:
            await _watch(walk, keys, console)
    return 0


class HandWalk:
    """Where a replay is.

    Args:
        items: hands and notes, which are read as far as they are shown.
        speed: divides the pauses.
        cards: how cards are written.

    Attributes:
        over: whether the viewer has ended it.
    """

    def __init__(self, items: Iterator[SeenHand | Note], speed: float, cards: CardStyle) -> None:
        self.over = False
        self._items = items
        self._speed = speed
        self._cards = cards
        self._hands: list[HandScreen] = []
        self._index, self._moment = -1, 0
        self._paused = False
        self._notes = NoteSentences()
        self._next_hand()

    @property
    def is_empty(self) -> bool:
        """Whether there is no hand to show."""
        return not self._hands

    @property
    def seconds(self) -> float:
        """Until the next moment is shown; infinite in a pause."""
        if self._paused:
            return inf
        screen = self._hands[self._index]
        if self._moment == screen.last:
            return AFTER_HAND / self._speed
        acted = isinstance(screen.seen.events[self._moment], Acted)
        return (AFTER_ACTION if acted else AFTER_CARDS) / self._speed

    def lines(self, width: int, height: int) -> list[Text]:
        """The screen as it is now; its last line tells the keys."""
        lines = self._hands[self._index].lines(self._moment, width, height - 1)
        lines += [Text()] * (height - 1 - len(lines))
        state = "paused" if self._paused else f"{self._speed:g}x"
        hint = Text(f"{state:<7}{HINT}", "reverse")
        hint.truncate(width)
        return [*lines, hint]

    def press(self, typed: str) -> None:
        """Do what keys stand for; others do nothing. Whoever steps through hands has them pause."""
        for key in _KEY.findall(typed.replace("\x1bO", "\x1b[")):
            self._paused |= key in _ARROWS
            match key:
                case " ":
                    self._paused = not self._paused
                case "+":
                    self._speed = min(64.0, self._speed * 2)
                case "-":
                    self._speed = max(0.125, self._speed / 2)
                case "q":
                    self.over = True
                case "\x1b[C":
                    self.forward()
                case "\x1b[D":
                    self._back()
                case "\x1b[B":
                    self._next_hand()
                case "\x1b[A":
                    self._index -= not self._moment and self._index > 0
                    self._moment = 0

    def forward(self) -> None:
        """Go to the next moment; at the end of the last hand, pause."""
        if self._moment < self._hands[self._index].last:
            self._moment += 1
        elif not self._next_hand():
            self._paused = True

    def _back(self) -> None:
        if self._moment:
            self._moment -= 1
        elif self._index:
            self._index -= 1
            self._moment = self._hands[self._index].last

    def _next_hand(self) -> bool:
        """Go to the deal of the next hand, which may have to be read; whether there is one."""
        if self._index + 1 == len(self._hands) and not self._read():
            return False
        self._index, self._moment = self._index + 1, 0
        return True

    def _read(self) -> bool:
        """Read up to the next hand; whether there is one."""
        before: list[str] = []
        for item in self._items:
            if isinstance(item, SeenHand):
                self._notes.follow(item)
                self._hands.append(HandScreen(item, before, self._cards))
                if len(self._hands) > KEPT:
                    del self._hands[0]
                    self._index -= 1
                return True
            before += self._notes.of(item)
        if before and self._hands:
            self._hands[-1].after = before
        return False


async def _watch(walk: HandWalk, keys: Keys, console: Console) -> None:
    with console.screen() as screen:
        while not walk.over:
            size, until, typed = console.size, trio.current_time() + walk.seconds, ""
            screen.update(Group(*walk.lines(*size)))
            while not typed and console.size == size and trio.current_time() < until:
                with trio.move_on_at(min(until, trio.current_time() + LOOK_SECONDS)):
                    pressed = await keys.pressed()
                    if pressed is None:
                        return
                    typed = pressed
            if typed:
                walk.press(typed)
            elif console.size == size:
                walk.forward()

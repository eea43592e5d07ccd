"""A replay for people: each hand from deal to stacks, in lines that scroll by, at a pace.

Nothing is ever moved or wiped, so what a terminal shows and what a file gets are the same lines.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from dealer.replay.card_text import NEEDED, Faces
from dealer.replay.layout import fitted, harmless, indented, side_by_side
from dealer.replay.notes import Left, Note, Opened
from dealer.replay.phrases import action_phrase, note_phrases, opening_phrase, seconds_phrase
from dealer.replay.script import Acted, Collected, Script, StreetOpened

WIDTH = 100
"""Columns; more would only pull apart what belongs together."""

AFTER_ACTION, AFTER_CARDS, AFTER_HAND = 1.0, 2.5, 5.0
"""Pauses in seconds, at speed 1."""

_INDENT = 3
_NAME = 23
_SHORT_NAME = 14
_FAULT = "yellow"
_QUIET = "dim"


class Shown(NamedTuple):
    """A line, and the pause after it in seconds at speed 1."""

    line: Text
    pause: float = 0.0


class Painter:
    """Turns scripts and notes into lines for a console.

    Args:
        console: whose width and characters there are.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._width = min(console.width, WIDTH)
        self._faces = Faces(boxes=_can_show(console, NEEDED))
        self._many_tables = self._many_games = self._levels = False
        self._reasons: tuple[str, ...] = ()

    def lines(self, item: Script | Note) -> Iterator[Shown]:
        """What there is to see of a hand, or of what happened beside it."""
        if isinstance(item, Script):
            yield from self._hand(item)
        elif isinstance(item, Opened):
            self._many_tables = item.tables > 1 or item.rounds > 1
            self._many_games, self._levels = item.games > 1, item.levels is not None
            yield Shown(Text(opening_phrase(item), "bold"))
            yield Shown(Text(f"The card {self._faces.hole_mark} is in the hole.", _QUIET))
        else:
            yield from self._note(item)

    def _note(self, note: Note) -> Iterator[Shown]:
        phrases = note_phrases(note, self._many_tables, self._many_games)
        if phrases:
            yield Shown(Text())
        for phrase in phrases:
            yield Shown(Text(phrase, "bold"), AFTER_ACTION)
        # what was shown beside the fault itself need not be said twice
        if isinstance(note, Left) and note.reason and not note.reason.endswith(self._reasons or ("\0",)):
            yield from self._reason(note.reason)

    def _hand(self, script: Script) -> Iterator[Shown]:
        self._reasons = tuple(event.reason for event in script.events if isinstance(event, Acted) and event.reason)
        names = {seat.seat: seat.avatar for seat in script.seats}
        yield Shown(Text())
        yield Shown(self._heading(script, names))
        for event in script.events:
            yield from (
                self._street(script, names, event) if isinstance(event, StreetOpened) else self._action(names, event)
            )
        yield from self._end(script, names)

    def _heading(self, script: Script, names: dict[int, str]) -> Text:
        words = f" Hand {script.hand}, table {script.table}"
        words += f", game {script.game}" if self._many_games or script.game > 1 else ""
        words += f", level {script.level}" if self._levels or script.level > 1 else ""
        words += f", seen by {harmless(names[script.viewer])}" if script.viewer is not None else ""
        line = Text.assemble(self._rule(2), (f"{words} ", "bold"))
        return line.append_text(self._rule(self._width - line.cell_len))

    def _rule(self, cells: int) -> Text:
        return Text(("─" if self._faces.boxes else "-") * cells, _QUIET)

    def _street(self, script: Script, names: dict[int, str], street: StreetOpened) -> Iterator[Shown]:
        holes = {seat.seat: seat.hole for seat in script.seats}
        yield Shown(Text())
        yield Shown(Text(f"Street {street.street}, pot {street.pot}", "bold"))
        drawn = [self._faces.drawn(holes[seat.seat], seat.cards) for seat in street.seats]
        cells = max(_SHORT_NAME, *(lines[0].cell_len for lines in drawn))
        blocks = [
            [self._name(seat.seat, names, cells), *lines, Text(f"{seat.stack} chips", _QUIET)]
            for seat, lines in zip(street.seats, drawn, strict=True)
        ]
        yield from map(Shown, side_by_side(blocks, self._width))
        yield Shown(Text(), AFTER_CARDS)

    def _action(self, names: dict[int, str], act: Acted) -> Iterator[Shown]:
        line = Text.assemble(" " * _INDENT, self._name(act.seat, names, _NAME), " ", action_phrase(act))
        pot = f"pot {act.pot + act.chips}" if act.chips else ""
        time = "" if act.microseconds is None else seconds_phrase(act.microseconds)
        line.append(f" {pot:>{max(0, self._width - 13 - line.cell_len)}}")
        line.append(f"{time:>12}", _QUIET)
        line.rstrip()
        yield Shown(line, 0.0 if act.reason else AFTER_ACTION)
        if act.reason:
            yield from self._reason(act.reason)

    def _reason(self, reason: str) -> Iterator[Shown]:
        """A stranger's text may be quoted here: it is shown, whatever it holds."""
        *lines, last = indented(Text(harmless(reason), _FAULT), _INDENT + 3, self._console, self._width)
        yield from map(Shown, lines)
        yield Shown(last, AFTER_CARDS)

    def _end(self, script: Script, names: dict[int, str]) -> Iterator[Shown]:
        yield Shown(Text())
        yield Shown(Text(f"The end, pot {script.pot}", "bold"))
        hands = [self._faces.words(told.cards) for told in script.told]
        cells = max((cards.cell_len for cards in hands), default=0)
        for told, cards in zip(script.told, hands, strict=True):
            cards.pad_right(cells - cards.cell_len)
            yield Shown(self._row(told.seat, names, cards, f"   {told.worth}"))
        for part in script.collected:
            yield Shown(self._row(part.seat, names, _collects(part)))
        if script.carried:
            waiting = f"Equal best cards: {script.carried} chips wait for the next hand."
            yield Shown(Text(" " * (_INDENT + 1) + waiting))
        yield Shown(Text())
        yield from self._stacks(script, names)

    def _stacks(self, script: Script, names: dict[int, str]) -> Iterator[Shown]:
        width = max(len(str(seat.after)) for seat in script.seats)
        gains = max(len(f"{seat.after - seat.before:+}") for seat in script.seats)
        entries = []
        for seat in script.seats:
            gain = seat.after - seat.before
            numbers = Text.assemble(f" {seat.after:>{width}} ", (f"{gain:>+{gains}}", "green" if gain > 0 else _QUIET))
            entries.append([self._name(seat.seat, names, _SHORT_NAME) + numbers])
        *lines, last = side_by_side(entries, self._width - _INDENT, gap=3)
        yield from (Shown(Text.assemble(" " * _INDENT, line)) for line in lines)
        yield Shown(Text.assemble(" " * _INDENT, last), AFTER_HAND)

    def _row(self, seat: int, names: dict[int, str], *parts: Text | str) -> Text:
        return Text.assemble(" " * _INDENT, self._name(seat, names, _NAME), " ", *parts)

    def _name(self, seat: int, names: dict[int, str], cells: int) -> Text:
        return fitted(f"{seat:>2} {harmless(names[seat])}", cells, "…" if self._faces.boxes else "~")


def _collects(part: Collected) -> Text:
    return Text.assemble((f"collects {part.chips}", "bold"), f": {part.why}")


def _can_show(console: Console, characters: str) -> bool:
    try:
        characters.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return not console.legacy_windows

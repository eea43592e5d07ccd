"""A replay for people: lines of text for each hand from the deal to the stacks, with a pause after each line.

Lines are only ever added, so a terminal and a file get the same ones.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from dealer.replay.notes import Corrected, Left, Note, Opened
from dealer.replay.phrases import action_phrase, note_phrases, opening_phrase, seconds_phrase
from dealer.replay.seen_hand import Acted, ChancesShown, Collected, Event, SeenHand, StreetOpened
from dealer.replay.terminal_text import NEEDED, CardStyle, fitted, harmless, indented, side_by_side
from protocol.games.registry import load_game
from protocol.plurals import plural

#: Columns that are used at most; more would pull apart what belongs together.
WIDTH = 100

#: Pauses in seconds, at speed 1.
AFTER_ACTION, AFTER_CARDS, AFTER_HAND = 1.0, 2.5, 5.0

#: Columns of the left margin, of a name, and of a name in a narrow place.
_INDENT = 3
_NAME = 23
_SHORT_NAME = 14
_FAULT = "yellow"
_QUIET = "dim"


class TimedLine(NamedTuple):
    """A line, and the pause after it in seconds at speed 1."""

    line: Text
    pause: float = 0.0


class ReplayLines:
    """Turns hands and notes into lines for a console.

    Args:
        console: gives the width and the characters that can be shown.
        wire: whether cards are written as in messages, although they could be drawn.
    """

    def __init__(self, console: Console, *, wire: bool = False) -> None:
        self._console = console
        self._width = min(console.width, WIDTH)
        self._cards = CardStyle(boxes=not wire and can_show(console, NEEDED))
        self._many_tables = self._many_games = self._levels = False
        self._reasons: tuple[str, ...] = ()

    def lines(self, item: SeenHand | Note) -> Iterator[TimedLine]:
        """The lines of a hand, or of something that happened between hands."""
        if isinstance(item, SeenHand):
            yield from self._hand(item)
        elif isinstance(item, Opened):
            self._many_tables = item.tables > 1 or item.rounds > 1
            self._many_games, self._levels = item.games > 1, item.levels is not None
            yield TimedLine(Text(opening_phrase(item), "bold"))
            game = load_game(item.rules)
            yield TimedLine(Text(f"The {game.piece} {self._cards.hole_mark} is {game.hidden}.", _QUIET))
        else:
            yield from self._note(item)

    def _note(self, note: Note) -> Iterator[TimedLine]:
        phrases = note_phrases(note, self._many_tables, self._many_games)
        if phrases:
            yield TimedLine(Text())
        for phrase in phrases:
            yield TimedLine(Text(phrase, "bold"), AFTER_ACTION)
        # a reason that was shown with the fault itself is not repeated
        if isinstance(note, Left | Corrected) and note.reason and not note.reason.endswith(self._reasons or ("\0",)):
            yield from self._reason(note.reason)

    def _hand(self, seen: SeenHand) -> Iterator[TimedLine]:
        self._reasons = tuple(event.reason for event in seen.events if isinstance(event, Acted) and event.reason)
        names = {seat.seat: seat.avatar for seat in seen.seats}
        yield TimedLine(Text())
        yield TimedLine(self._heading(seen, names))
        for event in seen.events:
            yield from self._event(seen, names, event)
        yield from self._end(seen, names)

    def _event(self, seen: SeenHand, names: dict[int, str], event: Event) -> Iterator[TimedLine]:
        match event:
            case StreetOpened():
                yield from self._street(seen, names, event)
            case Acted():
                yield from self._action(names, event)
            case ChancesShown():
                yield from self._chances(names, event)

    def _heading(self, seen: SeenHand, names: dict[int, str]) -> Text:
        words = f" Hand {seen.hand}, table {seen.table}"
        words += f", game {seen.game}" if self._many_games or seen.game > 1 else ""
        words += f", level {seen.level}" if self._levels or seen.level > 1 else ""
        words += f", seen by {harmless(names[seen.viewer])}" if seen.viewer is not None else ""
        line = Text.assemble(self._rule(2), (f"{words} ", "bold"))
        return line.append_text(self._rule(self._width - line.cell_len))

    def _rule(self, cells: int) -> Text:
        return Text(("─" if self._cards.boxes else "-") * cells, _QUIET)

    def _street(self, seen: SeenHand, names: dict[int, str], street: StreetOpened) -> Iterator[TimedLine]:
        holes = {seat.seat: seat.hole for seat in seen.seats}
        yield TimedLine(Text())
        yield TimedLine(Text(f"Street {street.street}, pot {street.pot}", "bold"))
        # A seat may get more hole cards on a later street, so only as many are drawn as lie there now.
        drawn = [
            self._cards.drawn((holes[seat.seat] or (None,) * seat.hidden)[: seat.hidden], seat.cards)
            for seat in street.seats
        ]
        if street.board:
            yield TimedLine(Text("Board", _QUIET))
            yield from map(TimedLine, self._cards.drawn((), street.board))
        cells = max(_SHORT_NAME, *(lines[0].cell_len for lines in drawn))
        blocks = [
            [self._name(seat.seat, names, cells), *lines, Text(plural(seat.stack, "chip"), _QUIET)]
            for seat, lines in zip(street.seats, drawn, strict=True)
        ]
        yield from map(TimedLine, side_by_side(blocks, self._width))
        yield TimedLine(Text(), AFTER_CARDS)

    def _action(self, names: dict[int, str], act: Acted) -> Iterator[TimedLine]:
        line = Text.assemble(" " * _INDENT, self._name(act.seat, names, _NAME), " ", action_phrase(act))
        pot = f"pot {act.pot + act.chips}" if act.chips else ""
        time = "" if act.microseconds is None else seconds_phrase(act.microseconds)
        line.append(f" {pot:>{max(0, self._width - 13 - line.cell_len)}}")
        line.append(f"{time:>12}", _QUIET)
        line.rstrip()
        yield TimedLine(line, 0.0 if act.reason else AFTER_ACTION)
        if act.reason:
            yield from self._reason(act.reason)

    def _chances(self, names: dict[int, str], shown: ChancesShown) -> Iterator[TimedLine]:
        """The cards of all who are in, and each one's chance in per cent."""
        yield TimedLine(Text())
        how = "" if shown.exact else ", from a sample of boards"
        yield TimedLine(Text(f"Cards are shown; chances to win{how}", "bold"))
        for seat in shown.seats:
            cards = self._cards.words(seat.cards)
            cards.pad_right(8 - cards.cell_len)
            chance = f"{100 * seat.win:5.1f} %", "bold"
            last = seat is shown.seats[-1]
            yield TimedLine(self._row(seat.seat, names, cards, chance), AFTER_CARDS if last else 0.0)

    def _reason(self, reason: str) -> Iterator[TimedLine]:
        """The reason of a fault, which may quote anything that a program sent."""
        *lines, last = indented(Text(harmless(reason), _FAULT), _INDENT + 3, self._console, self._width)
        yield from map(TimedLine, lines)
        yield TimedLine(last, AFTER_CARDS)

    def _end(self, seen: SeenHand, names: dict[int, str]) -> Iterator[TimedLine]:
        yield TimedLine(Text())
        yield TimedLine(Text(f"The end, pot {seen.pot}", "bold"))
        known = [self._cards.words(told.cards) for told in seen.told]
        cells = max((cards.cell_len for cards in known), default=0)
        for told, cards in zip(seen.told, known, strict=True):
            cards.pad_right(cells - cards.cell_len)
            yield TimedLine(self._row(told.seat, names, cards, f"   {told.worth}"))
        for part in seen.collected:
            yield TimedLine(self._row(part.seat, names, _collects(part)))
        if seen.carried:
            waiting = f"Equal best cards: {seen.carried} chips wait for the next hand."
            yield TimedLine(Text(" " * (_INDENT + 1) + waiting))
        yield TimedLine(Text())
        yield from self._stacks(seen, names)

    def _stacks(self, seen: SeenHand, names: dict[int, str]) -> Iterator[TimedLine]:
        width = max(len(str(seat.after)) for seat in seen.seats)
        gains = max(len(f"{seat.after - seat.before:+}") for seat in seen.seats)
        entries = []
        for seat in seen.seats:
            gain = seat.after - seat.before
            numbers = Text.assemble(f" {seat.after:>{width}} ", (f"{gain:>+{gains}}", "green" if gain > 0 else _QUIET))
            entries.append([self._name(seat.seat, names, _SHORT_NAME) + numbers])
        *lines, last = side_by_side(entries, self._width - _INDENT, gap=3)
        yield from (TimedLine(Text.assemble(" " * _INDENT, line)) for line in lines)
        yield TimedLine(Text.assemble(" " * _INDENT, last), AFTER_HAND)

    def _row(self, seat: int, names: dict[int, str], *parts: Text | str | tuple[str, str]) -> Text:
        return Text.assemble(" " * _INDENT, self._name(seat, names, _NAME), " ", *parts)

    def _name(self, seat: int, names: dict[int, str], cells: int) -> Text:
        return fitted(f"{seat:>2} {harmless(names[seat])}", cells, "…" if self._cards.boxes else "~")


def _collects(part: Collected) -> Text:
    return Text.assemble((f"collects {part.chips}", "bold"), f": {part.why}")


def can_show(console: Console, characters: str) -> bool:
    """Whether a console can show these characters."""
    try:
        characters.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return not console.legacy_windows

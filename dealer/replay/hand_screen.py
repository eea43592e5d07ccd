"""A hand on one screen of a terminal, at any of its moments: its seats in a line each, and below what happened."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.text import Text

from dealer.replay.phrases import action_phrase, seconds_phrase
from dealer.replay.seen_hand import Acted, ChancesShown, Event, SeatShown, SeenHand, StreetOpened
from dealer.replay.terminal_text import PLAIN_BACK, CardStyle, fitted, harmless

#: Lines above the seats, and empty ones below them.
_HEAD, _GAP = 3, 1

#: Columns of a name, of the cards, and of the chips.
_NAME, _CARDS, _STACK = 22, 22, 9

#: Columns of a name, at least.
_SHORT_NAME = 8

_QUIET = "dim"


@dataclass(frozen=True, slots=True)
class _Seat:
    """A seat as far as the hand has been shown; ``deed`` is what it did last."""

    stack: int
    up: tuple[str, ...] = ()
    hidden: int = 0
    live: bool = True
    deed: str = ""


class HandScreen:
    """A hand at each of its moments: moment 0 is the deal, and the last one the end.

    Args:
        seen: the hand.
        before: sentences about what happened before it.
        cards: how cards are written.

    Attributes:
        seen: the hand.
        after: sentences about what happened after it, at the end of a journal.
    """

    def __init__(self, seen: SeenHand, before: Sequence[str], cards: CardStyle) -> None:
        self.seen = seen
        self.after: Sequence[str] = ()
        self._before = before
        self._cards = cards
        self._names = {seat.seat: harmless(seat.avatar) for seat in seen.seats}

    @property
    def last(self) -> int:
        """The number of the last moment."""
        return len(self.seen.events)

    def lines(self, moment: int, width: int, height: int) -> list[Text]:
        """The screen at a moment, in at most so many lines; of what happened, the latest are shown."""
        events = self.seen.events[: moment + 1]
        over = moment == self.last
        seats, street = self._seats_after(events)
        head = [self._heading(moment, width), self._table(events, street, over), Text()]
        rows = self._rows(seats, over, width)
        log = list(self._log(events, over))
        room = max(1, height - _HEAD - len(rows) - _GAP)
        lines = [*head, *rows, *([Text()] * _GAP), *log[-room:]]
        for line in lines:
            line.truncate(width, overflow="ellipsis")
        return lines[:height]

    def _heading(self, moment: int, width: int) -> Text:
        seen = self.seen
        line = Text(f"Hand {seen.hand}, table {seen.table}", "bold")
        line.append(f", game {seen.game}" if seen.game > 1 else "")
        line.append(f", level {seen.level}" if seen.level > 1 else "")
        if seen.viewer is not None:
            line.append(f", seen by {self._names[seen.viewer]}")
        where = "the end" if moment == self.last else f"step {moment} of {self.last}"
        return line.append(" " * max(1, width - line.cell_len - len(where))).append(where, _QUIET)

    def _table(self, events: Sequence[Event], street: StreetOpened, over: bool) -> Text:
        pot = self.seen.pot if over else _pot_after(events, street)
        line = Text(f"Street {street.street}, pot {pot}")
        return line.append("   ").append_text(self._cards.words(street.board)) if street.board else line

    def _seats_after(self, events: Sequence[Event]) -> tuple[dict[int, _Seat], StreetOpened]:
        """The seats, and the street that was dealt last."""
        seats = {shown.seat: _Seat(shown.before) for shown in self.seen.seats}
        first = self.seen.events[0]
        street = first if isinstance(first, StreetOpened) else StreetOpened(1, self.seen.pot, (), ())
        for event in events:
            match event:
                case StreetOpened():
                    street = event
                    for up in event.seats:
                        seats[up.seat] = _Seat(up.stack, up.cards, up.hidden)
                case Acted(seat=seat, action=action):
                    live = action not in ("fold", "given-up", "forced")
                    stack = event.stack - event.chips
                    seats[seat] = replace(seats[seat], stack=stack, live=live, deed=action_phrase(event))
                case ChancesShown():
                    for chance in event.seats:
                        seats[chance.seat] = replace(seats[chance.seat], deed=f"{100 * chance.win:.1f} %")
        return seats, street

    def _rows(self, seats: Mapping[int, _Seat], over: bool, width: int) -> list[Text]:
        """A line for each seat. In a narrow terminal names are shortened, so that chips are in sight."""
        cards = [self._cards_of(shown, seats[shown.seat]) for shown in self.seen.seats]
        longest = max((text.cell_len for text in cards), default=0)
        wide = width > _NAME + 1 + _CARDS + _STACK
        columns = _CARDS if wide else longest
        name = _NAME if wide else min(_NAME, max(_SHORT_NAME, width - 1 - longest - _STACK - 1))
        for text in cards:
            text.pad_right(max(0, columns - text.cell_len))
        shown_cards = zip(self.seen.seats, cards, strict=True)
        return [self._row(shown, seats[shown.seat], over, text, name) for shown, text in shown_cards]

    def _cards_of(self, shown: SeatShown, seat: _Seat) -> Text:
        cards = self._hole(shown, seat)
        return cards.append(" " if seat.up else "").append_text(self._cards.words(seat.up))

    def _row(self, shown: SeatShown, seat: _Seat, over: bool, cards: Text, columns: int) -> Text:
        ellipsis = "…" if self._cards.boxes else "~"
        stack, deed = (shown.after, self._end_of(shown)) if over else (seat.stack, Text(seat.deed))
        name = fitted(f"{shown.seat:>2} {self._names[shown.seat]}", columns, ellipsis)
        line = Text.assemble(name, " ", cards, f"{stack:>{_STACK}}  ", deed)
        if not seat.live:
            line.stylize(_QUIET)
        return line

    def _hole(self, shown: SeatShown, seat: _Seat) -> Text:
        """The hole cards, in brackets; those that the viewer may not see face down."""
        known = shown.hole or (None,) * seat.hidden
        texts = [Text(PLAIN_BACK, _QUIET) if card is None else self._cards.word(card) for card in known[: seat.hidden]]
        return Text.assemble("(", Text(" ").join(texts), ")") if texts else Text()

    def _end_of(self, shown: SeatShown) -> Text:
        """What a seat won, and what its cards are worth as far as the viewer knows."""
        gain = shown.after - shown.before
        worth = next((f"  {told.worth}" for told in self.seen.told if told.seat == shown.seat), "")
        return Text.assemble((f"{gain:+}", "green" if gain > 0 else _QUIET), worth)

    def _log(self, events: Sequence[Event], over: bool) -> Iterator[Text]:
        yield from (Text(sentence, "bold") for sentence in self._before)
        for event in events:
            match event:
                case StreetOpened(street=street) if street > 1:
                    yield Text(f"Street {street} is dealt", _QUIET)
                case Acted():
                    time = "" if event.microseconds is None else f"  {seconds_phrase(event.microseconds)}"
                    yield Text.assemble(self._names[event.seat], " ", action_phrase(event), (time, _QUIET))
                    if event.reason:
                        yield Text(f"  {harmless(event.reason)}", "yellow")
        if over:
            for part in self.seen.collected:
                yield Text.assemble(self._names[part.seat], (f" collects {part.chips}", "bold"), f": {part.why}")
            if self.seen.carried:
                yield Text(f"Equal best cards: {self.seen.carried} chips wait for the next hand.")
            yield from (Text(sentence, "bold") for sentence in self.after)


def _pot_after(events: Sequence[Event], street: StreetOpened) -> int:
    """Chips in the pot after the events; a street says what was in it when it was dealt."""
    for event in reversed(events):
        if isinstance(event, Acted):
            return event.pot + event.chips
        if event is street:
            break
    return street.pot

"""A hand in a terminal: its seats in a line each, and below what happened, at any of its moments or printed whole."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from dealer.cli.tables import CardStyle
from dealer.replay.journal_reader import Note, Unfinished
from dealer.telling.phrases import action_phrase, end_phrases, event_phrases, harmless, opening_phrase, seconds_phrase
from dealer.telling.scene import SeatScene, TableScene
from dealer.telling.seen_hand import ChancesShown, SeatShown, SeenHand
from protocol.events import Acted, Corrected, Dealt, Left, Started, StreetDealt
from protocol.games.registry import load_game

#: Columns of a name, of the cards, and of the chips.
_NAME, _CARDS, _STACK = 22, 22, 9

#: Columns of a name, at least.
_SHORT_NAME = 8

_QUIET = "dim"

#: A card that the viewer may not see.
_BACK = "??"


class NoteSentences:
    """Sentences about what happened between the hands, for a viewer who is shown the hands as well."""

    def __init__(self) -> None:
        self._many_tables = self._many_games = False
        self._reasons: tuple[str, ...] = ()

    def follow(self, seen: SeenHand) -> None:
        """Take note of a hand that is shown: the reasons in it are not told again."""
        self._reasons = tuple(event.reason for event in seen.events if isinstance(event, Acted) and event.reason)

    def of(self, note: Note) -> list[str]:
        """The sentences of a note; an empty list if the viewer knows it already."""
        event = note.event
        match event:
            case Started():
                many_rounds = event.rounds > 1
                self._many_tables, self._many_games = len(event.tables) > 1 or many_rounds, event.games > 1
                game = load_game(event.game)
                return [opening_phrase(event), f"The {game.piece} in brackets is {game.hidden}."]
            case Unfinished():
                return ["The tournament is not finished in this journal."]
        sentences = event_phrases(event, note.avatar or "", self._many_tables, self._many_games)
        reason = event.reason if isinstance(event, Left | Corrected) and note.id is not None else None
        if reason and not reason.endswith(self._reasons or ("\0",)):
            sentences.append(f"  {harmless(reason)}")
        return sentences


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
        above, log = self._above(moment, width), list(self._log(moment))
        where = "the end" if moment == self.last else f"step {moment} of {self.last}"
        above[0].append(" " * max(1, width - above[0].cell_len - len(where))).append(where, _QUIET)
        lines = [*above, *log[-max(1, height - len(above)) :]]
        for line in lines:
            line.truncate(width, overflow="ellipsis")
        return lines[:height]

    def printed(self, width: int) -> list[Text]:
        """The whole hand as lines: the table at its end, and all that happened; long lines are not cut."""
        return [*self._above(self.last, width), *self._log(self.last)]

    def _above(self, moment: int, width: int) -> list[Text]:
        """The heading, the table and the seats, up to what happened."""
        scene, over = self._scene(moment), moment == self.last
        table = Text(f"Street {scene.street or 1}, pot {self.seen.pot if over else scene.pot}")
        if scene.board:
            table.append("   ").append_text(self._cards.words(scene.board))
        return [self._heading(), table, Text(), *self._rows(scene, over, width), Text()]

    def _scene(self, moment: int) -> TableScene:
        seen, nothing = self.seen, (0,) * len(self.seen.seats)
        stacks = tuple(shown.before for shown in seen.seats)
        players = tuple(shown.seat for shown in seen.seats)
        scene = TableScene(
            Dealt(seen.table, seen.hand, seen.game, seen.level, players, stacks, nothing, nothing, None, None)
        )
        for event in seen.events[: moment + 1]:
            if isinstance(event, ChancesShown):
                scene.show_chances(event)
            else:
                scene.hear(event)
        return scene

    def _heading(self) -> Text:
        seen = self.seen
        line = Text(f"Hand {seen.hand}, table {seen.table}", "bold")
        line.append(f", game {seen.game}" if seen.game > 1 else "")
        line.append(f", level {seen.level}" if seen.level > 1 else "")
        return line.append(f", seen by {self._names[seen.viewer]}" if seen.viewer is not None else "")

    def _rows(self, scene: TableScene, over: bool, width: int) -> list[Text]:
        """A line for each seat. In a narrow terminal names are shortened, so that chips are in sight."""
        cards = [self._hole(shown, scene.seats[shown.seat]) for shown in self.seen.seats]
        for seat, text in zip(scene.seats, cards, strict=True):
            text.append(" " if seat.up else "").append_text(self._cards.words(seat.up))
        longest = max((text.cell_len for text in cards), default=0)
        wide = width > _NAME + 1 + _CARDS + _STACK
        columns = _CARDS if wide else longest
        name = _NAME if wide else min(_NAME, max(_SHORT_NAME, width - 1 - longest - _STACK - 1))
        for text in cards:
            text.pad_right(max(0, columns - text.cell_len))
        shown_cards = zip(self.seen.seats, cards, strict=True)
        return [self._row(shown, scene.seats[shown.seat], over, text, name) for shown, text in shown_cards]

    def _row(self, shown: SeatShown, seat: SeatScene, over: bool, cards: Text, columns: int) -> Text:
        ellipsis = "…" if self._cards.symbols else "~"
        does = seat.deed if seat.chance is None else f"{100 * seat.chance:.1f} %"
        stack, deed = (shown.after, self._end_of(shown)) if over else (seat.stack, Text(does))
        name = _fitted(f"{shown.seat:>2} {self._names[shown.seat]}", columns, ellipsis)
        line = Text.assemble(name, " ", cards, f"{stack:>{_STACK}}  ", deed)
        if not seat.live:
            line.stylize(_QUIET)
        return line

    def _hole(self, shown: SeatShown, seat: SeatScene) -> Text:
        """The hole cards, in brackets; those that the viewer may not see face down."""
        known = shown.hole or (None,) * seat.hidden
        texts = [Text(_BACK, _QUIET) if card is None else self._cards.word(card) for card in known[: seat.hidden]]
        return Text.assemble("(", Text(" ").join(texts), ")") if texts else Text()

    def _end_of(self, shown: SeatShown) -> Text:
        """The chips that a seat won, and the worth of its cards as far as the viewer knows."""
        gain = shown.after - shown.before
        worth = next((f"  {told.worth}" for told in self.seen.told if told.seat == shown.seat), "")
        return Text.assemble((f"{gain:+}", "green" if gain > 0 else _QUIET), worth)

    def _log(self, moment: int) -> Iterator[Text]:
        yield from (Text(sentence, "bold") for sentence in self._before)
        for event in self.seen.events[: moment + 1]:
            match event:
                case StreetDealt(street=street, board=board) if street > 1:
                    line = Text(f"Street {street} is dealt", _QUIET)
                    yield line.append(": ").append_text(self._cards.words(board)) if board else line
                case Acted():
                    yield from self._action(event)
                case ChancesShown():
                    yield from self._chances(event)
        if moment == self.last:
            for seat, words in end_phrases(self.seen.collected, self.seen.carried):
                yield Text(f"{words[0].upper()}{words[1:]}." if seat is None else f"{self._names[seat]} {words}")
            yield from (Text(sentence, "bold") for sentence in self.after)

    def _action(self, event: Acted) -> Iterator[Text]:
        pot = f"  pot {event.pot + event.chips}" if event.chips else ""
        time = "" if event.microseconds is None else f"  {seconds_phrase(event.microseconds)}"
        yield Text.assemble(self._names[event.seat], " ", action_phrase(event), (f"{pot}{time}", _QUIET))
        if event.reason:
            yield Text(f"  {harmless(event.reason)}", "yellow")

    def _chances(self, shown: ChancesShown) -> Iterator[Text]:
        yield Text("Cards are shown; chances to win:", "bold")
        for seat in shown.seats:
            yield Text.assemble(
                f"  {self._names[seat.seat]} ", self._cards.words(seat.cards), f" {100 * seat.win:.1f} %"
            )


def _fitted(text: str, width: int, ellipsis: str) -> Text:
    """One line of exactly ``width`` cells."""
    line = Text(text)
    if line.cell_len > width:
        line.truncate(width - len(ellipsis))
        line.append(ellipsis)
    line.pad_right(width - line.cell_len)
    return line

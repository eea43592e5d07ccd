"""One hand as a person sees it: its events become the scene, the spot for chances, and lines for the history."""

from collections.abc import Iterator, Sequence

from bots.human.card_pictures import words
from bots.human.game_seat import GameSeat
from bots.human.narration import YOU, sentence, told, winners
from bots.human.updates import Scene, SeatView, Spot
from dealer.telling.phrases import action_phrase
from dealer.telling.scene import TableScene
from protocol.cards import Piece
from protocol.events import Acted, Dealt, StreetDealt
from protocol.games.base import Turn
from protocol.games.game import Game
from protocol.person_events import HandSeen, SeatSeen
from protocol.plurals import plural

#: Actions of the dealer, or of the rules, for a seat.
GIVEN_UP, FORCED = "given-up", "forced"


class SeenTable:
    """A hand that is told event by event, from its deal on.

    Args:
        game: that is played.
        seat: what the seat for people knows of it.
        hand: its number, as the person counts hands.
        names: of the players, by seat.
        me: the person's seat.
        dealt: the first event, in which the person's own hole cards may be read.
        level: the level under way, in short; empty where stakes do not rise.
    """

    def __init__(
        self, game: Game, seat: GameSeat, hand: int, names: Sequence[str], me: int, dealt: Dealt, level: str = ""
    ) -> None:
        self.me = me
        self._game = game
        self._seat = seat
        self._hand = hand
        # A player may be called "you".
        self._names = [YOU if seat == me else f'"{name}"' if name == YOU else name for seat, name in enumerate(names)]
        self._level = level
        self._dealt = dealt
        self._table = TableScene(dealt)
        self._notes = [f"blind {blind}" if blind else "" for blind in dealt.blinds]
        self._put = [*dealt.blinds]  # chips of each seat on this street
        self._owed: int | None = None  # while the person is asked
        self._own = self._pieces(dealt.holes[me] if dealt.holes else ())
        self._end: tuple[SeatSeen, ...] = ()
        self._headline = ""

    def hear(self, event: StreetDealt | Acted) -> list[str]:
        """Take the next event; what it says in words."""
        lines = [*(self._street(event) if isinstance(event, StreetDealt) else self._acted(event))]
        self._table.hear(event)
        self._owed = None
        return lines

    def ask(self, turn: Turn) -> None:
        """Take a question to the person, which tells what it owes, and its own cards, hole cards first."""
        self._owed = turn.owed
        self._own = turn.own[: len(turn.own) - len(self._table.seats[self.me].up)]

    def end(self, seen: HandSeen) -> list[str]:
        """Take the end of the hand; what it says in words."""
        seats = self._table.seats
        lines = []
        for seat, (shown, before) in enumerate(zip(seen.seats, seats, strict=True)):
            if (back := shown.stack - shown.won - before.stack) > 0:
                lines.append(self._got_back(seat, back))
        for seat, shown in enumerate(seen.seats):
            if shown.cards:
                cards = words(self._pieces(shown.cards))
                lines.append(sentence(f"{self._names[seat]}: {cards}, {shown.worth}."))
        won = [(self._names[seat], shown.won, shown.why) for seat, shown in enumerate(seen.seats) if shown.won]
        lines += [sentence(f"{winners([(name, chips)])}: {why}.") for name, chips, why in won]
        if seen.carried:
            lines.append(f"Equal: the pot of {seen.carried} waits for the next hand.")
        headline = lines[-1] if lines else ""
        if len(won) > 1:
            headline = sentence(f"{winners([(name, chips) for name, chips, _ in won])}.")
        gain = seen.seats[self.me].stack - self._dealt.stacks[self.me]
        self._headline = f"{headline} You {'gain' if gain > 0 else 'lose'} {abs(gain)}." if gain else headline
        self._end = seen.seats
        self._table.pot = seen.pot
        for before in seats:
            before.turn = before.all_in = False
        return lines

    def scene(self) -> Scene:
        """The table as it is now."""
        table = self._table
        return Scene(
            tuple([self._view(seat) for seat in range(len(self._names))]),
            self.me,
            self._hand,
            table.street,
            table.pot,
            self._seat.cards,
            next((seat for seat, shown in enumerate(table.seats) if shown.turn), None),
            self._pieces(table.board),
            tuple([chips for chips, _ in table.pots]),
            self._headline,
            self._level,
        )

    def spot(self) -> Spot | None:
        """What the person's chances are counted from; None once it has folded or the hand is over."""
        seats, me = self._table.seats, self.me
        if not seats[me].live or not any(seat.turn for seat in seats):
            return None
        others = [seat for number, seat in enumerate(seats) if number != me]
        owed = max(self._put) - self._put[me]
        if self._owed is not None:
            owed = self._owed  # less, where a call takes all chips
        reach = self._put[me] + owed
        beyond = sum(max(0, put - reach) for put in self._put)
        return Spot(
            self._game,
            (*self._own, *self._pieces(seats[me].up)),
            tuple([self._pieces(seat.up) for seat in others if seat.live]),
            tuple([card for seat in others if not seat.live for card in self._pieces(seat.up)]),
            self._table.pot - beyond,
            owed,
            self._pieces(self._table.board),
        )

    def _view(self, seat: int) -> SeatView:
        shown = self._table.seats[seat]
        end = self._end[seat] if self._end else None
        up = self._pieces(shown.up)
        hole = self._own if seat == self.me else ()
        if end is not None and end.cards:
            hole = self._pieces(end.cards[: len(end.cards) - len(up)])
        return SeatView(
            self._names[seat],
            shown.stack if end is None else end.stack,
            hole,
            0 if hole else shown.hidden,
            up,
            "in" if shown.live else "folded",
            self._notes[seat],
            0 if end is None else end.won,
            shown.button,
            shown.all_in,
        )

    def _street(self, street: StreetDealt) -> Iterator[str]:
        """The beginning of a street in words; the first one is that of the hand."""
        if street.street == 1:
            yield f"Hand {self._hand}: {len(self._names)} players, {street.pot} chips in the pot."
            for name, blind in zip(self._names, self._dealt.blinds, strict=True):
                if blind:
                    yield told(name, f"post {blind}", blind)
            return
        for up in street.seats:
            if (back := up.stack - self._table.seats[up.seat].stack) > 0:
                yield self._got_back(up.seat, back)
            self._notes[up.seat] = ""
        self._put = [0] * len(self._names)
        cards = f": {words(self._pieces(street.board))}" if street.board else ""
        yield f"Street {street.street}{cards}, {plural(street.pot, 'chip')} in the pot."

    def _got_back(self, seat: int, chips: int) -> str:
        return told(self._names[seat], f"get {chips}", 0)[:-1] + " back, which nobody called."

    def _acted(self, event: Acted) -> Iterator[str]:
        """An action in words."""
        seat, name = event.seat, self._names[event.seat]
        self._notes[seat] = did = self._did(event)
        self._put[seat] += event.chips
        if event.action == FORCED:
            yield sentence(f"{name} cannot pay what is owed, and is folded.")
        elif event.action == GIVEN_UP:
            yield sentence(f"{name} {action_phrase(event)}.") if name != YOU else "You are folded."
        else:
            yield told(name, did, event.chips)
        if event.all_in and event.chips:
            yield sentence(f"{name} {'are' if name == YOU else 'is'} all in.")

    def _did(self, event: Acted) -> str:
        """An action as a verb and a number: ``raise 5``. More than a call is a raise once a seat has put in chips."""
        match event.action:
            case "check":
                return "check"
            case "call":
                # The first player of a hand of dice pays more than anybody has put in, and so bets.
                bets = self._put[event.seat] + event.chips > max(self._put)
                return f"{'bet' if bets else 'call'} {event.chips}"
            case "bet" | "raise":
                owed = event.owed or 0
                return f"raise {event.chips - owed}" if any(self._put) else f"bet {event.chips}"
        return "fold"

    def _pieces(self, texts: Sequence[str]) -> tuple[Piece, ...]:
        return tuple([self._seat.read_piece(text) for text in texts])

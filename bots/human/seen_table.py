"""One hand as a person sees it: its events become the scene, the spot for chances, and lines for the history."""

from collections.abc import Iterator, Sequence

from bots.human.card_pictures import words
from bots.human.game_seat import GameSeat
from bots.human.narration import YOU, sentence, told, winners
from bots.human.odds import Spot
from bots.human.updates import PersonScene
from dealer.telling.hand_events import texts
from dealer.telling.phrases import action_phrase
from dealer.telling.scene import SeatScene, TableScene
from protocol.cards import Piece
from protocol.events import Acted, Dealt, StreetDealt
from protocol.games.base import Turn
from protocol.games.game import Game
from protocol.person_events import HandSeen
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
        self._deeds = [f"blind {blind}" if blind else "" for blind in dealt.blinds]
        self._owed: int | None = None  # while the person is asked
        self._table.seats[me].hole = dealt.holes[me] if dealt.holes else ()
        self._headline = ""

    @property
    def put(self) -> int | None:
        """Chips that the person has put in on this street; None if no seat has put in any."""
        seats = self._table.seats
        return seats[self.me].put if any(seat.put for seat in seats) else None

    def hear(self, event: StreetDealt | Acted) -> list[str]:
        """Take the next event; what it says in words."""
        lines = [*(self._street(event) if isinstance(event, StreetDealt) else self._acted(event))]
        self._table.hear(event)
        self._owed = None
        return lines

    def ask(self, turn: Turn) -> None:
        """Take a question to the person, which tells what it owes, and its own cards, hole cards first."""
        self._owed = turn.owed
        seat = self._table.seats[self.me]
        seat.hole = texts(turn.own[: len(turn.own) - len(seat.up)])

    def end(self, seen: HandSeen) -> list[str]:
        """Take the end of the hand; what it says in words."""
        seats = self._table.seats
        lines = []
        for seat, (shown, before) in enumerate(zip(seen.seats, seats, strict=True)):
            if (back := shown.stack - shown.won - self._stack(before)) > 0:
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
        self._table.over, self._table.pot, self._table.carried = True, seen.pot, seen.carried
        for before, shown in zip(seats, seen.seats, strict=True):
            before.turn, before.all_in, before.put = False, False, 0
            before.stack, before.won, before.worth = shown.stack, shown.won, shown.worth
            if shown.cards:
                before.hole = shown.cards[: len(shown.cards) - len(before.up)]
        return lines

    def scene(self) -> PersonScene:
        """The table as it is now."""
        table = self._table.copy()
        for number, seat in enumerate(table.seats):
            seat.player, seat.deed = number, self._deeds[number] if seat.live else "folded"
        names = tuple(self._names)
        return PersonScene(table, names, self.me, self._hand, self._game, self._seat, self._headline, self._level)

    def spot(self) -> Spot | None:
        """What the person's chances are counted from; None where they are not, as after a fold or the end of a hand."""
        seats, me = self._table.seats, self.me
        if not self._seat.counts_chances or not seats[me].live or not any(seat.turn for seat in seats):
            return None
        others = [seat for number, seat in enumerate(seats) if number != me]
        owed = max(seat.put for seat in seats) - seats[me].put
        if self._owed is not None:
            owed = self._owed  # less, where a call takes all chips
        reach = seats[me].put + owed
        beyond = sum(max(0, seat.put - reach) for seat in seats)
        return Spot(
            self._game,
            self._pieces([*seats[me].hole, *seats[me].up]),
            tuple([self._pieces(seat.up) for seat in others if seat.live]),
            tuple([card for seat in others if not seat.live for card in self._pieces(seat.up)]),
            self._table.pot - beyond,
            owed,
            self._pieces(self._table.board),
        )

    def _street(self, street: StreetDealt) -> Iterator[str]:
        """The beginning of a street in words; the first one is that of the hand."""
        if street.street == 1:
            yield f"Hand {self._hand}: {len(self._names)} players, {street.pot} chips in the pot."
            for name, blind in zip(self._names, self._dealt.blinds, strict=True):
                if blind:
                    yield told(name, f"post {blind}")
            return
        for up in street.seats:
            if (back := up.stack - self._stack(self._table.seats[up.seat])) > 0:
                yield self._got_back(up.seat, back)
            self._deeds[up.seat] = ""
        name, cards = self._game.street_name(street.street), ""
        if street.board:
            cards = f": {words(self._pieces(street.board))}"
        yield f"{name[0].upper()}{name[1:]}{cards}, {plural(street.pot, 'chip')} in the pot."

    def _stack(self, seat: SeatScene) -> int:
        assert seat.stack is not None, "events tell all stacks"
        return seat.stack

    def _got_back(self, seat: int, chips: int) -> str:
        return told(self._names[seat], f"get {chips} back, which nobody called")

    def _acted(self, event: Acted) -> Iterator[str]:
        """An action in words."""
        seat, name = event.seat, self._names[event.seat]
        self._deeds[seat] = did = self._did(event)
        if event.action == FORCED:
            yield sentence(f"{name} cannot pay what is owed, and is folded.")
        elif event.action == GIVEN_UP:
            yield sentence(f"{name} {action_phrase(event)}.") if name != YOU else "You are folded."
        else:
            yield told(name, did)
        if event.all_in and event.chips:
            yield sentence(f"{name} {'are' if name == YOU else 'is'} all in.")

    def _did(self, event: Acted) -> str:
        """An action as a verb and a number. More than a call is a raise once a seat has put in chips."""
        seats = self._table.seats
        put = seats[event.seat].put + event.chips
        match event.action:
            case "check":
                return "check"
            case "call":
                # The first player of a hand of dice pays more than anybody has put in, and so bets.
                bets = put > max(seat.put for seat in seats)
                return f"{'bet' if bets else 'call'} {event.chips}"
            case "bet" | "raise":
                return f"raise to {put}" if any(seat.put for seat in seats) else f"bet {event.chips}"
        return "fold"

    def _pieces(self, texts: Sequence[str]) -> tuple[Piece, ...]:
        return tuple([self._seat.read_piece(text) for text in texts])

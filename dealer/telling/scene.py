"""The scene of a table: what it looks like now, and what happened in words, as far as its events have been told."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from msgspec import structs

from dealer.audit.win_chances import WinChances
from dealer.telling.hand_events import texts
from dealer.telling.phrases import action_phrase, end_phrases
from dealer.telling.seen_hand import NOT_SHOWN, ChancesShown, SeenHand
from protocol.cards import SUIT_TEXT
from protocol.events import Acted, AtTable, Dealt, StreetDealt
from protocol.games.game import Game
from protocol.games.run_out import RunOut

#: Seconds for which each moment of a hand is shown that is shown again: the deal, each action, each street that was
#: dealt when nobody could act any more, and the end.
DEAL_SECONDS, ACTION_SECONDS, RUN_OUT_SECONDS, END_SECONDS = 1.0, 1.2, 1.5, 4.0

#: A hand that takes at least so many seconds is told action by action.
VISIBLE_SECONDS = 2.0

#: Actions after which a seat is out of the hand.
_OUT = frozenset({"fold", "given-up", "forced"})


class Line(NamedTuple):
    """A line about what happened.

    Attributes:
        player: the number of the player whom it is about; None if it is about the table.
        words: what happened.
        microseconds: until the player's reply; None where there was none.
    """

    player: int | None
    words: str
    microseconds: int | None = None


@dataclass(slots=True)
class SeatScene:
    """A seat of the hand.

    Attributes:
        player: the number of the player.
        stack: chips in front of it, without the pot; None where that is not told.
        hidden: how many of its cards lie face down.
        hole: those cards, where they are shown.
        up: the cards that lie face up; of a seat that has folded, those it had.
        live: whether it has not folded.
        turn: whether it must act now.
        put: chips that it has put in on this street.
        deed: what it did last on this street, in words.
        microseconds: until its last reply; None if there was none.
        won: chips that it collected at the end.
        why: with what.
        worth: of its cards at the end, in words, if they are known.
        button: whether it has the button.
        all_in: whether it is in with its last chip.
        chance: to win the main pot, when nobody can act any more (0 to 1).
    """

    player: int
    stack: int | None = 0
    hidden: int = 0
    hole: Sequence[str] = ()
    up: Sequence[str] = ()
    live: bool = True
    turn: bool = False
    put: int = 0
    deed: str = ""
    microseconds: int | None = None
    won: int = 0
    why: str = ""
    worth: str = ""
    button: bool = False
    all_in: bool = False
    chance: float | None = None

    def facts(self) -> dict[str, Any]:
        """The facts that are not empty, so that a message stays small."""
        facts = {
            "hidden": self.hidden, "hole": self.hole, "up": self.up, "live": self.live, "turn": self.turn,
            "last": self.deed, "micros": self.microseconds, "won": self.won, "why": self.why, "worth": self.worth,
            "button": self.button, "allIn": self.all_in,
        }  # fmt: skip
        told = {"player": self.player, "stack": self.stack, **{name: fact for name, fact in facts.items() if fact}}
        return told if self.chance is None else {**told, "chance": self.chance}


class TableScene:
    """A hand that is told event by event.

    Args:
        dealt: its first event.

    Attributes:
        seats: by seat.
        lines: about what happened since the deal.
        street: that was dealt last, from 1.
        pot: chips in the pot.
        board: the cards that belong to all seats.
        over: whether the end is shown.
        carried: chips that stay in the pot for the next hand.
        pots: main pot and side pots, as chips and the seats that can win them; empty where there is only one.
    """

    def __init__(self, dealt: Dealt) -> None:
        self.lines: list[Line] = []
        self.street = self.pot = self.carried = 0
        self.board: tuple[str, ...] = ()
        self.pots: tuple[tuple[int, tuple[int, ...]], ...] = ()
        self.over = self.shows_chances = False
        self._dealt = dealt
        self.seats = [
            SeatScene(player, stack, button=seat == dealt.button, put=blind, deed=f"posts {blind}" if blind else "")
            for seat, (player, stack, blind) in enumerate(zip(dealt.players, dealt.stacks, dealt.blinds, strict=True))
        ]

    def copy(self) -> "TableScene":
        """The same hand, which can be told another end."""
        other = TableScene(self._dealt)
        other.__dict__.update(self.__dict__)
        other.lines, other.seats = [*self.lines], [replace(seat) for seat in self.seats]
        return other

    def show_holes(self) -> None:
        """Show the hole cards of all seats, if they were told."""
        for seat, hole in zip(self.seats, self._dealt.holes or (), strict=False):
            seat.hole = hole

    def hear(self, event: AtTable) -> None:
        """Take the next event after the deal."""
        match event:
            case StreetDealt():
                self._hear_street(event)
            case Acted():
                self._hear_action(event)

    def show_chances(self, chances: ChancesShown) -> None:
        """Show the chances of seats when nobody can act any more."""
        for shown in chances.seats:
            self.seats[shown.seat].chance = shown.win

    def _hear_street(self, event: StreetDealt) -> None:
        first = not self.street
        self._show_street(event)
        for up in event.seats:
            seat = self.seats[up.seat]
            seat.deed = seat.deed if first else ""  # what it posted is there until it acts
        if not first:
            for seat in self.seats:
                seat.put = 0
            self.lines.append(Line(None, f"street {event.street} is dealt"))

    def _show_street(self, event: StreetDealt) -> None:
        self.street, self.pot, self.board, self.pots = event.street, event.pot, event.board, event.pots
        for up in event.seats:
            seat = self.seats[up.seat]
            seat.up, seat.hidden, seat.stack, seat.all_in = up.cards, up.hidden, up.stack, up.all_in
        self._give_turn(event.to_act)

    def _hear_action(self, event: Acted) -> None:
        seat, words = self.seats[event.seat], action_phrase(event)
        # "raises 5, puts in 15", "is folded: late" and "checks (asked to fold)": a seat has room for the first half
        seat.deed, seat.microseconds = re.split(r"[,:]| \(", words)[0], event.microseconds
        seat.stack, seat.put, seat.all_in = event.stack - event.chips, seat.put + event.chips, event.all_in
        seat.live = event.action not in _OUT
        self.pot, self.pots = event.pot + event.chips, event.pots
        self.lines.append(Line(seat.player, words, event.microseconds))
        self._give_turn(event.to_act)

    def _give_turn(self, to_act: int | None) -> None:
        for number, seat in enumerate(self.seats):
            seat.turn = number == to_act

    def run_out(self, street: RunOut, last: StreetDealt, chances: WinChances | None) -> None:
        """Show a street on which nobody could act any more.

        Args:
            street: that is shown.
            last: the last street of the hand, which has the chips of all of them.
            chances: of the seats on the street that is shown, if they are known.
        """
        self.shows_chances = True
        self._show_street(structs.replace(last, street=street.street, board=texts(street.board)))
        for number, seat in enumerate(self.seats):
            seat.deed = ""
            seat.chance = round(chances.wins[number], 3) if chances is not None and number in street.live else None

    def end(self, seen: SeenHand, told: bool) -> None:
        """Show the end of the hand at its seats.

        Args:
            seen: the hand with all cards that may be told.
            told: whether hole cards may be shown. Where not, neither is what they are worth nor why they won: in a
                duplicate tournament the same cards are dealt again.
        """
        self.over, self.pot, self.carried = True, seen.pot, seen.carried
        for shown, seat in zip(seen.seats, self.seats, strict=True):
            seat.stack, seat.all_in, seat.turn = shown.after, False, False
        for cards in seen.told if told else ():
            self.seats[cards.seat].worth = cards.worth
        showdown = sum(seat.live for seat in self.seats) > 1
        collected = [part if told or not showdown else replace(part, why=NOT_SHOWN) for part in seen.collected]
        for part in collected:
            self.seats[part.seat].won, self.seats[part.seat].why = part.chips, part.why
        for number, words in end_phrases(collected, seen.carried):
            self.lines.append(Line(None if number is None else self.seats[number].player, words))

    def facts(self) -> dict[str, Any]:
        """The table as JSON facts for a browser; players are called by their numbers."""
        end = {"carried": self.carried} if self.over else {}
        return {
            "hand": self._dealt.hand,
            "street": self.street,
            "pot": self.pot,
            "pots": [[chips, [self.seats[seat].player for seat in able]] for chips, able in self.pots],
            "board": list(self.board),
            "seats": [seat.facts() for seat in self.seats],
            "over": self.over,
            **({"allIn": True} if self.shows_chances else {}),
            **end,
        }


def suit_names(game: Game) -> dict[str, str]:
    """The names that a game has for suits, by the letter of each; empty where they have their usual names."""
    return {SUIT_TEXT[suit]: name for suit, name in game.suits.items()}

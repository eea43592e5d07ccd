"""A hand as the page tells it: its seats, and lines about what happened, as far as its events have been told."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from dealer.audit.win_chances import WinChances
from dealer.telling.phrases import action_phrase
from dealer.telling.seen_hand import NOT_SHOWN, SeenHand
from protocol.cards import Piece
from protocol.events import Acted, AtTable, StreetDealt
from protocol.games.base import Hand, PublicHand
from protocol.games.run_out import RunOut

#: A line about what happened: the number of the player or None, words, and microseconds until a reply or None.
Line = list[Any]


@dataclass(slots=True)
class _Place:
    """A seat of the hand, as far as its events have been told."""

    player: int
    stack: int = 0
    hidden: int = 0
    hole: Sequence[str] = ()
    up: Sequence[str] = ()
    live: bool = True
    turn: bool = False
    last: str = ""
    micros: int | None = None
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
            "last": self.last, "micros": self.micros, "won": self.won, "why": self.why, "worth": self.worth,
            "button": self.button, "allIn": self.all_in,
        }  # fmt: skip
        told = {"player": self.player, "stack": self.stack, **{name: fact for name, fact in facts.items() if fact}}
        return told if self.chance is None else {**told, "chance": self.chance}


class ToldHand:
    """A hand that is told event by event: ``hear`` what happened, ``stand`` as the chips are, then ask for ``facts``.

    Args:
        number: of the hand at its table, from 1.
        players: the numbers of the players, by seat.
        dealt: the hand before the first action.

    Attributes:
        lines: about what happened, one for each event but the first.
    """

    def __init__(self, number: int, players: Sequence[int], dealt: Hand) -> None:
        self.lines: list[Line] = []
        self._number = number
        self._dealt = dealt
        self._seats = [_Place(player) for player in players]
        self._begun = False

    def copy(self) -> "ToldHand":
        """The same hand, which can be told another end."""
        other = ToldHand(self._number, (), self._dealt)
        other.lines, other._begun = list(self.lines), self._begun
        other._seats = [replace(place) for place in self._seats]
        return other

    def show_holes(self) -> None:
        """Show the hole cards of all seats."""
        for seat, place in enumerate(self._seats):
            place.hole = texts(self._dealt.hole(seat))

    def hear(self, event: AtTable) -> None:
        """Take the next event; the first is the first street.

        Up cards are taken from the streets and not from ``public()``: of a seat that folded, the page shows those it
        had.
        """
        if isinstance(event, Acted):
            # "raises 5, puts in 15", "is folded: late" and "checks (asked to fold)": a seat has room for the first half
            place, words = self._seats[event.seat], action_phrase(event)
            place.last, place.micros = re.split(r"[,:]| \(", words)[0], event.microseconds
            self.lines.append([place.player, words, event.microseconds])
        elif isinstance(event, StreetDealt):
            self._hear_street(event)

    def _hear_street(self, event: StreetDealt) -> None:
        for seen in event.seats:
            self._seats[seen.seat].up = seen.cards
            self._seats[seen.seat].last = ""
        if self._begun:
            self.lines.append([None, f"street {event.street} is dealt", None])
        else:
            self._post()

    def _post(self) -> None:
        """Show what seats had to bet before their first choice."""
        self._begun = True
        for place, seat in zip(self._seats, self._dealt.public().seats, strict=True):
            if seat.put:
                place.last = f"posts {seat.put}"

    def stand(self, public: PublicHand) -> None:
        """Show chips, the button, and whose turn it is."""
        for number, (place, seat) in enumerate(zip(self._seats, public.seats, strict=True)):
            place.stack, place.hidden, place.live, place.all_in = seat.stack, seat.hidden, seat.live, seat.all_in
            place.turn, place.button = number == public.to_act, number == public.button

    def run_out(self, street: RunOut, chances: WinChances | None) -> dict[str, Any]:
        """Show a street on which nobody could act any more, with the chances of its seats if they are known.

        Returns:
            What it changes in the facts.
        """
        for seat, place in enumerate(self._seats):
            place.last = ""
            place.chance = round(chances.wins[seat], 3) if chances is not None and seat in street.live else None
        return {"over": False, "allIn": True, "street": street.street, "board": texts(street.board)}

    def end(self, seen: SeenHand, told: bool) -> dict[str, Any]:
        """Show the end of the hand at its seats.

        Args:
            seen: the hand with all cards that may be told.
            told: whether hole cards may be shown. Where not, neither is what they are worth nor why they won: in a
                duplicate tournament the same cards are dealt again.

        Returns:
            What it changes in the facts.
        """
        for shown, place in zip(seen.seats, self._seats, strict=True):
            place.stack, place.all_in = shown.after, False
        for cards in seen.told if told else ():
            self._seats[cards.seat].worth = cards.worth
        showdown = sum(place.live for place in self._seats) > 1
        for collected in seen.collected:
            place = self._seats[collected.seat]
            place.won = collected.chips
            place.why = collected.why if told or not showdown else NOT_SHOWN
            self.lines.append([place.player, f"collects {collected.chips}: {place.why}", None])
        if seen.carried:
            self.lines.append([None, f"a tie: {seen.carried} chips wait for the next hand", None])
        return {"over": True, "carried": seen.carried}

    def facts(self, public: PublicHand) -> dict[str, Any]:
        """The table as JSON facts for the page; players are called by their numbers."""
        return {
            "hand": self._number,
            "street": public.street,
            "pot": public.pot,
            "pots": [[chips, [self._seats[seat].player for seat in able]] for chips, able in public.side_pots()],
            "board": texts(public.board),
            "seats": [place.facts() for place in self._seats],
        }


def texts(cards: Sequence[Piece]) -> list[str]:
    """Cards as the page is told them."""
    return [card.text for card in cards]

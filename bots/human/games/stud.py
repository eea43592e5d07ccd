"""Three-card stud at the seat for a person."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from bots.human.game_seat import CoachPlan, GameSeat
from bots.human.odds import Cards, Chances, SideHalf, count_chances
from bots.human.updates import SeatView, Spot
from bots.human.wire_view import WireTable
from protocol.cards import Card, Suit
from protocol.games.game import Game
from protocol.games.ranks import of_a_kind, three_card_strength
from protocol.games.stud import SPADE, StudTurn

RULES = """\
One card in the hole, one up; bets; a second card up; bets.
A raise is 1 to 10 chips. Three of a kind beat a pair beats
high cards. Half the pot goes to the best cards, half to
the highest spade in the hole, if a player holds one."""

#: Cards of a seat at the end of a hand.
CARDS = 3


def in_words(_game: Game, cards: Sequence[Card]) -> str:
    """What two or three cards are worth."""
    return of_a_kind(card.rank for card in cards)


def highest_spade(seats: Sequence[Cards]) -> int | None:
    """The seat with the highest spade in the hole; None if there is no spade."""
    spades = [(cards[0], seat) for seat, cards in enumerate(seats) if cards[0].suit is Suit.SPADES]
    return max(spades)[1] if spades else None


def chances(spot: Spot, rng: Random) -> Chances:
    """The person's chances of both halves of the pot."""
    name, side = in_words(spot.game, spot.own), SideHalf(SPADE.removeprefix("the "), highest_spade)
    return count_chances(spot, rng, name=name, size=CARDS, strength=three_card_strength, side=side)


class StudWireTable(WireTable):
    """A hand of stud at a dealer's table.

    The dealer does not say who bet or folded. It shows the up cards of all seats that are still in, in seat order, so
    seats are told apart by their first up card, and a seat whose cards are missing has folded.
    """

    def _read(self, turn: StudTurn, first: bool) -> list[str]:
        known = {view.up[0]: seat for seat, view in enumerate(self._views)}
        if not {cards[0] for cards in turn.shown} <= known.keys():
            self._views = [SeatView(f"seat {seat}", hidden=1, up=cards) for seat, cards in enumerate(turn.shown)]
            known = {cards[0]: seat for seat, cards in enumerate(turn.shown)}
        self.me = known[turn.up[0]]
        gone = set(known.values())
        for cards in turn.shown:
            seat = known[cards[0]]
            gone.discard(seat)
            self._views[seat] = replace(self._views[seat], up=cards)
        self._seat_me(turn, (turn.hole,), turn.up)
        lines = [f"{self._views[seat].name} has folded." for seat in sorted(gone) if self._in(seat)]
        for seat in gone:
            self._fold(seat)
        return lines


COACH = CoachPlan("stud", lambda _seats: ("tight", "pair-or-fold", "caller"), 10_000)
SEAT = GameSeat(RULES, 3, CARDS, in_words, chances, StudWireTable, coach=COACH)

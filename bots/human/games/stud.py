"""Three-card stud at the seat for a person."""

from collections.abc import Sequence
from random import Random

from bots.human.game_seat import CoachPlan, GameSeat
from bots.human.odds import Cards, Chances, SideHalf, Spot, count_chances
from protocol.cards import Card, Suit
from protocol.games.game import Game
from protocol.games.ranks import of_a_kind, three_card_strength
from protocol.games.stud import SPADE

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


COACH = CoachPlan("stud", lambda _seats: ("tight", "pair-or-fold", "caller"), 10_000)
SEAT = GameSeat(RULES, 3, CARDS, in_words, chances, coach=COACH)

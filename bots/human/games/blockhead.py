"""Blockhead Poker at the seat for a person."""

from collections.abc import Sequence
from random import Random

from bots.human.game_seat import CoachPlan, GameSeat
from bots.human.odds import Chances, Spot, count_chances
from protocol.cards import Card
from protocol.games.blockhead import CARDS, BlockheadGame, cards_value
from protocol.games.poker_strength import poker_strength
from protocol.games.ranks import of_a_kind

RULES = """\
One card in the hole, two up; bets; a third; bets; a fourth;
bets. A raise is 1 to 10 chips, three raises a street.
Ace 1, faces 10: the largest sum of five cards wins. Equal
cards leave the pot for the next hand. Debts are allowed."""


def in_words(game: BlockheadGame, cards: Sequence[Card]) -> str:
    """What three to five cards are worth."""
    if game.ranks == "poker" and len(cards) < CARDS:
        return of_a_kind(card.rank for card in cards)  # straights and flushes need all five
    return game.describe(cards)


def chances(spot: Spot, rng: Random) -> Chances:
    """The person's chances."""
    strength = poker_strength if spot.game.facts["ranks"] == "poker" else cards_value
    return count_chances(spot, rng, name=SEAT.in_words(spot.game, spot.own), size=CARDS, strength=strength)


def company(seats: int) -> tuple[str, ...]:
    """The bots with which the coach plays hands to their end; ``balance`` is quick between two players only."""
    return ("balance", "tight") if seats == 2 else ("tight", "alpha")


SEAT = GameSeat(RULES, 1, CARDS, in_words, chances, coach=CoachPlan("balance", company))

"""Texas Hold'em at the seat for a person."""

from collections.abc import Sequence
from math import inf
from random import Random

from bots.human.game_seat import CoachPlan, GameSeat
from bots.human.odds import Chances, Spot, count_chances
from dealer.audit.decision_value.situation import Situation
from protocol.cards import Card
from protocol.games.holdem import HoldemGame, HoldemMatch
from protocol.games.holdem_hand import BOARD, STREETS
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.poker_strength import poker_strength
from protocol.games.ranks import of_a_kind

RULES = """\
Two cards in the hole; bets; three on the board; bets; a
fourth; bets; a fifth; bets. The best five of the seven win.
(D) has the button. No raise is less than the one before it,
except all in. Who is all in can still win what was matched."""

#: Hole cards of a seat.
HOLE = 2

#: Cards of the smallest hand that has a poker strength.
FIVE = 5


def in_words(game: HoldemGame, cards: Sequence[Card]) -> str:
    """What two to seven cards are worth."""
    return of_a_kind(card.rank for card in cards) if len(cards) < FIVE else game.describe(cards)


def chances(spot: Spot, rng: Random) -> Chances:
    """The person's chances."""
    name = SEAT.in_words(spot.game, (*spot.own, *spot.board))
    return count_chances(spot, rng, name=name, size=HOLE, strength=poker_strength, board=BOARD[STREETS])


def depth(situation: Situation) -> float:
    """The shorter stack of the person and the largest live opponent, before this street, in big blinds."""
    turn = situation.questions[-1]
    assert isinstance(turn, HoldemTurn)
    chips = [seat.stack + seat.put for seat in turn.seats]
    rivals = [chips[place] for place, seat in enumerate(turn.seats) if seat.state in ("live", "allin")]
    rivals.remove(chips[situation.seat])
    match = situation.match
    assert isinstance(match, HoldemMatch)
    return min(chips[situation.seat], max(rivals)) / match.blinds.big if match.blinds.big else inf


COACH = CoachPlan("holdem", lambda _seats: ("tight", "simple"), 4000, depth)
SEAT = GameSeat(RULES, 5, HOLE, in_words, chances, coach=COACH)

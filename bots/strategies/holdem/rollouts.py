"""Roll-outs: how often a seat wins when all cards it does not see are dealt by chance."""

from random import Random

from protocol.cards import DECK
from protocol.games.holdem_hand import BOARD, STREETS
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.poker_strength import card_bits, strength_of_bits

_BITS = {card: card_bits((card,)) for card in DECK}


def opponents(turn: HoldemTurn) -> int:
    """How many other seats have not folded."""
    return sum(seat.state in ("live", "allin") for seat in turn.seats) - 1


def win_rate(turn: HoldemTurn, rng: Random, rounds: int) -> float:
    """The share of the pot that the own cards win on average, against opponents with any cards; from 0 to 1."""
    known = (*turn.hole, *turn.board)
    unseen = [_BITS[card] for card in DECK if card not in known]
    own, board = card_bits(turn.hole), card_bits(turn.board)
    rivals, missing = opponents(turn), BOARD[STREETS] - len(turn.board)
    won = 0.0
    for _ in range(rounds):
        dealt = rng.sample(unseen, missing + 2 * rivals)
        common = board
        for bits in dealt[:missing]:
            common |= bits
        mine = strength_of_bits(own | common)
        sharing = 1
        for place in range(missing, len(dealt), 2):
            theirs = strength_of_bits(dealt[place] | dealt[place + 1] | common)
            if theirs > mine:
                sharing = 0
                break
            sharing += theirs == mine
        if sharing:
            won += 1 / sharing
    return won / rounds

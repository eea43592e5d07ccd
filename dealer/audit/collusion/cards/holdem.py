"""What hole cards of Texas Hold'em win, with the board so far."""

from collections.abc import Sequence
from functools import lru_cache

from dealer.audit.collusion.cards.sampling import Known, better, sampled
from protocol.cards import Card
from protocol.games.game import Game
from protocol.games.poker_strength import card_bits, strength_of_bits

#: Cards on a whole board, and cards in the hole.
BOARD, HOLE = 5, 2


def pot_share(game: Game, known: Known) -> float:
    """See ``PotShare``."""
    return _pot_share(known)


@lru_cache(1 << 14)
def _pot_share(known: Known) -> float:
    own, board = card_bits(known.own), card_bits(known.board)
    missing = BOARD - len(known.board)

    def won(drawn: Sequence[Card]) -> float:
        whole = board | card_bits(drawn[:missing])
        other = card_bits(known.hole or drawn[missing:])
        return better(strength_of_bits(own | whole), strength_of_bits(other | whole))

    return sampled(known, missing + (0 if known.hole else HOLE), won)

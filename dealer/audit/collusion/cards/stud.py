"""What cards of three-card stud win: half the pot for the best cards, half for the highest spade in the hole."""

from collections.abc import Sequence
from functools import lru_cache

from dealer.audit.collusion.cards.sampling import Known, better, sampled
from protocol.cards import Card, Suit
from protocol.games.game import Game
from protocol.games.ranks import three_card_strength

#: Cards of each player at the end.
CARDS = 3


def pot_share(game: Game, known: Known) -> float:
    """See ``PotShare``."""
    return _pot_share(known)


@lru_cache(1 << 14)
def _pot_share(known: Known) -> float:
    missing = CARDS - len(known.own)

    def won(drawn: Sequence[Card]) -> float:
        mine, rest = (*known.own, *drawn[:missing]), drawn[missing:]
        hole, last = (known.hole, rest) if known.hole else (rest[:1], rest[1:])
        best = better(three_card_strength(mine), three_card_strength((*hole, *known.up, *last)))
        spades = [card for card in (mine[0], *hole) if card.suit is Suit.SPADES]
        return (best + (max(spades) == mine[0])) / 2 if spades else best

    return sampled(known, missing + CARDS - len(known.up) - len(known.hole), won)

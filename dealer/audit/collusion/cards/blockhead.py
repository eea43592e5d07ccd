"""What cards of Blockhead Poker win, by the sum of their values or as poker hands."""

from collections.abc import Sequence
from functools import lru_cache

from dealer.audit.collusion.cards.sampling import Known, better, sampled
from protocol.cards import Card
from protocol.games.blockhead import CARDS, BlockheadGame, cards_value
from protocol.games.game import Game
from protocol.games.poker_strength import poker_strength


def pot_share(game: Game, known: Known) -> float:
    """See ``PotShare``."""
    assert isinstance(game, BlockheadGame)
    return _pot_share(known, game.ranks == "poker")


@lru_cache(1 << 14)
def _pot_share(known: Known, as_poker: bool) -> float:
    strength = poker_strength if as_poker else cards_value
    missing = CARDS - len(known.own)

    def won(drawn: Sequence[Card]) -> float:
        mine, other = (*known.own, *drawn[:missing]), (*known.hole, *known.up, *drawn[missing:])
        return better(strength(mine), strength(other))

    return sampled(known, missing + CARDS - len(known.up) - len(known.hole), won)

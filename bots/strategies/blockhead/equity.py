"""Bet by the expected share of the pot: for any number of opponents, and for real poker hands."""

from random import Random

from bots.strategies.moves import call, check_or_fold, raise_by
from protocol.cards import DECK
from protocol.games.base import Action
from protocol.games.blockhead import CARDS, MAX_RAISE, BlockheadTurn, cards_value
from protocol.games.poker_strength import poker_strength

#: How often the cards that nobody shows are dealt to find out.
DEALS = 60

#: Raise with so many times an equal share.
AHEAD = 1.3

#: Pay for so many times what is owed, because who bets has something.
CARE = 1.2


class Equity:
    """Raises 10 when it is well ahead, pays while the pot is worth it, else checks or folds. Chance deals the cards.

    Attributes:
        poker: whether real poker hands decide a showdown, not card values.
    """

    def __init__(self, rng: Random, poker: bool = False) -> None:
        self._rng = rng
        self.poker = poker

    def share(self, turn: BlockheadTurn) -> float:
        """The share of the pot to expect if everybody still in stays to the end."""
        known = [(turn.hole, *turn.up), *turn.others]
        seen = {card for cards in known for card in cards}
        unseen = [card for card in DECK if card not in seen]
        needs = [CARDS - len(cards) for cards in known]
        strength = poker_strength if self.poker else cards_value
        total = 0.0
        for _ in range(DEALS):
            dealt = iter(self._rng.sample(unseen, sum(needs)))
            strengths = [
                strength((*cards, *(next(dealt) for _ in range(need))))
                for cards, need in zip(known, needs, strict=True)
            ]
            best = max(strengths)
            if strengths[0] == best:
                total += 1 / strengths.count(best)
        return total / DEALS

    def answer(self, turn: BlockheadTurn) -> Action:
        share = self.share(turn)
        if share * (1 + len(turn.others)) > AHEAD:
            return raise_by(turn, MAX_RAISE)
        return call(turn) if share * (turn.pot + turn.owed) >= CARE * turn.owed else check_or_fold(turn)

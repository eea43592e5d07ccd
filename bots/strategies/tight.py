"""``tight``: raises with strong cards, calls small bets with fair ones, and folds the rest."""

from typing import ClassVar

from bots.strategies.moves import QuestionCount, call, check_or_fold, raise_by
from bots.strategies.pair_or_fold import has_pair
from protocol.cards import Rank, Suit
from protocol.games.base import Action
from protocol.games.blockhead import NAME as BLOCKHEAD
from protocol.games.blockhead import BlockheadTurn, card_value, cards_value
from protocol.games.stud import MAX_RAISE, StudTurn
from protocol.games.stud import NAME as STUD

#: Chips owed, at most, that fair cards are worth.
FAIR_PRICE = 10

#: About what a card of Blockhead is worth.
AVERAGE_HOLE = 6.5


class Tight(QuestionCount):
    """A pair, or a spade from the jack up in the hole: raises 10 twice a street, then calls.

    Another spade in the hole, or an own ace or king: calls up to 10. Anything else checks or folds.

    In Blockhead: more than 4 ahead of the best visible cards with an average card in the hole, raises 10; less than
    2 behind, calls. Anything else checks or folds.
    """

    games = (STUD, BLOCKHEAD)
    default_in: ClassVar = {STUD: 2}
    level = "medium"
    source = "a yardstick of the house: a table of starting cards and prices"

    def decide(self, turn: StudTurn | BlockheadTurn) -> Action:
        """Look at the own cards and the price."""
        if isinstance(turn, BlockheadTurn):
            return _by_value(turn)
        asked = self.ask(turn.street)
        spade = turn.hole.suit is Suit.SPADES
        if has_pair(turn) or (spade and turn.hole.rank >= Rank.JACK):
            return raise_by(turn, MAX_RAISE) if asked <= 2 else call(turn)
        high = max(turn.hole.rank, *(card.rank for card in turn.up)) >= Rank.KING
        if (spade or high) and turn.owed <= FAIR_PRICE:
            return call(turn)
        return check_or_fold(turn)


def _by_value(turn: BlockheadTurn) -> Action:
    margin = card_value(turn.hole) + cards_value(turn.up) - max(map(cards_value, turn.others)) - AVERAGE_HOLE
    if margin > 4:
        return raise_by(turn, MAX_RAISE)
    return call(turn) if margin > -2 else check_or_fold(turn)

"""``tight``: raises with strong cards, calls small bets with fair ones, and folds the rest."""

from typing import ClassVar

from bots.strategies.holdem.chart import chart_of
from bots.strategies.moves import QuestionCount, call, check_or_fold, raise_by
from bots.strategies.pair_or_fold import has_pair
from protocol.cards import Rank, Suit
from protocol.games.base import Action
from protocol.games.blockhead import NAME as BLOCKHEAD
from protocol.games.blockhead import BlockheadTurn, card_value, cards_value
from protocol.games.holdem import NAME as HOLDEM
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.stud import MAX_RAISE, StudTurn
from protocol.games.stud import NAME as STUD

#: Chips owed, at most, that fair cards are worth.
FAIR_PRICE = 10
#: In hold'em, one part in so many of the pot is what fair cards call at most.
FAIR_SHARE = 3

#: About what a card of Blockhead is worth.
AVERAGE_HOLE = 6.5


class Tight(QuestionCount):
    """A pair, or a spade from the jack up in the hole: raises 10 twice a street, then calls.

    Another spade in the hole, or an own ace or king: calls up to 10. Anything else checks or folds.

    In Blockhead: more than 4 ahead of the best visible cards with an average card in the hole, raises 10; less than
    2 behind, calls. Anything else checks or folds.

    In hold'em: strong cards of the chart raise by the pot twice a street, then call; fair ones call up to a third of
    the pot. Anything else checks or folds.
    """

    games = (STUD, BLOCKHEAD, HOLDEM)
    default_in: ClassVar = {STUD: 2, HOLDEM: 5}
    level = "medium"
    source = "a yardstick of the house: a chart of starting cards and prices; in hold'em groups of Sklansky and Malmuth"

    def decide(self, turn: StudTurn | BlockheadTurn | HoldemTurn) -> Action:
        """Look at the own cards and the price."""
        if isinstance(turn, HoldemTurn):
            return self._by_chart(turn)
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

    def _by_chart(self, turn: HoldemTurn) -> Action:
        asked = self.ask(turn.street)
        strength = chart_of(turn.hole, turn.board)
        if strength == "strong":
            return raise_by(turn, turn.pot + turn.owed) if asked <= 2 else call(turn)
        return call(turn) if strength == "fair" and turn.owed <= turn.pot / FAIR_SHARE else check_or_fold(turn)


def _by_value(turn: BlockheadTurn) -> Action:
    margin = card_value(turn.hole) + cards_value(turn.up) - max(map(cards_value, turn.others)) - AVERAGE_HOLE
    if margin > 4:
        return raise_by(turn, MAX_RAISE)
    return call(turn) if margin > -2 else check_or_fold(turn)

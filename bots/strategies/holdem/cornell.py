"""``cornell``: the opponent of Cornell Hold'em, which is hard to read because its bets hardly tell how strong it is.

"The key idea behind the AI is to confuse the user." Its authors' report names no percentages, so those here are ours.
"""

from typing import ClassVar

from bots.strategies.holdem.chart import starting_hand_group
from bots.strategies.holdem.rollouts import win_rate
from bots.strategies.moves import call, check_or_fold, raise_by
from bots.strategy import Level, Simple
from protocol.games.base import Action
from protocol.games.holdem import NAME as HOLDEM
from protocol.games.holdem_turn import HoldemTurn

#: A bet of at least this part of the own stack is large, and of at most the other one small.
LARGE, SMALL = 0.2, 0.04
#: How often a large bet is called, with any cards: "call with a high degree of probability as it is likely they are
#: bluffing".
CALLS_LARGE = 0.7
#: How often bad, fair and good cards bet before the flop: it "may even bet if they perceive their hand to have a very
#: high scoring potential"; and later: "bet in random probability regions based on how good their hand is".
BETS_FIRST, BETS_LATER = (0.0, 0.3, 0.8), (0.25, 0.5, 0.75)
#: How often they raise a medium bet ("decide whether to call or raise"), and how often bad ones call it, which "fold in
#: many cases".
RAISES, BAD_CALLS = (0.0, 0.25, 0.75), 0.25
#: Bets, in parts of the own stack: "the betting ranges are quite close together".
GOOD_BET, FAIR_BET = (0.03, 0.10), (0.02, 0.08)
#: Win rates against one opponent, from which cards are good or fair.
GOOD, FAIR = 0.65, 0.45
#: Opening groups up to which cards are good or fair: "mostly pairs and suited high cards".
GOOD_GROUP, FAIR_GROUP = 3, 6
ROUNDS = 100


class Cornell(Simple):
    """``cornell``: calls small bets always and large ones often, and looks at its cards for those between.

    "If no bets have been placed", it bets a random size: often when its cards are good, and after the flop now and then
    when they are bad.
    """

    games = (HOLDEM,)
    default_in: ClassVar = {HOLDEM: 10}
    level: ClassVar[Level] = "medium"
    source = "Cornell Hold'em: the opponent's decide, of medium difficulty"

    def decide(self, turn: HoldemTurn) -> Action:
        """Bet, or divide up the bet that was made by its size."""
        quality = self._quality(turn)
        if not turn.owed:
            return self._bet(turn, quality)
        part = turn.owed / (turn.stack or 1)
        if part <= SMALL:
            return call(turn)
        if part >= LARGE:
            return self._answer_large(turn, quality)
        return self._answer_medium(turn, quality)

    def _quality(self, turn: HoldemTurn) -> int:
        """2 for good cards, 1 for fair ones, 0 for bad ones."""
        if not turn.board:
            group = starting_hand_group(*turn.hole)
            return (group <= FAIR_GROUP) + (group <= GOOD_GROUP)
        rate = win_rate(turn, self.rng, ROUNDS)
        return (rate > FAIR) + (rate > GOOD)

    def _bet(self, turn: HoldemTurn, quality: int) -> Action:
        often = (BETS_LATER if turn.board else BETS_FIRST)[quality]
        return self._random_raise(turn, quality) if self.rng.random() < often else call(turn)

    def _random_raise(self, turn: HoldemTurn, quality: int) -> Action:
        low, high = GOOD_BET if quality == 2 else FAIR_BET
        return raise_by(turn, int(turn.stack * self.rng.uniform(low, high)))

    def _answer_large(self, turn: HoldemTurn, quality: int) -> Action:
        return call(turn) if self.rng.random() < CALLS_LARGE else check_or_fold(turn)

    def _answer_medium(self, turn: HoldemTurn, quality: int) -> Action:
        if self.rng.random() < RAISES[quality]:
            return self._random_raise(turn, quality)
        return call(turn) if quality or self.rng.random() < BAD_CALLS else check_or_fold(turn)


class CornellEasy(Cornell):
    """``cornell-easy``: never raises a bet, and calls large ones with any cards as often as not."""

    default_in: ClassVar = {}
    level = "easy"
    source = "Cornell Hold'em: the easy level that its authors wanted"

    def _answer_large(self, turn: HoldemTurn, quality: int) -> Action:
        return call(turn) if self.rng.random() < 0.5 else check_or_fold(turn)

    def _answer_medium(self, turn: HoldemTurn, quality: int) -> Action:
        return call(turn)


class CornellHard(Cornell):
    """``cornell-hard``: pays for a bet what its win rate is worth, "smarter when it comes to later betting stages"."""

    default_in: ClassVar = {}
    level = "hard"
    source = "Cornell Hold'em: the hard level that its authors wanted"

    def _answer_large(self, turn: HoldemTurn, quality: int) -> Action:
        return self._by_price(turn, quality)

    def _answer_medium(self, turn: HoldemTurn, quality: int) -> Action:
        return self._by_price(turn, quality)

    def _by_price(self, turn: HoldemTurn, quality: int) -> Action:
        rate = win_rate(turn, self.rng, ROUNDS)
        if rate > GOOD and turn.board and self.rng.random() < RAISES[2]:
            return self._random_raise(turn, quality)
        return call(turn) if rate > turn.owed / (turn.pot + turn.owed) else check_or_fold(turn)

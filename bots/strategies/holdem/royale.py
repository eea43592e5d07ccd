"""The players of Casino Royale: ``simple`` (rules), ``rollout`` (its win rate) and ``sklansky`` (a table, then that).

Their rules stand in the order of their source, with its percentages, odd ones included. Every raise is 25 chips, or as
near to that as the game allows.
"""

from collections import Counter
from random import Random
from typing import ClassVar

from bots.strategies.holdem.chart import starting_hand_group
from bots.strategies.holdem.rollouts import win_rate
from bots.strategies.moves import call, check_or_fold, raise_by
from bots.strategy import Simple
from protocol.cards import Card, Rank
from protocol.games.base import Action
from protocol.games.holdem import NAME as HOLDEM
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.poker_strength import PAIR, THREE, TWO_PAIR, poker_strength

#: Chips of every raise: "høyner vi med 25$".
RAISE = 25
#: How often the cards are dealt for a win rate.
ROUNDS = 200
MOST_GUTS = 10
#: How often the most guts raise. The source says only "en viss sannsynlighet, avhengig av gutsvariabel": a certain
#: probability, which depends on the guts.
BOLDEST = 0.5

#: The power index of high cards in the source; a pair has 2, two pair 3 and so on.
ONLY_HIGH_CARDS = 1


def power_index(cards: tuple[Card, ...]) -> int:
    """The category of any number of cards, from 1 for high cards; straights and flushes need five."""
    if len(cards) >= 5:
        return (poker_strength(cards) >> 40) + 1
    counts = sorted(Counter(card.rank for card in cards).values(), reverse=True)
    if counts[:2] == [2, 2]:
        return TWO_PAIR + 1
    return {1: ONLY_HIGH_CARDS, 2: PAIR + 1, 3: THREE + 1, 4: 8}[counts[0]] if counts else 0


class SimpleBetting(Simple):
    """``simple``: the "simple-betting" of Casino Royale."""

    games = (HOLDEM,)
    default_in: ClassVar = {HOLDEM: 7}
    level = "easy"
    source = 'Casino Royale: "simple-betting", rules over the power index of the cards'

    def decide(self, turn: HoldemTurn) -> Action:
        """Go through the rules in order; each percentage is a throw of its own."""
        return self._open(turn) if not turn.board else self._with_board(turn)

    def _open(self, turn: HoldemTurn) -> Action:
        if power_index(turn.hole) > ONLY_HIGH_CARDS:
            return raise_by(turn, RAISE)
        if max(card.rank for card in turn.hole) > Rank.NINE:
            return call(turn)
        if self.rng.random() < 0.25:
            return raise_by(turn, RAISE)
        if self.rng.random() < 0.33:
            return call(turn)
        return check_or_fold(turn)

    def _with_board(self, turn: HoldemTurn) -> Action:
        power = power_index((*turn.hole, *turn.board))
        shared = power == power_index(turn.board)  # what everybody else has too
        if power == ONLY_HIGH_CARDS or (shared and self.rng.random() < 0.5):
            return check_or_fold(turn)
        if power > 3:
            return raise_by(turn, RAISE)
        if power == 3 or self.rng.random() < 0.75:
            return call(turn)
        return raise_by(turn, RAISE) if self.rng.random() < 0.66 else check_or_fold(turn)


class RollOut(Simple):
    """``rollout-1`` to ``rollout-10``: bets by the win rate of roll-outs; ``guts`` makes it bolder."""

    games = (HOLDEM,)
    level = "medium"
    source = 'Casino Royale: "roll-out betting", with guts from 1 to 10'
    guts: ClassVar[int]

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._bold = BOLDEST * self.guts / MOST_GUTS

    def decide(self, turn: HoldemTurn) -> Action:
        """Go through the rules in order, with the win rate of the own cards."""
        rate = win_rate(turn, self.rng, ROUNDS)
        if rate > 0.3 and self.rng.random() < self._bold:
            return raise_by(turn, RAISE)
        if rate > 0.1 and not turn.board and self.rng.random() < self._bold:
            return raise_by(turn, RAISE)
        if rate > 0.4:
            return raise_by(turn, RAISE)
        return call(turn) if rate > 0.3 else check_or_fold(turn)


class Sklansky(RollOut):
    """``sklansky``: the table of opening hands before the flop, roll-outs after it."""

    default_in: ClassVar = {HOLDEM: 8}
    source = 'Casino Royale: "roll-out betting with a table for opening hands", of Sklansky and Malmuth'
    guts = 5

    def decide(self, turn: HoldemTurn) -> Action:
        """ "1-3 raise, 4-6 call, 7-9 fold", then by roll-outs."""
        if turn.board:
            return super().decide(turn)
        group = starting_hand_group(*turn.hole)
        if group <= 3:
            return raise_by(turn, RAISE)
        return call(turn) if group <= 6 else check_or_fold(turn)


def _with_guts(guts: int) -> type[RollOut]:
    places = {HOLDEM: 9} if guts == MOST_GUTS // 2 else {}
    return type(f"RollOut{guts}", (RollOut,), {"guts": guts, "default_in": places, "__doc__": RollOut.__doc__})


#: The entry points ``rollout-1`` to ``rollout-10``.
RollOut1, RollOut2, RollOut3, RollOut4, RollOut5, RollOut6, RollOut7, RollOut8, RollOut9, RollOut10 = (
    _with_guts(guts) for guts in range(1, MOST_GUTS + 1)
)

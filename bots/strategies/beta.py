"""``beta``: plays the best reply to Alpha until the opponent contradicts Alpha's rules, then a near-equilibrium.

While the opponent could be Alpha: ``Reading`` keeps the hole values that explain its bets, ``Reply`` walks the rest
of the street against them. Two aims: win the game (a small lead late is enough, so play small then), or chips.
After a contradiction: ``BalanceTables``, the near-equilibrium. It knows its turns and the results of hands only.
"""

from random import Random
from typing import ClassVar

from bots.strategies.blockhead.action_memory import Memory
from bots.strategies.blockhead.aims import Aim, Aims
from bots.strategies.blockhead.alpha_reading import Continuations, Reading, Reply
from bots.strategies.blockhead.blockhead_bot import HeadsUpPlayer
from bots.strategies.blockhead.near_equilibrium import BalanceTables
from bots.strategies.blockhead.turn_numbers import FOLD, Sight
from protocol.games.base import FOLD as FOLDED
from protocol.games.base import Action, Bet, Status
from protocol.games.blockhead import BUY_IN, NAME, BlockheadTurn

#: Moves this close to the best are as good: one is drawn by lot, so that beta is hard to read.
SLACK: dict[Aim, float] = {"games": 0.0003, "chips": 0.05}


class Beta(HeadsUpPlayer):
    """One opponent, any number of games in a row; what it found out about the opponent is kept between them.

    It knows how much a lead is worth with up to 20 hands left; a longer game is played as if 20 were left until they
    are. Other stacks change nothing. With more than two players, or real poker hands, it plays by ``Equity``.

    Attributes:
        aim: what it wants: to win games, or chips.
        trusts: whether the opponent could still be Alpha.
    """

    aim: ClassVar[Aim] = "games"
    default_in: ClassVar = {NAME: 2}
    level = "hard"
    source = "the house: the best reply to Alpha's rules; a near-equilibrium solved by bots/train"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._slack = SLACK[self.aim]
        self._aims = Aims(self.aim)
        self._reading = Reading()
        self._memory = Memory(self._reading)
        self._balance = BalanceTables(rng)
        self._ends = Continuations()
        self._lead = 0
        self.trusts = True

    def hand_over(self, status: Status) -> None:
        """Count the hand; does what was shown contradict Alpha?"""
        self._played += 1
        if not self._memory.in_hand:
            return
        shown = self._memory.over(status)
        if shown is not None:
            self._reading.showed(shown)
        self.trusts = self.trusts and bool(self._reading.holes)
        self._learn(shown)

    def _heads_up(self, turn: BlockheadTurn) -> Action:
        sight = Sight.of(turn)
        begins = not self._memory.in_hand
        self._memory.turn(sight)
        if begins:
            self._begin_hand(sight)
        weights = sight.unseen(self._reading.holes)
        self.trusts = self.trusts and any(weights)
        move = self._move(sight, weights)
        self._memory.moved(sight, move)
        return FOLDED if move == FOLD else Bet(turn.owed + move)

    def _begin_hand(self, sight: Sight) -> None:
        # Half of a carried pot counts as ours.
        self._lead = sight.stack + BUY_IN + self._memory.before.carry // 2 - self._stack

    def _move(self, sight: Sight, weights: list[int]) -> int:
        """A move, where the opponent holds one of ``weights`` if it is Alpha."""
        return self._reply(sight, weights) if self.trusts else self._stranger(sight)

    def _reply(self, sight: Sight, weights: list[int]) -> int:
        """A move within the slack of the best reply to Alpha."""
        style, worth = self._aims.style(self._left, self._lead), self._aims.worth(self._left, self._stack)
        values = Reply(sight, weights, style, worth, self._ends).values()
        enough = max(values.values()) - self._slack
        # Playing the single best move every time would reveal the hole card to an opponent that watches.
        return self.rng.choice([move for move, value in values.items() if value >= enough])

    def _learn(self, shown: int | None) -> None:
        """Beta learns nothing more from a hand; ``shown`` is the value of the opponent's hole card, if it was shown."""

    def _stranger(self, sight: Sight) -> int:
        """A move against an opponent that is not Alpha."""
        return self._balance.move(sight, self._memory.before)


class BetaChips(Beta):
    """Beta that wants chips, however the games end."""

    aim = "chips"
    default_in: ClassVar = {}
    source = "the house: as beta, with chips for its aim"

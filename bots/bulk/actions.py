"""What the players of a bulk tournament of dice did, and what that cost them in comparison with their usual play."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.bulk.played import Played

#: Parts of a tournament in which actions are counted apart: its first half and its second.
HALVES = 2

#: Deals that a player's usual play counts for, where its play against one opponent is estimated.
_PRIOR = 6.0

#: Places in ``ActionCounts`` of ``cpp/page.h``.
_FIRST_FOLDS, _FIRST_BETS, _SECOND_FOLDS, _SECOND_CALLS = range(4)

_B = np.arange(3, 19)
_DICE = np.arange(1, 7)

#: By B, own die and the other one: chips won at a showdown.
_SHOWDOWN = _B[:, None, None] * np.sign(_DICE[:, None] - _DICE[None, :])

_Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SecondHalf:
    """What all players did in the second half of one tournament or of several, by player, opponent, role, B and die.

    Roles are 0 for the first player and 1 for the second one, who only decides if the first one bets.

    Attributes:
        bets: how often the player bet or called.
        decisions: how often it had to decide.
    """

    bets: _Numbers
    decisions: _Numbers

    @classmethod
    def of(cls, played: Played, players: int) -> "SecondHalf":
        """The actions of a tournament in which they were counted in ``HALVES`` parts."""
        shape = (HALVES, players, players, 4, len(_B), len(_DICE))
        counts = np.frombuffer(played.actions, np.uint32).reshape(shape)[-1].astype(float)
        as_second = np.swapaxes(counts, 0, 1)  # the player who decides comes before its opponent
        bets = (counts[:, :, _FIRST_BETS], as_second[:, :, _SECOND_CALLS])
        folds = (counts[:, :, _FIRST_FOLDS], as_second[:, :, _SECOND_FOLDS])
        stacked = np.stack(bets, 2)
        return cls(stacked, stacked + np.stack(folds, 2))

    def deals(self) -> _Numbers:
        """Deals of each player with each opponent."""
        as_first: _Numbers = self.decisions[:, :, 0].sum((-2, -1))
        return as_first + as_first.T

    def harm(self) -> _Numbers:
        """Chips a deal that each player loses to each opponent by not playing as it usually does; negative for a gain.

        Usual is what the player does against all others, with the same B, die and role. The value of a bet follows from
        what this opponent does with each of its dice, which are all equally likely. Zero without deals.
        """
        usual = self._usual()
        value = self._value_of_bets(usual)
        missing: _Numbers = ((self.decisions * usual - self.bets) * value).sum((2, 3, 4))
        return missing / np.maximum(self.deals(), 1)

    def _usual(self) -> _Numbers:
        """How often a player bets against all but one opponent; where it hardly ever decided, as with other dice."""
        bets, decisions = (all_of.sum(1, keepdims=True) - all_of for all_of in (self.bets, self.decisions))
        average = (bets.sum(-2, keepdims=True) + 0.5) / (decisions.sum(-2, keepdims=True) + 1)
        return _numbers((bets + average) / (decisions + 1))

    def _value_of_bets(self, usual: _Numbers) -> _Numbers:
        """Chips that a bet wins more than a fold, by player, opponent, role, B and die."""
        plays = (self.bets + _PRIOR * usual) / (self.decisions + _PRIOR)
        by_opponent = np.swapaxes(plays, 0, 1)
        calls, bets = by_opponent[:, :, 1], by_opponent[:, :, 0]
        shown = np.einsum("gobe,bde->gobd", calls, _SHOWDOWN) / len(_DICE)
        stolen = 2 * (1 - calls.mean(-1, keepdims=True))
        called = np.einsum("gobe,bde->gobd", bets, _SHOWDOWN) / np.maximum(bets.sum(-1, keepdims=True), 1e-9)
        return np.stack([shown + stolen + 1, called + 2], 2)


def _numbers(values: Any) -> _Numbers:
    return np.asarray(values, np.float64)

"""``dice-adaptive``: learns how each opponent answers bets and with which dice it bets, and plays the best response.

For each opponent, role and B it counts what a bet of its own has led to: a fold, or a showdown with each die. Its own
die has no influence on the opponent's, so the counts are a fair sample, whatever it held itself. With a six a bet
never wins less than a fold, so it always bets a six, and the sample grows against everybody.

A decision compares a bet with a fold over a sample of three parts: these counts; those with a B close by, which weigh
less and count ``NEIGHBOURS`` times at most; and among the latter ``PRIOR`` deals against the equilibrium player, so
that the model is that player's while nothing is known. Unless the difference is larger than ``DOUBT`` standard
errors, the equilibrium decides. All memory is in two flat arrays of integers, and every call takes the same time.
"""

from array import array
from random import Random
from typing import ClassVar

from bots.strategies.dice.equilibrium import flat_table, place
from bots.strategies.dice.plan import sign
from bots.strategies.dice.samples import OPPONENTS
from bots.strategy import Level, Simple
from protocol.dice import SIDES
from protocol.games.base import FOLD, Action, Bet
from protocol.games.dice import BET_SIZES, BLINDS, NAME, DiceStatus, DiceTurn

#: What a bet leads to: a fold, or a showdown with a die of 1 to 6.
OUTCOMES = 1 + SIDES

#: How often the equilibrium player counts as met with a B close by.
PRIOR = 2.0

#: How many deals the counts with other B stand for, at most.
NEIGHBOURS = 100.0

#: Standard errors by which one answer must be better, to be played against the equilibrium.
DOUBT = 0.2

#: What a deal weighs for a B that is 1, 2, 3 or 4 away, in parts of ``WHOLE``: about 0.4 to the power of the distance.
WEIGHTS = (0, 51, 20, 8, 3)
WHOLE = 128

_BETS = len(BET_SIZES)


class DiceAdaptive(Simple):
    """An exploiter with a model of each opponent, which takes 2.8 MB for 1024 of them."""

    games: ClassVar = (NAME,)
    default_in: ClassVar = {NAME: 1}
    level: ClassVar[Level] = "hard"
    source: ClassVar = "the house's best of dice: counts what each opponent does; an equilibrium while that is little"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._equilibrium = flat_table()
        self._prior = _prior(self._equilibrium)
        # both [((opponent 2 + role) 16 + B - 3) 7 + outcome]
        self._counts = array("i", bytes(4 * OPPONENTS * 2 * _BETS * OUTCOMES))
        self._near = array("q", bytes(8 * OPPONENTS * 2 * _BETS * OUTCOMES))
        self._opponent = 0
        self._second = 0
        self._bet = BET_SIZES[0]

    def decide(self, turn: DiceTurn) -> Action:
        """Bet or fold by what is known of the opponent."""
        self._opponent = turn.opponent % OPPONENTS
        self._second = turn.second
        self._bet = turn.bet
        chance = self.chance(turn.bet, turn.second, turn.die, turn.opponent)
        return Bet(turn.owed) if self.rng.random() < chance else FOLD

    def chance(self, bet: int, second: int, die: int, opponent: int) -> float:
        """How often to bet: 0 or 1 where the sample says what is better, else as the equilibrium."""
        row = _row(opponent % OPPONENTS, second, bet)
        prior = _row(0, second, bet)
        near = PRIOR * WHOLE
        for outcome in range(OUTCOMES):
            near += self._near[row + outcome]
        share = min(1.0 / WHOLE, NEIGHBOURS / near)
        size, total, squares = 0.0, 0.0, 0.0
        for outcome in range(OUTCOMES):
            gain = BLINDS[second] + (bet * sign(die, outcome) if outcome else BLINDS[1])
            times = self._counts[row + outcome] + share * (self._near[row + outcome] + self._prior[prior + outcome])
            size += times
            total += times * gain
            squares += times * gain * gain
        if total * total <= DOUBT * DOUBT * (squares - total * total / size):
            return self._equilibrium[place(bet, second, die)]
        return 1.0 if total > 0 else 0.0

    def hand_over(self, status: DiceStatus) -> None:
        """Count what the last bet has led to; nothing if the first player has folded, since then nothing was asked."""
        if status.second and not status.showdown:
            return
        self._counts[_row(self._opponent, self._second, self._bet) + status.die] += 1
        for distance in range(1, len(WEIGHTS)):
            for bet in (self._bet - distance, self._bet + distance):
                if bet in BET_SIZES:
                    self._near[_row(self._opponent, self._second, bet) + status.die] += WEIGHTS[distance]


def _row(opponent: int, second: int, bet: int) -> int:
    return ((opponent * 2 + second) * _BETS + bet - BET_SIZES[0]) * OUTCOMES


def _prior(equilibrium: list[float]) -> list[float]:
    """What bets lead to against the equilibrium player, in parts of ``WHOLE``: ``[(role 16 + B - 3) 7 + outcome]``."""
    prior: list[float] = []
    for second in (0, 1):
        for bet in BET_SIZES:
            # a first player's bet is answered by the second player; a second player answers a bet of the first
            stays = [equilibrium[place(bet, 1 - second, die)] for die in range(1, SIDES + 1)]
            folds = 0.0 if second else SIDES - sum(stays)
            size = folds + sum(stays)
            prior += [PRIOR * WHOLE * part / size for part in (folds, *stays)]
    return prior

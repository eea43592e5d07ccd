"""``dice-equilibrium``: bets as often as an exact equilibrium does, with every B, role and die."""

from random import Random
from typing import ClassVar

from bots.strategies.dice.plan import equilibrium
from bots.strategy import Level, Simple
from protocol.dice import SIDES
from protocol.games.base import FOLD, Action, Bet
from protocol.games.dice import BET_SIZES, NAME, DiceTurn

_ROLES = 2
_RAND_BITS = 31


def flat_table() -> list[float]:
    """How often the equilibrium bets: ``[(2 (B - 3) + role) 6 + die - 1]``."""
    plans = equilibrium()
    return [float(chance) for bet in BET_SIZES for bets in plans[bet] for chance in bets]


def place(bet: int, second: int, die: int) -> int:
    """Where ``flat_table`` has a decision."""
    return (_ROLES * (bet - BET_SIZES[0]) + second) * SIDES + die - 1


def draw(rng: Random, chance: float) -> bool:
    """Whether something happens that happens so often, by a number of as many bits as ``rand()`` has in C."""
    return rng.getrandbits(_RAND_BITS) < chance * (1 << _RAND_BITS)


class DiceEquilibrium(Simple):
    """Nobody wins more from it than the game is worth; it does not try to win more from weak players either."""

    games: ClassVar = (NAME,)
    default_in: ClassVar = {NAME: 2}
    level: ClassVar[Level] = "hard"
    source: ClassVar = "an exact equilibrium of the house: a linear program for each B"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._table = flat_table()

    def decide(self, turn: DiceTurn) -> Action:
        """Draw by the table."""
        chance = self._table[place(turn.bet, turn.second, turn.die)]
        return Bet(turn.owed) if draw(self.rng, chance) else FOLD

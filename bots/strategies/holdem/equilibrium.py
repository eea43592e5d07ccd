"""``equilibrium``: fixed-limit hold'em between two players from a table that self-play made, and a solved river."""

from random import Random
from typing import ClassVar

from bots.strategies.holdem.equity import Equity
from bots.strategies.holdem.limit_player import LimitPlayer
from bots.strategy import Level, Simple
from protocol.games.base import Action, Status
from protocol.games.holdem import NAME as HOLDEM
from protocol.games.holdem_turn import HoldemTurn
from protocol.wire.messages import GameInfo


class Equilibrium(Simple):
    """Plays the table, and the river that it solves, against every opponent alike.

    It needs numba, which compiles at its first start. In other games of hold'em, and without numba, it plays as
    ``equity``.
    """

    games = (HOLDEM,)
    level: ClassVar[Level] = "hard"
    source = "a near-equilibrium of the house: Monte Carlo CFR over buckets of cards, and the river by CFR+"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._other = Equity(rng)
        try:
            self._limit: LimitPlayer | None = LimitPlayer(rng)
        except ImportError:  # the base install has no numba
            self._limit = None
        self._fits = False

    def game_begins(self, info: GameInfo) -> None:
        """See whether this is the game of the table."""
        super().game_begins(info)
        agreed = dict(info.facts)
        limited = agreed["betting"] == "fixed-limit" and agreed["loops"] == "0" and agreed["straddle"] == "0"
        self._fits = limited and agreed["players"] == "2" and agreed["big_blind"] != "0"

    def decide(self, turn: HoldemTurn) -> Action:
        """Draw a move by the table."""
        return self._limit.decide(turn) if self._fits and self._limit else self._other.decide(turn)

    def hand_over(self, status: Status) -> None:
        """The next turn belongs to a new hand."""
        if self._limit:
            self._limit.hand_over(status)

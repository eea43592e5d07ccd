"""``equity``: raises and calls by its equity against random cards, as a good student writes it."""

from typing import ClassVar

from bots.strategies.holdem.rollouts import opponents, win_rate
from bots.strategies.moves import call, check_or_fold, raise_by
from bots.strategy import Simple
from protocol.games.base import Action
from protocol.games.holdem import NAME as HOLDEM
from protocol.games.holdem_turn import HoldemTurn

ROUNDS = 200
#: Raise from this many times an equal share of the pot, ...
RAISES = 1.25
#: ... and call when the equity is this much above the price.
MARGIN = 0.05


class Equity(Simple):
    """A yardstick of hold'em: no memory, no bluffs, no reading of bets."""

    games = (HOLDEM,)
    default_in: ClassVar = {HOLDEM: 2}
    level = "hard"
    source = "a yardstick of the house: equity against random cards, and the price of the pot"

    def decide(self, turn: HoldemTurn) -> Action:
        """Compare the equity with an equal share and with the price."""
        equity = win_rate(turn, self.rng, ROUNDS)
        if equity > RAISES / (opponents(turn) + 1):
            return raise_by(turn, max(1, (turn.pot + turn.owed) * 2 // 3))
        price = turn.owed / (turn.pot + turn.owed) if turn.owed else 0.0
        return call(turn) if equity > price + MARGIN * bool(turn.owed) else check_or_fold(turn)

"""``equilibrium``: fixed-limit hold'em between two players from a table that self-play made, and a solved river."""

from importlib import import_module
from random import Random
from typing import Any, ClassVar

from bots.strategies.holdem.equity import Equity
from bots.strategies.holdem.limit_tree import BET_SIZES, Betting, Node, load, tree
from bots.strategies.moves import call, check_or_fold, raise_by
from bots.strategy import Level, Simple
from protocol.cards import DECK
from protocol.games.base import Action, Status
from protocol.games.holdem import NAME as HOLDEM
from protocol.games.holdem_turn import HoldemTurn
from protocol.wire.messages import GameInfo

_INDEX = {card: index for index, card in enumerate(DECK)}


class LimitPlayer:
    """Play the table and solve the river, and know the betting of a hand from its own turns.

    That is enough: the first player on a street knows whether it began with a check of its own, and the
    second is asked after that check or bet. How many bets a street had is told by the pot at the next one.

    Raises:
        ImportError: numba is not installed, with which cards are compared.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._boards: Any = import_module("bots.strategies.holdem.limit_board")  # seconds, and not in the base install
        self._boards.warm_up(load())  # compiled, or loaded from the cache, before the first question
        self._forget()

    def _forget(self) -> None:
        self._ended: Betting = ()
        self._street = 0
        self._button = False
        self._blind = 0
        self._checked = False
        self._put = 0.0
        self._strategy: Any = None

    def hand_over(self, status: Status) -> None:
        """The next turn belongs to a new hand."""
        self._forget()

    def decide(self, turn: HoldemTurn) -> Action:
        """Draw a move by the table; where the table has no such betting, as with short stacks, check or call."""
        node = self._node(turn)
        if node is None:
            return call(turn)
        fold, _, more = self._chances(turn, node)
        drawn = self._rng.random()
        if drawn < fold:
            return check_or_fold(turn)
        if drawn < fold + more:
            return raise_by(turn, 0)
        self._checked = self._checked or node.betting[-1] == (False, 0)
        return call(turn)

    def _chances(self, turn: HoldemTurn, node: Node) -> list[float]:
        """How often to fold, call and raise with the hole cards."""
        first, second = sorted(_INDEX[card] for card in turn.hole)
        chances: list[float] = self._strategy.shares(node)[:, second * (second - 1) // 2 + first].tolist()
        return chances

    def _node(self, turn: HoldemTurn) -> Node | None:
        """The decision in the tree; None outside the tree."""
        street = turn.street - 1
        if turn.street != self._street:
            self._begin_street(turn, street)
        if not self._blind:
            return None
        highest = max(seat.put for seat in turn.seats) / self._blind
        bets = round(highest / BET_SIZES[street]) - (street == 0)
        return tree().get((*self._ended, (self._checked, bets)))

    def _begin_street(self, turn: HoldemTurn, street: int) -> None:
        """Note how the street before ended, how this one began, and the board."""
        if not self._street:  # the first turn of a hand: the first raise is by one big blind, and always allowed
            self._blind = turn.least - turn.owed if turn.least else 0
            self._button = 0 < turn.owed < self._blind
        elif self._blind:
            put = (turn.pot - sum(seat.put for seat in turn.seats)) / 2 / self._blind
            before = street - 1
            bets = round((put - self._put) / BET_SIZES[before]) - (before == 0)
            self._ended = (*self._ended, (self._checked, bets))
            self._put = put
        self._street = turn.street
        second = self._button == (street > 0)
        self._checked = second and not turn.owed
        self._strategy = self._boards.BoardStrategy(load(), [_INDEX[card] for card in turn.board])


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

"""Base classes of the bots for Blockhead Poker: they refuse other games, and count the hands of a game."""

from abc import abstractmethod
from random import Random
from typing import Any

from bots.strategies.blockhead.equity import Equity
from bots.strategy import Simple
from protocol.games.base import Action
from protocol.games.blockhead import DEFAULT_HANDS, DEFAULT_STACK, NAME, BlockheadTurn
from protocol.wire.messages import GameInfo


class BlockheadPlayer(Simple):
    """A bot for Blockhead. A dealer announces every game but stud, so that one is known by its turn."""

    games = (NAME,)

    def decide(self, turn: Any) -> Action:
        self.refuse_unless(isinstance(turn, BlockheadTurn), type(turn).__name__.removesuffix("Turn").lower())
        return self._answer(turn)

    @abstractmethod
    def _answer(self, turn: BlockheadTurn) -> Action:
        """Answer a turn."""


class HeadsUpPlayer(BlockheadPlayer):
    """A bot that has studied the source's game: two players, card values. Everything else it plays by ``Equity``."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._equity = Equity(rng)
        self._variant = False
        self._hands, self._stack, self._played = DEFAULT_HANDS, DEFAULT_STACK, 0

    def game_begins(self, info: GameInfo) -> None:
        """Read what is agreed, and count hands from the beginning."""
        super().game_begins(info)
        agreed = dict(info.facts)
        self._hands, self._stack = int(agreed.get("hands", DEFAULT_HANDS)), int(agreed.get("stack", DEFAULT_STACK))
        self._played = 0
        self._equity.poker = agreed.get("ranks") == "poker"
        self._variant = self._equity.poker or agreed.get("players", "2") != "2"

    @property
    def _left(self) -> int:
        """Hands left to play, the one under way included."""
        return max(self._hands - self._played, 1)

    def _answer(self, turn: BlockheadTurn) -> Action:
        self._variant = self._variant or len(turn.others) != 1
        return self._equity.answer(turn) if self._variant else self._heads_up(turn)

    @abstractmethod
    def _heads_up(self, turn: BlockheadTurn) -> Action:
        """Answer a turn of the source's game."""

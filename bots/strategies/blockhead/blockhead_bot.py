"""Base classes of the bots for Blockhead Poker: they refuse other games, and count the hands of a game."""

from abc import abstractmethod
from random import Random
from typing import Any

from bots.strategies.moves import call, check_or_fold, raise_by
from bots.strategy import Simple
from protocol.cards import DECK
from protocol.games.base import Action
from protocol.games.blockhead import CARDS, DEFAULT_HANDS, DEFAULT_STACK, MAX_RAISE, NAME, BlockheadTurn, cards_value
from protocol.games.poker_strength import poker_strength
from protocol.wire.messages import GameInfo

#: How often the cards that nobody shows are dealt to find out.
DEALS = 60

#: Raise with so many times an equal share.
AHEAD = 1.3

#: Pay for so many times what is owed, because who bets has something.
CARE = 1.2


class Equity:
    """Raises 10 when it is well ahead, pays while the pot is worth it, else checks or folds. Chance deals the cards.

    Attributes:
        poker: whether real poker hands decide a showdown, not card values.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.poker = False

    def share(self, turn: BlockheadTurn) -> float:
        """The share of the pot to expect if everybody still in stays to the end."""
        known = [(turn.hole, *turn.up), *turn.others]
        seen = {card for cards in known for card in cards}
        unseen = [card for card in DECK if card not in seen]
        needs = [CARDS - len(cards) for cards in known]
        strength = poker_strength if self.poker else cards_value
        total = 0.0
        for _ in range(DEALS):
            dealt = iter(self._rng.sample(unseen, sum(needs)))
            strengths = [
                strength((*cards, *(next(dealt) for _ in range(need))))
                for cards, need in zip(known, needs, strict=True)
            ]
            best = max(strengths)
            if strengths[0] == best:
                total += 1 / strengths.count(best)
        return total / DEALS

    def answer(self, turn: BlockheadTurn) -> Action:
        share = self.share(turn)
        if share * (1 + len(turn.others)) > AHEAD:
            return raise_by(turn, MAX_RAISE)
        return call(turn) if share * (turn.pot + turn.owed) >= CARE * turn.owed else check_or_fold(turn)


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

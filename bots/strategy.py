"""The contract of a bot: a strategy, which answers each turn with an action.

What installed packages bring (see ``protocol.installed_bots``) is called with a random generator of the bot's own, the
only chance a strategy may use, and gives a Strategy.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar, Literal, Protocol

from protocol.games.base import Action, Bet, Fold, Turn
from protocol.wire.messages import GameInfo

Level = Literal["easy", "medium", "hard"]


class StrategyError(Exception):
    """A strategy failed; the text says at which call. An error that it raised is the cause."""


class Strategy(Protocol):
    """A player. One object plays a whole session, so it may remember what it likes from hand to hand."""

    def game_begins(self, info: GameInfo) -> None:
        """A game begins, with equal stacks again. Not called for games without a ``game:`` message."""

    def decide(self, turn: Any) -> Action:
        """The answer to a question; ``turn.legal()`` says what is allowed."""

    def hand_over(self, status: Any) -> None:
        """A hand the strategy was dealt into has ended; not called where its game tells the seat nothing.

        Args:
            status: a ``Status``, or what the game tells instead.
        """


def answer(strategy: Strategy, turn: Turn) -> Action:
    """The strategy's answer; whether it is legal is for the rules to say.

    Raises:
        StrategyError: it raised something, or gave no action.
    """
    try:
        action = strategy.decide(turn)
    except StrategyError:  # it has said in words what is wrong
        raise
    except Exception as error:
        raise StrategyError(f"decide raised {type(error).__name__}: {error}; it was asked {turn}") from error
    if not isinstance(action, Bet | Fold):
        raise StrategyError(f"decide gave {action!r} instead of a Bet or a Fold; it was asked {turn}")
    return action


def tell(strategy: Strategy, news: Any) -> None:
    """Tell the strategy that a game begins, or how a hand ended; nothing if ``news`` is None.

    Raises:
        StrategyError: it raised something.
    """
    if news is None:
        return
    name = "game_begins" if isinstance(news, GameInfo) else "hand_over"
    try:
        getattr(strategy, name)(news)
    except StrategyError:
        raise
    except Exception as error:
        raise StrategyError(f"{name} raised {type(error).__name__}: {error}; it was told {news}") from error


class Simple:
    """The base of simple bots: a strategy that remembers nothing.

    Attributes:
        games: what it plays; empty if any.
        default_in: the games whose league it joins when no bots are named, each with its place among the bots there,
            from 1.
        level: how hard it is to beat for a person.
        source: where its rules come from, in a line.
    """

    games: ClassVar[tuple[str, ...]] = ()
    default_in: ClassVar[Mapping[str, int]] = {}
    level: ClassVar[Level]
    source: ClassVar[str]

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def game_begins(self, info: GameInfo) -> None:
        """Refuse a game that this bot does not play."""
        self.refuse_unless(not self.games or info.name in self.games, info.name)

    def refuse_unless(self, plays: bool, game: str) -> None:
        """Say that this bot does not play ``game``.

        Raises:
            StrategyError: unless it ``plays``.
        """
        if not plays:
            raise StrategyError(f"this bot plays {' and '.join(self.games)}, not {game}")

    def hand_over(self, status: Any) -> None:
        """Nothing to remember."""


Maker = Callable[[Random], Strategy]

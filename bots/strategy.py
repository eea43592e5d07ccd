"""What a bot is: something that answers a turn with an action.

Installed packages offer strategies as entry points of the group ``casino.bots``; each is called with a
random generator of its own, the only chance a strategy may use, and gives a Strategy.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from random import Random
from typing import Any, Protocol

from protocol.games.base import Action, Status

ENTRY_POINTS = "casino.bots"


class Strategy(Protocol):
    """A player. It lives for a whole session, so what it remembers between hands is its own affair."""

    def decide(self, turn: Any) -> Action:
        """The answer to a question; ``turn.legal()`` says what is allowed."""

    def hand_over(self, status: Status) -> None:
        """A hand the strategy was dealt into has ended."""


Maker = Callable[[Random], Strategy]


def bot_names() -> list[str]:
    """The names that ``load_maker`` takes, in alphabetical order."""
    return sorted(point.name for point in entry_points(group=ENTRY_POINTS))


def load_maker(name: str) -> Maker:
    """What makes the strategy installed under ``name``.

    Raises:
        LookupError: no installed package offers it; the text lists those that are.
    """
    for point in entry_points(group=ENTRY_POINTS, name=name):
        maker: Maker = point.load()
        return maker
    raise LookupError(f"there is no bot {name!r}; installed are {', '.join(bot_names())}")

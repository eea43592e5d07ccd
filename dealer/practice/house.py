"""The house's players by the name they are installed under, as any package may offer them; none is imported here."""

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from random import Random
from typing import Protocol, cast

from dealer.errors import OptionError
from protocol.games.base import Action, Status
from protocol.games.stud import StudTurn

BOTS = "casino.bots"
"""The entry point group of bots."""

TEACHER = "stud"
"""Whose decisions a program's are compared with, and who plays roll-outs."""


class Player(Protocol):
    """A strategy, as far as practice needs it."""

    def decide(self, turn: StudTurn) -> Action:
        """The answer to a question."""

    def hand_over(self, status: Status) -> None:
        """A hand has ended that it was dealt into."""


Maker = Callable[[Random], Player]


def teacher() -> Maker:
    """What makes the player that knows better.

    Raises:
        OptionError: it is not installed.
    """
    return _maker(TEACHER)


def check_bots(names: Sequence[str], game: str) -> None:
    """Find out before anything is started whether these bots can play.

    Raises:
        OptionError: one is not installed, or plays another game.
    """
    for name in names:
        games: tuple[str, ...] = getattr(_maker(name), "games", ())
        if games and game not in games:
            raise OptionError(f"the bot {name!r} plays {' and '.join(games)}, not {game}")


def _maker(name: str) -> Maker:
    for point in entry_points(group=BOTS, name=name):
        try:
            return cast("Maker", point.load())
        except (ImportError, AttributeError, SyntaxError) as error:
            raise OptionError(f"the bot {name!r} ({point.value}) cannot be loaded: {error}") from None
    known = ", ".join(sorted(point.name for point in entry_points(group=BOTS)))
    raise OptionError(f"there is no bot {name!r}; installed are {known}")

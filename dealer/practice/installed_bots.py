"""House bots by the name they are installed under. Any package may offer some, so none is imported by its module."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Protocol, cast

from dealer.cli.installed import installed_names, load_installed
from dealer.errors import OptionError
from protocol.games.base import Action, Status

#: The entry point group of bots.
BOTS = "casino.bots"


class BotPlayer(Protocol):
    """A bot's strategy, as far as practice needs it."""

    def decide(self, turn: Any) -> Action:
        """The answer to a question of the game that the bot plays."""

    def hand_over(self, status: Status) -> None:
        """Take note of the end of a hand that the bot was dealt into."""


#: Makes a player from its own source of chance.
BotMaker = Callable[[Random], BotPlayer]


def load_bot(name: str) -> BotMaker:
    """What makes players of the bot ``name``.

    Raises:
        OptionError: the bot is not installed, or cannot be loaded.
    """
    maker = load_installed(BOTS, name, f"the bot {name!r}")
    if maker is None:
        raise OptionError(f"there is no bot {name!r}; installed are {', '.join(installed_names(BOTS))}")
    return cast("BotMaker", maker)


def check_bots(names: Sequence[str], game: str) -> None:
    """Make sure, before anything is started, that these bots can play the game.

    Raises:
        OptionError: one is not installed, or plays another game.
    """
    for name in names:
        games: tuple[str, ...] = getattr(load_bot(name), "games", ())
        if games and game not in games:
            raise OptionError(f"the bot {name!r} plays {' and '.join(games)}, not {game}")

"""Bots that installed packages bring: by name, or in files, such as what a learner has learned.

Packages offer them as entry points of the group ``casino.bots``. Each name is that of a bot, and its value is called
with a random generator of the bot's own. But a name that begins with a dot, such as ``.npz``, is the ending of files:
its value is called with the name of a file, and gives what such an entry point would, or raises a LookupError.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from protocol.installed import installed_names, load_installed
from protocol.plurals import listed
from protocol.suggestions import instead

ENTRY_POINTS = "casino.bots"


def bot_names() -> list[str]:
    """The names of the installed bots, in alphabetical order."""
    return [name for name in installed_names(ENTRY_POINTS) if not name.startswith(".")]


def is_bot_file(name: str) -> bool:
    """Whether this is the name of a file that may hold a bot, by its ending."""
    return Path(name).suffix in installed_names(ENTRY_POINTS)


def title_of(name: str) -> str:
    """What a bot is called if nobody says: its name, or that of its file without folder and ending."""
    return Path(name).stem if is_bot_file(name) else name


def load_bot(name: str, game: str | None = None) -> Any:
    """What makes the bot installed under ``name``, or kept in a file of that name, when called with a random generator.

    Args:
        game: that it has to play; a bot that names no games plays all.

    Raises:
        LookupError: it is not installed, and the text says what is; or it cannot be loaded, or plays other games.
    """
    what = f"the bot {name!r}"
    if is_bot_file(name):
        maker = load_installed(ENTRY_POINTS, Path(name).suffix, what)(name)
    elif name in bot_names():
        maker = load_installed(ENTRY_POINTS, name, what)
    else:
        raise LookupError(f"there is no bot {name!r}; {instead(name, bot_names())}")
    games: Sequence[str] = getattr(maker, "games", ())
    if game is not None and games and game not in games:
        raise LookupError(f"{what} plays {listed(games)}, not {game}")
    return maker

"""House bots by the names they are installed under, or of files that hold them; the dealer imports none of them."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from dealer.cli.installed import installed_names, load_installed
from dealer.errors import OptionError
from protocol.bot_files import FILE_READERS, file_reader
from protocol.games.registry import load_game
from protocol.plurals import listed
from protocol.suggestions import instead

#: The entry point group of bots, which any package may add to.
BOTS = "casino.bots"


def load_bot(name: str) -> Any:
    """What makes the bot installed under ``name``, or kept in a file of that name, when called with a random generator.

    Raises:
        OptionError: it is not installed, or it cannot be loaded.
    """
    if (reader := file_reader(name)) is not None:
        return _load_from_file(name, reader.name)
    maker = load_installed(BOTS, name, f"the bot {name!r}", object)
    if maker is None:
        raise OptionError(f"there is no bot {name!r}; {instead(name, installed_names(BOTS))}")
    return maker


def _load_from_file(name: str, ending: str) -> Any:
    read = load_installed(FILE_READERS, ending, f"the bot {name!r}", object)
    try:
        return read(name)  # type: ignore[operator] # as an entry point of this group can be
    except LookupError as error:
        raise OptionError(str(error)) from None


def bot_command(name: str) -> tuple[str, ...]:
    """The command line that lets a bot play at ``{host}`` and ``{port}``."""
    # -P: run the installed package, even if the current folder has one of the same name.
    return (sys.executable, "-P", "-m", "dealer.main", "bot", name, "{host}", "{port}")


def run_bot_file(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a command line; the name of a file with a bot becomes the command that lets it play.

    Raises:
        OptionError: the file holds no bot.
    """
    if len(words) != 1 or file_reader(words[0]) is None:
        return words
    load_bot(words[0])
    return bot_command(words[0])


def check_bots(names: Iterable[str], game: str) -> None:
    """Make sure, before anything is started, that bots play a game; one that names no games plays all.

    Raises:
        OptionError: a bot is not installed, cannot be loaded, or plays other games.
    """
    for name in names:
        games: tuple[str, ...] = getattr(load_bot(name), "games", ())
        if games and game not in games:
            raise OptionError(f"the bot {name!r} plays {listed(games)}, not {game}")


def usual_company(game: str) -> tuple[str, ...]:
    """The bots with which a program sits at one table where none are named: those of a league, as far as seats reach.

    Raises:
        OptionError: no installed bot joins the leagues of this game unasked.
    """
    return default_bots(game)[: load_game(game).seats[-1] - 1]


def default_bots(game: str) -> tuple[str, ...]:
    """The bots of a league for which none are named, in the order in which they sit down.

    Raises:
        OptionError: no installed bot joins the leagues of this game unasked.
    """
    places: dict[str, int] = {}
    for name in installed_names(BOTS):
        try:
            joins: Mapping[str, int] = getattr(load_bot(name), "default_in", {})
        except OptionError:  # a bot that cannot be loaded must not spoil a league that does not name it
            continue
        if game in joins:
            places[name] = joins[game]
    if not places:
        raise OptionError(f"no installed bot joins a league of {game} by itself; name those that should play")
    return tuple(sorted(places, key=lambda name: (places[name], name)))

"""House bots by the names they are installed under, or of files that hold them; the dealer imports none of them."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from dealer.errors import OptionError
from protocol import installed_bots
from protocol.games.registry import load_game


def load_bot(name: str, game: str | None = None) -> Any:
    """Load a bot as ``protocol.installed_bots.load_bot`` does.

    Raises:
        OptionError: in place of LookupError.
    """
    try:
        return installed_bots.load_bot(name, game)
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
    if len(words) != 1 or not installed_bots.is_bot_file(words[0]):
        return words
    load_bot(words[0])
    return bot_command(words[0])


def check_bots(names: Iterable[str], game: str) -> None:
    """Make sure, before anything is started, that bots play a game.

    Raises:
        OptionError: a bot is not installed, cannot be loaded, or plays other games.
    """
    for name in names:
        load_bot(name, game)


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
    for name in installed_bots.bot_names():
        try:
            joins: Mapping[str, int] = getattr(load_bot(name), "default_in", {})
        except OptionError:  # a bot that cannot be loaded must not spoil a league that does not name it
            continue
        if game in joins:
            places[name] = joins[game]
    if not places:
        raise OptionError(f"no installed bot joins a league of {game} by itself; name those that should play")
    return tuple(sorted(places, key=lambda name: (places[name], name)))

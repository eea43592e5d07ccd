"""The catalogue of installed bots: games, level and source of each, as the bot states them."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from bots.fitting_table import FittingTable
from dealer.cli.tables import new_table
from protocol.games.registry import game_names
from protocol.installed_bots import bot_names, load_bot

_HEADINGS = ("bot", "plays", "level", "its rules come from")


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot.

    Attributes:
        name: what ``casino bot`` takes.
        games: what it plays.
        level: easy, medium or hard to beat for a person; empty if it does not say.
        source: where its rules come from, in a line; empty if it does not say.
    """

    name: str
    games: tuple[str, ...]
    level: str
    source: str


def entry(name: str) -> Entry:
    """The catalogue's entry of a bot. A bot that names no games plays them all.

    Raises:
        LookupError: it cannot be loaded.
    """
    maker: Any = load_bot(name)
    games: tuple[str, ...] = tuple(getattr(maker, "games", ())) or game_names()
    return Entry(name, games, getattr(maker, "level", ""), getattr(maker, "source", ""))


def catalogue() -> tuple[list[Entry], list[str]]:
    """All bots in alphabetical order, and for each bot that cannot be loaded the reason in words."""
    found, broken = [], []
    for name in bot_names():
        try:
            found.append(entry(name))
        except LookupError as error:
            broken.append(str(error))
    return found, broken


def playing(game: str) -> list[Entry]:
    """The bots that play ``game``, in alphabetical order. One that cannot be loaded is left out."""
    return [bot for bot in catalogue()[0] if game in bot.games]


def show_bots(as_json: bool) -> list[str]:
    """Print all bots, as a table, a list on a narrow terminal, or JSON.

    Returns:
        The reasons why bots cannot be loaded, in words.
    """
    found, broken = catalogue()
    if as_json:
        print(json.dumps([asdict(bot) for bot in found], indent=2))
        return broken
    table = new_table()
    for heading in _HEADINGS:
        table.add_column(heading, no_wrap=heading != _HEADINGS[-1])
    for bot in found:
        table.add_row(*map(Text, (bot.name, ", ".join(bot.games), bot.level, bot.source)))
    Console().print(FittingTable(table, _HEADINGS))
    return broken

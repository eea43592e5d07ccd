"""Games by name: every installed package may bring one.

Packages offer games as entry points of the group ``casino.games``, each a subclass of ``Game`` under its own name. The
house's own games come in the same way, so that nothing here knows which there are.
"""

from dataclasses import asdict
from typing import Any, NamedTuple

from protocol.games.game import Game, Option
from protocol.installed import installed_names, load_installed
from protocol.suggestions import instead

ENTRY_POINTS = "casino.games"


class UnknownGameError(LookupError):
    """A game that is not installed, or cannot be loaded; the text says which are installed."""

    def __str__(self) -> str:
        return str(self.args[0])


def game_names() -> tuple[str, ...]:
    """The names of the installed games, in alphabetical order."""
    return tuple(installed_names(ENTRY_POINTS))


def load_game(name: str) -> type[Game]:
    """The game installed under ``name``.

    Raises:
        UnknownGameError: no installed package offers it, or it cannot be loaded.
    """
    try:
        game: type[Game] | None = load_installed(ENTRY_POINTS, name, f"the game {name!r}", type)
    except LookupError as error:
        raise UnknownGameError(str(error)) from error.__cause__
    if game is None:
        raise UnknownGameError(f"there is no game {name!r}; {instead(name, game_names())}")
    return game


def installed_games() -> list[type[Game]]:
    """Every installed game that can be loaded, by name."""
    games = []
    for name in game_names():
        try:
            games.append(load_game(name))
        except UnknownGameError:  # told to the person who asks for it by name
            continue
    return games


def shared_options() -> dict[str, list[tuple[type[Game], Option]]]:
    """All options of all installed games by name, each with the games that have it: what a command line can take."""
    shared: dict[str, list[tuple[type[Game], Option]]] = {}
    for game in installed_games():
        for entry in game.options():
            shared.setdefault(entry.name, []).append((game, entry))
    return shared


class FlagFacts(NamedTuple):
    """What a command line needs to know of an option that one game or several have.

    Attributes:
        help: what it means in each of the games, with its defaults.
        choices: the words to choose from in any of them; empty for a number.
        least, most: bounds of a number that suits any of them, both included.
        switch: whether the flag has no value: it turns the option on.
    """

    help: str
    choices: tuple[str, ...]
    least: int
    most: int
    switch: bool


def flag_facts(entries: list[tuple[type[Game], Option]]) -> FlagFacts:
    """The flag for an option, from that of every game that has it; whether a value suits one game it checks itself."""
    choices = tuple(dict.fromkeys(choice for _, entry in entries for choice in entry.choices))
    least, most = min(entry.least for _, entry in entries), max(entry.most for _, entry in entries)
    return FlagFacts(options_help(entries), choices, least, most, all(entry.switch for _, entry in entries))


def named_options(flags: Any) -> dict[str, Any]:
    """The options that a command line names, by name.

    Args:
        flags: a dataclass with a field for each option, None where nothing was given. A switch counts as 1.
    """
    named = asdict(flags).items()
    return {name: int(value) if value is True else value for name, value in named if value is not None}


def options_help(entries: list[tuple[type[Game], Option]]) -> str:
    """What an option means in each game that has it, with its defaults: for ``--help`` and the documentation."""
    texts: dict[str, list[str]] = {}
    for game, entry in entries:
        texts.setdefault(entry.help, []).append(game.name if entry.switch else f"{game.name}: {entry.default}")
    return " ".join(f"{text.removesuffix('.')} ({', '.join(defaults)})." for text, defaults in texts.items())

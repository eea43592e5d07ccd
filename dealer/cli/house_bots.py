"""House bots by the names they are installed under. The dealer looks them up and imports none of them."""

from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import Any

from dealer.errors import OptionError

#: The entry point group of bots, which any package may add to.
BOTS = "casino.bots"


def load_bot(name: str) -> Any:
    """What makes the bot installed under ``name``, when called with a random generator.

    Raises:
        OptionError: it is not installed, or it cannot be loaded.
    """
    for point in entry_points(group=BOTS, name=name):
        try:
            return point.load()
        except (ImportError, AttributeError, SyntaxError) as error:
            raise OptionError(f"the bot {name!r} ({point.value}) cannot be loaded: {error}") from None
    known = ", ".join(sorted({point.name for point in entry_points(group=BOTS)}))
    raise OptionError(f"there is no bot {name!r}; installed are {known}")


def plays(name: str, game: str) -> bool:
    """Whether a bot plays a game; one that names no games plays all.

    Raises:
        OptionError: see ``load_bot``.
    """
    games: tuple[str, ...] = getattr(load_bot(name), "games", ())
    return not games or game in games


def default_bots(game: str) -> tuple[str, ...]:
    """The bots of a league for which none are named, in the order in which they sit down.

    Raises:
        OptionError: no installed bot joins the leagues of this game unasked.
    """
    places: dict[str, int] = {}
    for name in {point.name for point in entry_points(group=BOTS)}:
        try:
            joins: Mapping[str, int] = getattr(load_bot(name), "default_in", {})
        except OptionError:  # a bot that cannot be loaded must not spoil a league that does not name it
            continue
        if game in joins:
            places[name] = joins[game]
    if not places:
        raise OptionError(f"no installed bot joins a league of {game} by itself; name those that should play")
    return tuple(sorted(places, key=lambda name: (places[name], name)))

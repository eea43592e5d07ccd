"""A game's own format of hand histories, which other programs read, found by the name of the game.

A game that has one names it with an entry point of the group ``casino.histories``:

    [project.entry-points."casino.histories"]
    leduc = "leduc.history:HISTORY"

Further formats of the same game have its name, a dot and their own as the name of the entry point.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dealer.audit.hands import ReplayedHand
from dealer.cli.installed import load_installed
from dealer.errors import OptionError
from protocol.installed import installed_names

#: The entry point group of objects of ``HandHistory``.
HISTORIES = "casino.histories"


@dataclass(frozen=True, slots=True)
class HandHistory:
    """A format of hand histories.

    Attributes:
        format: its name on the command line.
        write: the text of a hand as a seat saw it, or the host for None. It raises ``OptionError`` for a hand that the
            format cannot say.
        join: the pieces of a file of several texts, as they come.
    """

    format: str
    write: Callable[[ReplayedHand, int | None], str]
    join: Callable[[Iterable[str]], Iterable[str]]


def find_history(game: str, format: str) -> HandHistory:
    """The hand histories of a game in a format.

    Raises:
        OptionError: the game has none in this format, or it cannot be loaded.
    """
    for name in (game, f"{game}.{format}"):
        history = load_installed(HISTORIES, name, f"the hand histories of {game}", HandHistory)
        if history is not None and history.format == format:
            return history
    known = " and ".join(dict.fromkeys(name.partition(".")[0] for name in installed_names(HISTORIES)))
    raise OptionError(f"hands of {game} cannot be written as {format}; games with hand histories: {known}")

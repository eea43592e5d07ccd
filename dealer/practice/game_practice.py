"""What practice needs to know of a game beyond its rules, found by the name of the game.

Each game has a module in ``games/``, or comes in a package with an entry point of the group ``casino.practice``:

    [project.entry-points."casino.practice"]
    leduc = "leduc.practice:PRACTICE"
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dealer.cli.installed import load_installed
from dealer.errors import OptionError
from protocol.installed import installed_names

#: The entry point group of objects of ``GamePractice``.
PRACTICES = "casino.practice"


@dataclass(frozen=True, slots=True)
class GamePractice:
    """What practice needs to know of a game.

    Attributes:
        teacher: the house bot whose decisions the program's are compared with.
        quick: house bots that play thousands of hands in a second. In roll-outs each of them plays itself.
        company: some of them, which play in place of all other bots, and the first one in place of the program.
        streets: numbers of the streets.
        situations: what a question can show, in words, each with a function that says whether a question shows it.
        effort: how many decisions are measured, as a part of the usual number; less than 1 where hands take long.
    """

    teacher: str
    quick: Sequence[str]
    company: Sequence[str]
    streets: Sequence[int]
    situations: Mapping[str, Callable[[Any], bool]]
    effort: float = 1.0

    def players(self, bots: Iterable[str | None]) -> list[Sequence[str]]:
        """The bots that play roll-outs in place of these, by seat; several where any of them may be like the player."""
        return [(bot,) if bot and bot in self.quick else self.company for bot in bots]


def find_practice(game: str) -> GamePractice:
    """What practice knows of a game.

    Raises:
        OptionError: practice does not know the game, or what it knows cannot be loaded.
    """
    practice = load_installed(PRACTICES, game, f"the practice of {game}", GamePractice)
    if practice is None:
        known = ", ".join(installed_names(PRACTICES))
        raise OptionError(f"practice does not know {game} yet; it knows {known}")
    return practice

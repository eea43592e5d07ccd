"""What one game adds to a check, found by the name of the game.

Every game can be checked for how a program talks: its rules deal the hands and judge the replies. A game adds more in
one module of this room, or in a package with an entry point of the group ``casino.checks``:

    [project.entry-points."casino.checks"]
    leduc = "leduc.checks:CASES"
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from dealer.checker.cases.deals import Part, compliance_parts
from dealer.checker.scoring.causes import QuestionText
from dealer.checker.scoring.rubric import COMPLIANCE, Line
from dealer.cli.installed import load_installed
from dealer.errors import OptionError
from protocol.games.game import Game
from protocol.games.registry import load_game
from protocol.installed import installed_names

#: The entry point group of objects of ``GameCases``.
CHECKS = "casino.checks"


@dataclass(frozen=True, slots=True)
class GameCases:
    """What one game adds to the check of a program.

    Attributes:
        parts: makes the parts of a check from the seed and the number of hands of the longest part.
        parts_of: the same for a game with options that were given; None if its parts need the usual ones.
        lines: of the rubric, beyond those that hold for every game.
        text: what explains a crash: how this game writes its questions.
        replies: the replies to a question, as the rule about them writes them.
    """

    parts: Callable[[str, int], list[Part]]
    lines: tuple[Line, ...] = ()
    text: QuestionText = field(default_factory=QuestionText)
    parts_of: Callable[[Game, str, int], list[Part]] | None = None
    replies: str = "'fold' or 'bet:<chips put in now>'"

    @property
    def rubric(self) -> tuple[Line, ...]:
        """All lines that a program of this game is judged by."""
        return COMPLIANCE + self.lines


def find_cases(game: str) -> GameCases:
    """The cases of a game; those that can be made from its rules alone if it has none of its own.

    Raises:
        OptionError: there is no such game, or its cases cannot be loaded.
    """
    try:
        kind = load_game(game)
    except LookupError as error:
        raise OptionError(str(error)) from None
    cases = load_installed(CHECKS, game, f"the checks of {game}", GameCases)
    return cases or GameCases(partial(compliance_parts, kind()), parts_of=compliance_parts)


def missing_cases(game: str) -> str:
    """Why a program of ``game`` is not judged for how it plays; empty if the game has cases of its own."""
    known = installed_names(CHECKS)
    if game in known:
        return ""
    return (
        f"the checker does not know {game} yet; it knows {', '.join(known)}: "
        "it judges how the program talks, not how it plays"
    )

"""The parts of a check: what is played on each connection, one after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from dealer.checker.cases.deals import Deal, Draw, deals_of, draw_by_seed
from dealer.checker.scoring.findings import Findings
from protocol.games.game import Game

#: Hands of the first part, in which the checker listens for a moment after every message.
FIRST_HANDS = 2

#: How the seat of a player who logs in twice is refused; a program may be sent ``done`` at once.
REFUSED = "the id is already seated at another table"


class Judged(Protocol):
    """Situations of a game that a program has played."""

    def write_down(self, findings: Findings) -> None:
        """Add to the findings how they were played."""


@dataclass(slots=True)
class Part:
    """One connection of a check, or several if the program is lost on the way.

    Attributes:
        name: in words.
        deals: what is played on it.
        hands: how many that are, at most.
        goodbye: the reason that ``done:`` gives at the end.
        careful: whether the checker listens for unasked replies after every message.
        judged: situations that are written down when the part is over.
    """

    name: str
    deals: Iterator[Deal]
    hands: int
    goodbye: str
    careful: bool = False
    judged: Sequence[Judged] = ()

    def write_down(self, findings: Findings) -> None:
        """Add to the findings how the situations were played."""
        for judged in self.judged:
            judged.write_down(findings)


def chance_of(seed: str, part: str) -> Random:
    """The source of chance of one part: the same seed deals the same cards, whatever the program did before."""
    return Random(f"{seed}/{part}")


def compliance_parts(
    game: Game, seed: str, hands: int, *, quiet: Game | None = None, draw: Draw | None = None
) -> list[Part]:
    """Parts that any game can be checked with: the rules of the game deal, and the others play by chance.

    Args:
        game: whose rules are applied.
        seed: decides all cards.
        hands: of the longest part.
        quiet: the same game with other options, for the first hands; as agreed in ``game`` if None.
        draw: what chance decides in a hand; as ``game.chance`` says if None.
    """
    quiet, draw = quiet or game, draw or draw_by_seed(game)
    first = deals_of(quiet, chance_of(seed, "quiet"), FIRST_HANDS, draw)
    return [
        Part("how it talks", first, FIRST_HANDS, "the tournament is over", careful=True),
        Part("refused after login", iter(()), 0, REFUSED),
        Part("hands of all kinds", deals_of(game, chance_of(seed, "hands"), hands, draw), hands, "the end"),
    ]

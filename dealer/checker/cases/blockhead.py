"""What Blockhead Poker adds to a check: its parts, and what explains a crash.

How well a program plays is the subject of another assignment, so there are no further lines of the rubric.
"""

from collections.abc import Sequence

from dealer.checker.cases.deals import FIRST_HANDS, Part, compliance_parts, shuffled
from dealer.checker.cases.game_cases import GameCases
from dealer.checker.scoring.causes import QuestionText
from protocol.games.blockhead import SEATS, BlockheadGame


def parts(seed: str, hands: int) -> list[Part]:
    """The parts of a check: whole games, stacks go up and down as they do there."""
    return compliance_parts(BlockheadGame(), seed, hands, quiet=BlockheadGame(hands=FIRST_HANDS), draw=shuffled)


def _players(fields: Sequence[str]) -> int:
    """How many opponents' cards a question shows."""
    return fields.count("up")


_MORE_CARDS = "which has one more card of its own, and of every opponent"

CASES = GameCases(
    parts,
    text=QuestionText(
        literals={"up": "stands before every opponent's cards"},
        news={"bet2": _MORE_CARDS, "bet3": _MORE_CARDS},
        players=_players,
        most_players=SEATS[-1],
        behind_own="up",
    ),
)

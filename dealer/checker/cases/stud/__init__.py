"""What three-card stud adds to a check: hands, test situations, pairs of boards, and their lines of the rubric."""

from collections.abc import Sequence
from dataclasses import replace

from dealer.checker.cases.deals import FIRST_HANDS, Part, chance_of, compliance_parts
from dealer.checker.cases.game_cases import GameCases
from dealer.checker.cases.judged import given_situations
from dealer.checker.cases.stud.boards import BOARDS, CONTRASTS, ENOUGH
from dealer.checker.cases.stud.situations import PLAY, SITUATIONS
from dealer.checker.cases.stud.stud_deals import hands_of_all_kinds, hands_without_questions, quiet_hands, short_stacks
from dealer.checker.scoring.causes import QuestionText
from dealer.checker.scoring.rubric import Line
from protocol.games.stud import SEATS, StudGame

#: How well a program plays, with the points of the assignment: 40 for intelligent rules, 20 for the up cards.
LINES = (
    Line(PLAY, 40, "plays the given situations sensibly", play=True),
    Line(BOARDS, 20, "takes the other players' up cards into account", play=True, enough=ENOUGH),
)


def parts(seed: str, hands: int) -> list[Part]:
    """The parts of a check; ``hands`` is the number of hands of each of the longer parts."""
    talk, refused, longest = compliance_parts(StudGame(), seed, hands)
    quiet = quiet_hands(chance_of(seed, "quiet"), FIRST_HANDS)
    all_kinds = hands_of_all_kinds(chance_of(seed, "hands"), hands)
    news = list(hands_without_questions(chance_of(seed, "news")))
    return [
        replace(talk, deals=quiet, goodbye="the tournament is over; you are number 1 of 3 with 512 chips"),
        refused,
        Part(
            "news alone", iter(news), len(news), "you bet 21, more than 10 above the 10 you owe: bet 10 to 20, or fold"
        ),
        replace(longest, deals=all_kinds, goodbye="you are out; broke"),
        Part(
            "short stacks",
            short_stacks(chance_of(seed, "short stacks"), hands),
            hands,
            "you are out: 0 chips do not pay the ante of 1",
        ),
        given_situations([*SITUATIONS, *CONTRASTS], seed),
    ]


def _players(fields: Sequence[str]) -> int:
    """How many players' cards a question shows."""
    return (len(fields) - fields.index("up") - 1) // (2 if fields[0] == "bet2" else 1)


CASES = GameCases(
    parts,
    LINES,
    QuestionText(
        literals={"up": "stands before everybody's cards"},
        news={"bet2": "which has one more card of its own, and two of everybody"},
        players=_players,
        most_players=SEATS[-1],
        behind_own="up",
    ),
)

"""What is judged, and how many points each line of the rubric is worth.

The points are those of the assignment's rubric where a machine can judge: 15 for connecting; 35 and 70 for correct
play in both parts, here together 105 in six lines; 40 for intelligent rules; 20 for the other players' up cards.
"""

from dataclasses import dataclass
from enum import StrEnum


class LineId(StrEnum):
    """The lines of the rubric, by the names they have in JSON."""

    CONNECTS = "connects"
    LOGIN = "login"
    ANSWERS = "answers"
    CLOCK = "clock"
    LEGAL = "legal"
    NEWS = "news"
    CLOSES = "closes"
    SITUATIONS = "situations"
    BOARDS = "boards"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the rubric.

    Attributes:
        id: its name.
        points: what it is worth.
        rule: what the program has to do, in one sentence.
        least: how many checks must have gone well until the line is passed.
    """

    id: LineId
    points: int
    rule: str
    least: int = 1


COMPLIANCE = (
    Line(LineId.CONNECTS, 15, "connects to the address and port it is given, once"),
    Line(LineId.LOGIN, 10, "answers login with <id>:<avatar>, the same on every connection"),
    Line(LineId.ANSWERS, 20, "answers every question once, and says nothing else", 20),
    Line(LineId.CLOCK, 20, "answers every question in time", 20),
    Line(LineId.LEGAL, 35, "answers every question with a legal reply", 20),
    Line(LineId.NEWS, 10, "survives every status and done", 20),
    Line(LineId.CLOSES, 10, "closes its socket after done, and ends"),
)
"""What keeps a program in the game, however it plays. A program gets all points of such a line, or none."""

PLAY = (
    Line(LineId.SITUATIONS, 40, "plays the given situations sensibly"),
    Line(LineId.BOARDS, 20, "takes the other players' up cards into account"),
)
"""How well it plays; points go by the share of situations that were played well."""

RUBRICS = {"stud": COMPLIANCE + PLAY, "blockhead": COMPLIANCE}
"""By the name of the game. What a sensible player of Blockhead does is the subject of its assignment, not of this."""

PLAY_LINES = frozenset(line.id for line in PLAY)

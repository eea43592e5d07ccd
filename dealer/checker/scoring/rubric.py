"""The rubric: what is judged in every game, and how many points each line is worth.

The points are those of the assignment's rubric where a program can judge: 15 for connecting; 35 and 70 for correct
play in both parts, here together 105 in six lines. A game adds lines of its own (``cases``).
"""

from dataclasses import dataclass
from enum import StrEnum


class LineId(StrEnum):
    """The lines that hold for every game, by the names they have in JSON."""

    #: The program connects.
    CONNECTS = "connects"
    #: It answers ``login``.
    LOGIN = "login"
    #: It sends one reply to every question, and nothing else.
    ANSWERS = "answers"
    #: Its replies are in time.
    CLOCK = "clock"
    #: Its replies can be read, and the rules allow them.
    LEGAL = "legal"
    #: It goes on after messages that need no reply.
    NEWS = "news"
    #: It ends after ``done``.
    CLOSES = "closes"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the rubric.

    Attributes:
        id: its name in JSON; a ``LineId``, or a word of the game that adds the line.
        points: what it is worth.
        rule: what the program has to do, in one sentence.
        least: how many checks must have gone well until the line is passed.
        play: whether it is about how well the program plays: the points go by the share of situations played well.
            All other lines give all points or none.
        enough: situations played well that give all points; None if all of them must be.
    """

    id: str
    points: int
    rule: str
    least: int = 1
    play: bool = False
    enough: int | None = None


#: What keeps a program in a game, however well it plays.
COMPLIANCE = (
    Line(LineId.CONNECTS, 15, "connects to the address and port it is given, once"),
    Line(LineId.LOGIN, 10, "answers login with <id>:<avatar>, the same on every connection"),
    Line(LineId.ANSWERS, 20, "answers every question once, and says nothing else", 20),
    Line(LineId.CLOCK, 20, "answers every question in time", 20),
    Line(LineId.LEGAL, 35, "answers every question with a legal reply", 20),
    Line(LineId.NEWS, 10, "survives every status and done", 20),
    Line(LineId.CLOSES, 10, "closes its socket after done, and ends"),
)

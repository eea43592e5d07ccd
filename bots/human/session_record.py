"""What a person did at one table, for the status line and the farewell."""

from dataclasses import dataclass, field
from typing import Protocol

from bots.human.curve import curve

CURVE_WIDTH = 40


class Play(Protocol):
    """A game in a thread of its own."""

    def run(self) -> None:
        """Play until it ends, which it tells the desk; in a thread of its own."""

    def leave(self) -> None:
        """Let the person get up; from any thread, as often as one likes."""


@dataclass
class Sitting:
    """One game from sitting down to getting up.

    Attributes:
        title: what was played, with whom.
        chips: before each hand, and behind the last one.
        hand: the number of the hand under way, or of the last.
        stack: chips in front of the person now; None before the first hand.
        reason: why it ended.
        elsewhere: at a dealer's table, where chips are only told with a question.
    """

    title: str
    chips: list[int] = field(default_factory=list)
    hand: int = 0
    stack: int | None = None
    reason: str = ""
    elsewhere: bool = False

    @property
    def words(self) -> list[str]:
        """What is worth remembering, in lines."""
        lines = [self.title, self.reason] if self.reason else [self.title]
        if self.stack is None:
            return [*lines, "No hand was played."]
        start = self.chips[0]
        hands = "1 hand" if self.hand == 1 else f"{self.hand} hands"
        first, last = ("at the first question", "at the last") if self.elsewhere else ("at first", "at the end")
        line = f"{hands}: {start} chips {first}, {self.stack} {last} ({self.stack - start:+})"
        if len(self.chips) > 2:
            line += f", {max(self.chips)} at the most, {min(self.chips)} at the least"
        return [*lines, f"{line}."]

    @property
    def summary(self) -> list[str]:
        """The same, with the chips as a curve."""
        return [*self.words, *self.picture(CURVE_WIDTH, 2)]

    def picture(self, width: int, height: int) -> list[str]:
        """The chips hand by hand as a curve; nothing before there are two points."""
        return curve(self.chips, width, height) if len(self.chips) > 1 else []

"""Panes beside the table: the history in words, the person's chances, and the chips hand by hand."""

from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from bots.human.odds import Chances
from bots.human.session_record import SessionRecord

#: Lines of the history that are kept.
HISTORY_LINES = 500

#: What is drawn at random is never told as if it were exact.
LEAST_ERROR = 0.001

COUNTING = "Counting ..."
HOW_TO_ASK = "F1 counts your chances."


class History(VerticalScroll, can_focus=False):
    """The last lines, the newest at the bottom."""

    def __init__(self) -> None:
        super().__init__(Static(markup=False, id="lines"))
        self.lines: list[str] = []

    def add(self, line: str) -> None:
        """Append a line, and scroll down to it."""
        self.lines = [*self.lines, line][-HISTORY_LINES:]
        self.query_one("#lines", Static).update("\n".join(self.lines))
        self.scroll_end(animate=False)


class Odds(Static):
    """The person's chances, once they are counted; before, the names of the suits where they are not the usual ones.

    Attributes:
        legend: the names of the suits; empty where they are the usual ones.
    """

    legend = ""

    def clear(self, text: str) -> None:
        """Show no chances, but a line of text."""
        self.update("\n".join(filter(None, (text, self.legend))))

    def show(self, chances: Chances) -> None:
        """Show the chances in words."""
        self.update(chances_text(chances))


def chances_text(chances: Chances) -> str:
    """The chances in words."""
    how = f"counted to ±{max(chances.error, LEAST_ERROR):.1%}" if chances.error else "counted exactly"
    tied = f", shared {chances.tied:.1%}" if chances.tied >= 0.0005 else ""
    lines = [f"{chances.name}; {how}:", f"best {chances.pieces} {chances.best:.1%}{tied}"]
    lines += [] if chances.side is None else [f"{chances.side_name} {chances.side:.1%}"]
    price = f"; a call needs {chances.price:.1%}" if chances.price else ""
    return "\n".join([*lines, f"of the pot {chances.share:.1%}{price}"])


class ChipCurve(Widget):
    """The chips hand by hand, with the largest and the smallest number."""

    session: SessionRecord | None = None

    def render(self) -> str:
        """Draw the curve under a heading."""
        if self.session is None or len(self.session.chips) < 2:
            return "Your chips hand by hand."
        chips = self.session.chips
        lines = self.session.picture(self.size.width, max(self.size.height - 2, 1))
        return "\n".join([f"Your chips: at most {max(chips)}", *lines, f"at least {min(chips)}, now {chips[-1]}"])

"""Panes beside the table: the history in words, the person's chances, and the chips hand by hand."""

from itertools import zip_longest
from textwrap import fill

from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from bots.human.coach.advice import Advice, Option, equally_good
from bots.human.odds import Chances
from bots.human.session_record import SessionRecord

#: Lines of the history that are kept.
HISTORY_LINES = 500

#: What is drawn at random is never told as if it were exact.
LEAST_ERROR = 0.001

#: Columns of the pane for chances on a terminal of 50 to 79.
LEAST_WIDTH = 34

COUNTING = "Counting ..."
HOW_TO_ASK = "F1 counts your chances."
THINKING = "The coach deals the unseen cards ..."


class History(VerticalScroll, can_focus=False):
    """The last lines, the newest at the bottom."""

    def __init__(self) -> None:
        super().__init__(Static(markup=False, id="lines"))
        self.lines: list[str] = []

    def on_mount(self) -> None:
        """Stay at the last lines, however late they are laid out."""
        self.anchor()

    def add(self, line: str) -> None:
        """Append a line, and scroll down to it."""
        self.show([*self.lines, line][-HISTORY_LINES:])

    def show(self, lines: list[str]) -> None:
        """Show these lines instead, and scroll down to the last."""
        self.lines = lines
        self.query_one("#lines", Static).update("\n".join(self.lines))
        self.scroll_end(animate=False)

    def on_resize(self) -> None:
        """Keep the last lines in sight."""
        self.scroll_end(animate=False)


class Odds(Static):
    """The person's chances, once they are counted; before, the names of the suits where they are not the usual ones.

    Attributes:
        legend: the names of the suits; empty where they are the usual ones.
    """

    legend = ""

    def clear(self, text: str) -> None:
        """Show no chances, but a line of text."""
        # Textual breaks lines at no-break spaces, too, so that a suit could be apart from its name.
        self.update("\n".join(filter(None, (text, fill(self.legend, LEAST_WIDTH)))))

    def show(self, chances: Chances) -> None:
        self.update(chances_text(chances))

    def advise(self, advice: Advice) -> None:
        """Show the coach's advice."""
        self.update(advice_text(advice, self.size.width))


def chances_text(chances: Chances) -> str:
    """The chances in words, of which each line but that of the cards' name fits the narrowest pane."""
    how = f"exact to ±{max(chances.error, LEAST_ERROR):.1%}" if chances.error else "counted exactly"
    tied = f", shared {chances.tied:.1%}" if chances.tied >= 0.0005 else ""
    lines = [f"{chances.name}; {how}:", f"best {chances.pieces} {chances.best:.1%}{tied}"]
    lines += [] if chances.side is None else [f"{chances.side_name} {chances.side:.1%}"]
    price = f"; call needs {chances.price:.1%}" if chances.price else ""
    return "\n".join([*lines, f"pot share {chances.share:.1%}{price}"])


def advice_text(advice: Advice, width: int) -> str:
    """The advice in lines of ``width``: what the house's best would do, then the other options in two columns.

    If several options are equally good, they are marked with =, and nothing is advised. Where they do not fit, the
    number of deals is left out, and the errors of the other options.
    """
    house, equals = advice.option(advice.action), advice.equals
    deals = f", {advice.deals} deals" if advice.deals else ", exactly"
    head = f"{equally_good(equals)} (=)" if len(equals) > 1 else f"{advice.bot}: {_worth(house)} chips"
    head += f"{deals}:" if len(head) + len(deals) < width else ":"
    others = [option for option in advice.options if len(equals) > 1 or option is not house]
    marks = ["=\N{NO-BREAK SPACE}" if len(equals) > 1 and option.equal else "" for option in others]
    for text in (_worth, _chips):
        cells = [mark + text(option) for mark, option in zip(marks, others, strict=True)]
        left, right = cells[::2], cells[1::2]
        column = max(map(len, left), default=0) + 2
        if column + max(map(len, right), default=0) <= width:
            lines = [f"{first:<{column}}{second}".rstrip() for first, second in zip_longest(left, right, fillvalue="")]
            return "\n".join([head, *lines])
    return f"{head} {', '.join(cells)}"


def _worth(option: Option) -> str:
    """An option with its chips and their error; no line breaks inside it."""
    error = f"±{option.worth.error:.{_places(option)}f}" if option.worth.error else ""
    return f"{_chips(option)}{error}"


def _chips(option: Option) -> str:
    """An option with its chips; no line breaks inside it."""
    return f"{option.words} {option.worth.chips:+.{_places(option)}f}".replace(" ", "\N{NO-BREAK SPACE}")


def _places(option: Option) -> int:
    """How many decimals of its chips are worth reading."""
    return 0 if abs(option.worth.chips) >= 100 or option.worth.error >= 5 else 1


class ChipCurve(Widget):
    """The chips hand by hand, with the largest and the smallest number."""

    session: SessionRecord | None = None

    def render(self) -> str:
        """Draw the curve under a heading."""
        if self.session is None or len(self.session.chips) < 2:
            return "Your chips hand by hand.\nThe curve begins when a hand is over."
        chips = self.session.chips
        lines = self.session.picture(self.size.width, max(self.size.height - 2, 1))
        return "\n".join([f"Your chips: at most {max(chips)}", *lines, f"at least {min(chips)}, now {chips[-1]}"])

"""Screens that lie over the table for a moment."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from bots.human.panes import ChipCurve
from bots.human.session_record import Sitting
from protocol.games.blockhead import NAME as BLOCKHEAD

KEYS = """\
F1  o  ?      count your chances
F2  f         fold
F3  c         check, or call
F4  r         bet or raise what the slider says
+ -  arrows   move the slider; Home and End, to its ends
Enter         on to the next hand; makes the others hurry
F5  v         your chips hand by hand
PgUp PgDn     read the history
F8  h         this page
F10 Ctrl-Q    leave the table, at any time"""

STUD_RULES = """\
One card in the hole, one up; bets; a second card up; bets.
A raise is 1 to 10 chips. Three of a kind beat a pair beats
high cards. Half the pot goes to the best cards, half to
the highest spade in the hole, if somebody holds one."""

BLOCKHEAD_RULES = """\
One card in the hole, two up; bets; a third; bets; a fourth;
bets. A raise is 1 to 10 chips, three raises a street.
Ace 1, faces 10: the largest sum of five cards wins. Equal
cards leave the pot for the next hand. Debts are allowed."""


class Dialog(ModalScreen[str]):
    """A box with text and buttons; its result is the name of the button, or ``escape``.

    Args:
        text: what is said.
        buttons: label by name; the first has the focus.
        sitting: whose curve is shown under the text; None shows none.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "dismiss('escape')"),
        ("left", "app.focus_previous"),
        ("right", "app.focus_next"),
    ]

    def __init__(self, text: str, buttons: dict[str, str], sitting: Sitting | None = None) -> None:
        super().__init__()
        self._text = text
        self._buttons = buttons
        self._sitting = sitting

    def compose(self) -> ComposeResult:
        """Text above buttons."""
        with Vertical(id="box"):
            if self._text:
                yield Static(self._text, markup=False, id="text")
            if self._sitting is not None:
                curve = ChipCurve()
                curve.sitting = self._sitting
                yield curve
            with Horizontal(id="buttons"):
                for name, label in self._buttons.items():
                    yield Button(label, id=name, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Close with the button's name."""
        self.dismiss(event.button.id or "")


def help_page(game: str) -> Dialog:
    """The keys and the rules."""
    rules = BLOCKHEAD_RULES if game == BLOCKHEAD else STUD_RULES
    return Dialog(f"{rules}\n\n{KEYS}", {"close": "Back to the table"})


def chip_page(sitting: Sitting) -> Dialog:
    """The chips hand by hand."""
    return Dialog("", {"close": "Back to the table"}, sitting)


def leaving(stack: int | None) -> Dialog:
    """Whether the person really leaves."""
    kept = "" if stack is None else f" You keep the {stack} chips in front of you; what you put in the pot stays there."
    return Dialog(f"Leave the table?{kept}", {"leave": "Leave", "stay": "Stay"})


def ended(sitting: Sitting, again: bool, lobby: bool) -> Dialog:
    """The end of a game, and what can follow."""
    buttons = {"again": "Play again"} if again else {}
    buttons |= {"lobby": "Other opponents"} if lobby else {}
    return Dialog(
        "\n".join(sitting.words),
        {**buttons, "leave": "Leave"},
        sitting if len(sitting.chips) > 1 else None,
    )

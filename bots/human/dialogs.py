"""Dialogs over the table: help, the chips hand by hand, leaving, and the end of a game."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from bots.human.game_seat import GameSeat
from bots.human.panes import ChipCurve
from bots.human.session_record import SessionRecord
from protocol.plurals import plural

ODDS_KEY = "F1  o  ?      count your chances\n"
COACH_KEY = "F6  a         ask the coach; not at a dealer's table\n"
REVIEW_KEY = "F9  w         your dearest decisions; not at a dealer's table\n"

PAY_KEYS = f"""\
{ODDS_KEY}F2  f         fold
F3  c         """

RAISE_KEYS = """\
F4  r         bet or raise; the slider has what you put in
+ -  arrows   move the slider; Home and End, to its ends
1 2 3         raise half the pot, the pot, as much as allowed
"""

OTHER_KEYS = f"""\
Enter         on to the next hand; makes the others hurry
F5  v         your chips hand by hand
{COACH_KEY}F7  e         check or call to the end of the hand
{REVIEW_KEY}PgUp PgDn     read the history
F8  h         this page
F10 Ctrl-Q    leave the table, at any time"""


class Dialog(ModalScreen[str]):
    """A box with text and buttons; its result is the name of the button, or ``escape``.

    Args:
        text: what is said.
        buttons: label by name; the first has the focus.
        session: whose curve is shown under the text; None shows none.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "dismiss('escape')"),
        ("left", "app.focus_previous"),
        ("right", "app.focus_next"),
    ]

    def __init__(self, text: str, buttons: dict[str, str], session: SessionRecord | None = None) -> None:
        super().__init__()
        self._text = text
        self._buttons = buttons
        self._session = session

    def compose(self) -> ComposeResult:
        """Text above buttons."""
        with Vertical(id="box"):
            if self._text:
                yield Static(self._text, markup=False, id="text")
            if self._session is not None:
                curve = ChipCurve()
                curve.session = self._session
                yield curve
            with Horizontal(id="buttons"):
                for name, label in self._buttons.items():
                    yield Button(label, id=name, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Close with the button's name."""
        self.dismiss(event.button.id or "")


#: The key that leaves the table works on its pages, too; the table then asks whether that is meant.
LEAVE: BindingType = ("f10,ctrl+q", "dismiss('leave')")


class HelpPage(Dialog):
    """A dialog that the key closes which has opened it; its result is ``leave`` by the key that leaves the table."""

    BINDINGS: ClassVar[list[BindingType]] = [("f8,h", "dismiss('close')"), LEAVE]


class ChipPage(Dialog):
    """The chips hand by hand; the key closes them which has opened them. For its result see ``HelpPage``."""

    BINDINGS: ClassVar[list[BindingType]] = [("f5,v", "dismiss('close')"), LEAVE]


def rules_page(rules: str) -> Dialog:
    """The rules alone, for the lobby."""
    return HelpPage(rules, {"close": "Back to the lobby"})


def help_page(rules: str, seat: GameSeat | None) -> Dialog:
    """The rules, where the game is known, and the keys that do something in it."""
    keys = PAY_KEYS + ("check, or call\n" + RAISE_KEYS if seat is None or seat.raises else "bet, or call\n")
    keys += OTHER_KEYS
    if seat is not None and not seat.counts_chances:
        keys = keys.replace(ODDS_KEY, "")
    if seat is not None and seat.coach is None:
        keys = keys.replace(COACH_KEY, "").replace(REVIEW_KEY, "")
    return HelpPage(f"{rules}\n\n{keys}" if rules else keys, {"close": "Back to the table"})


def chip_page(session: SessionRecord) -> Dialog:
    """The chips hand by hand."""
    return ChipPage("", {"close": "Back to the table"}, session)


class FoldPage(Dialog):
    """Asks whether the person really wants to fold, where a check is free; its result is ``check`` or ``fold``."""

    def __init__(self) -> None:
        super().__init__("Fold, though a check costs nothing?", {"check": "Check", "fold": "Fold"})


def leaving(stack: int | None) -> Dialog:
    """Ask whether the person really wants to leave."""
    kept = ""
    if stack is not None:
        kept = f" You keep the {plural(stack, 'chip')} in front of you; what you put in the pot stays there."
    return Dialog(f"Leave the table?{kept}", {"leave": "Leave", "stay": "Stay"})


def ended(session: SessionRecord, again: bool, lobby: bool) -> Dialog:
    """The end of a game, and what the person can do next."""
    buttons = {"again": "Play again"} if again else {}
    buttons |= {"lobby": "Other opponents"} if lobby else {}
    buttons |= {"leave": "Leave"}
    buttons |= {"review": "Review"} if session.decisions else {}
    return Dialog(
        "\n".join(session.words),
        buttons,
        session if len(session.chips) > 1 else None,
    )

"""The review of a session on the screen: how far it is, then the dearest decisions."""

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Button, Static
from textual.worker import get_current_worker

from bots.human.coach.deals import StoppedError
from bots.human.coach.review import METHOD, NOTHING_DECIDED, review, review_lines
from bots.human.session_record import SessionRecord
from bots.strategy import StrategyError


class Progressed(Message):
    """The review has come so far.

    Attributes:
        text: for the screen.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Reviewed(Message):
    """The review is done.

    Attributes:
        lines: the dearest decisions.
    """

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = lines


class ReviewScreen(ModalScreen[None]):
    """A box with the review; closing it stops the work.

    Args:
        session: whose decisions are looked at; it keeps the lines.
        seed: all chance of the review follows from it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss")]

    def __init__(self, session: SessionRecord, seed: str) -> None:
        super().__init__()
        self._session = session
        self._seed = seed

    def compose(self) -> ComposeResult:
        """Text above a button."""
        with Vertical(id="box"):
            yield Static("", markup=False, id="text")
            with Horizontal(id="buttons"):
                yield Button("Close", id="close", compact=True)

    def on_mount(self) -> None:
        """Begin to look at the decisions, if there are any."""
        if self._session.decisions:
            self._review()
        else:
            self._say(NOTHING_DECIDED)

    @work(thread=True, exclusive=True, group="review")
    def _review(self) -> None:
        worker = get_current_worker()

        def progress(done: int, looks: int) -> None:
            self.post_message(Progressed(f"Your decisions are dealt again: {done} of {looks} ... Escape stops."))

        try:
            dearest = review(list(self._session.decisions), self._seed, progress, lambda: worker.is_cancelled)
        except StoppedError:
            return
        except StrategyError as error:
            self.post_message(Progressed(f"The review is not possible: {error}"))
            return
        self.post_message(Reviewed(review_lines(dearest)))

    @on(Progressed)
    def _progressed(self, message: Progressed) -> None:
        self._say(message.text)

    @on(Reviewed)
    def _reviewed(self, message: Reviewed) -> None:
        self._session.dearest = message.lines
        self._say("\n".join([*message.lines, "", METHOD]))

    def _say(self, text: str) -> None:
        self.query_one("#text", Static).update(text)

    @on(Button.Pressed)
    def _close(self) -> None:
        self.dismiss()

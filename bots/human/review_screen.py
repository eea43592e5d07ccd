"""The review of a session on the screen: how far it is, then the dearest decisions."""

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static
from textual.worker import get_current_worker

from bots.human.coach.review import METHOD, NOTHING_DECIDED, review, review_lines
from bots.human.session_record import SessionRecord
from bots.strategy import StrategyError
from dealer.audit.decision_value.deals import NoLongerWanted


class ReviewScreen(ModalScreen[None]):
    """A box with the review; closing it stops the work."""

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
            self.call_later(self._say, f"Your decisions are dealt again: {done} of {looks} ... Escape stops.")

        try:
            dearest = review(list(self._session.decisions), self._seed, progress, lambda: worker.is_cancelled)
        except NoLongerWanted:
            return
        except StrategyError as error:
            self.call_later(self._say, f"The review is not possible: {error}")
            return
        self.call_later(self._reviewed, review_lines(dearest))

    def _reviewed(self, lines: list[str]) -> None:
        self._session.dearest = lines
        self._say("\n".join([*lines, "", METHOD]))

    def _say(self, text: str) -> None:
        self.query_one("#text", Static).update(text)

    @on(Button.Pressed)
    def _close(self) -> None:
        self.dismiss()

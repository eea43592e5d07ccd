"""A slider for the chips of a raise: it has the legal amounts and no others."""

from rich.text import Text
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

#: Columns of the two arrows.
_ENDS = 2


class Slider(Widget):
    """A row with a knob; mouse and keys move it."""

    amounts: reactive[range] = reactive(range(0))
    amount: reactive[int] = reactive(0)

    class Moved(Message):
        """The knob has moved."""

    def offer(self, amounts: range) -> None:
        """Let ``amounts`` be chosen from, the smallest at first; an empty range leaves nothing to choose."""
        self.amounts = amounts
        self.amount = amounts[0] if amounts else 0

    def step(self, by: int) -> None:
        """Move the knob, as far as there are amounts."""
        self._move(self.amount + by)

    def to_end(self, last: bool) -> None:
        """Move the knob to the largest amount, or to the smallest."""
        if self.amounts:
            self._move(self.amounts[-1 if last else 0])

    def _move(self, amount: int) -> None:
        if self.amounts:
            self.amount = min(max(amount, self.amounts[0]), self.amounts[-1])
            self.post_message(self.Moved())

    def render(self) -> Text:
        """``◀───●──▶``"""
        width = max(self.size.width - _ENDS, 1)
        if not self.amounts:
            return Text("─" * (width + _ENDS), "dim")
        steps = max(len(self.amounts) - 1, 1)
        knob = (self.amount - self.amounts[0]) * (width - 1) // steps
        return Text.assemble("◀", "━" * knob, ("●", "bold"), "─" * (width - 1 - knob), "▶")

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the knob; an arrow moves it by one."""
        if event.x == 0 or event.x == self.size.width - 1:
            self.step(1 if event.x else -1)
            return
        self.capture_mouse()
        self._move_to(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Pull the knob."""
        if self.app.mouse_captured is self:
            self._move_to(event.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go."""
        self.release_mouse()

    def _move_to(self, column: int) -> None:
        width = max(self.size.width - _ENDS - 1, 1)
        if self.amounts:
            self._move(self.amounts[0] + round((column - 1) * (len(self.amounts) - 1) / width))

"""The bar where the person bets: three buttons and a slider, which offer the legal actions and no others."""

from collections.abc import Callable
from typing import Any

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Button, Static

from bots.human.answers import nearest_place, pot_raise, raise_words
from bots.human.game_seat import GameSeat, always_call
from protocol.games.base import FOLD, Action, Bet, Turn

#: Columns of the two arrows.
ARROWS = 2

#: Columns from which on there is room for ``Raise to 1000`` beside the bounds of a raise.
ROOMY = 60


class Slider(Widget):
    """A row with a knob for the chips of a raise; it has the legal amounts and no others. Mouse and keys move it.

    Attributes:
        amounts: what can be chosen, from small to large; not every number in games with fixed bets.
        amount: what is chosen.
    """

    amounts: reactive[range] = reactive(range(0))
    amount: reactive[int] = reactive(0)

    class Moved(Message):
        """The knob has moved."""

    def offer(self, amounts: range) -> None:
        """Offer ``amounts``, with the smallest chosen at first; with an empty range there is nothing to choose."""
        self.amounts = amounts
        self.amount = amounts[0] if amounts else 0

    def step(self, by: int) -> None:
        """Move the knob by so many amounts, at most to an end."""
        if self.amounts:
            self._choose(self.amounts.index(self.amount) + by)

    def near(self, amount: float) -> None:
        """Move the knob to the amount that is nearest to ``amount``."""
        if self.amounts:
            self._choose(nearest_place(self.amounts, amount))

    def to_end(self, last: bool) -> None:
        """Move the knob to the largest amount, or to the smallest."""
        if self.amounts:
            self._choose(len(self.amounts) - 1 if last else 0)

    def _choose(self, place: int) -> None:
        """Choose the amount at ``place``, or the nearest one if there is none."""
        self.amount = self.amounts[min(max(place, 0), len(self.amounts) - 1)]
        self.post_message(self.Moved())

    def render(self) -> Text:
        width = max(self.size.width - ARROWS, 1)
        if not self.amounts:
            return Text("─" * (width + ARROWS), "dim")
        steps = max(len(self.amounts) - 1, 1)
        knob = self.amounts.index(self.amount) * (width - 1) // steps
        return Text.assemble("◀", "━" * knob, ("●", "bold"), "─" * (width - 1 - knob), "▶")

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take the knob; a click on an arrow moves it by one."""
        if event.x == 0 or event.x == self.size.width - 1:
            self.step(1 if event.x else -1)
            return
        self.capture_mouse()
        self._move_to(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.app.mouse_captured is self:
            self._move_to(event.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Release the knob."""
        self.release_mouse()

    def _move_to(self, column: int) -> None:
        width = max(self.size.width - ARROWS - 1, 1)
        if self.amounts:
            self._choose(round((column - 1) * (len(self.amounts) - 1) / width))


class Amount(Widget):
    """What a raise puts in and may put in, in as many words as there is room for.

    Attributes:
        texts: to choose from, from long to short.
    """

    texts: reactive[tuple[str, ...]] = reactive(())

    def render(self) -> Text:
        """Draw the longest text that fits; none rather than a number that is cut."""
        return Text(next((text for text in self.texts if len(text) <= self.size.width), ""))


class BetBar(Vertical):
    """A prompt, three buttons and a slider. Keys belong to the screen, which calls the methods here."""

    class Answered(Message):
        """The person has chosen."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    class FoldsForNothing(Message):
        """The person wants to fold where a check is free, and is to be asked whether that is meant."""

    def __init__(self) -> None:
        super().__init__()
        self._turn: Turn | None = None
        self._put: int | None = None
        self._pay_word: Callable[[Any], str] = always_call

    def compose(self) -> ComposeResult:
        """Yield a line of text above a line of controls."""
        yield Static(id="prompt", markup=False)
        with Horizontal(id="controls"):
            for name in ("fold", "call", "raise"):
                button = Button(name.title(), id=name, compact=True)
                button.can_focus = False  # all keys belong to the screen: Enter never bets by accident
                yield button
            yield Slider()
            yield Amount()

    def on_mount(self) -> None:
        """Offer nothing until the first question."""
        self.close("")

    def suit(self, seat: GameSeat) -> None:
        """Show no raises in a game that has none, and name what the person pays as that game does."""
        self._pay_word = seat.pay_word
        self.set_class(not seat.raises, "-no-raises")

    def open(self, turn: Turn, put: int | None) -> None:
        """Offer what ``turn`` allows; for ``put`` see ``Asked``."""
        self._turn, self._put = turn, put
        self.query_one("#controls").visible = True
        legal = turn.legal()
        self.query_one(Slider).offer(legal.raises)
        all_in = ", which is all you have" if turn.owed == turn.stack else ""
        owed = f"you owe {turn.owed}{all_in}" if turn.owed else "nothing to pay"
        has = "" if turn.stack is None else f", you have {turn.stack}"
        self._say(f"Your turn: {owed}, the pot is {turn.pot}{has}.")
        self.query_one("#fold", Button).disabled = not legal.fold
        self.query_one("#call", Button).disabled = not legal.call
        self.query_one("#raise", Button).disabled = not legal.raises
        pay = f"{self._pay_word(turn).title()} {turn.owed}" if turn.owed else "Check"
        self.query_one("#call", Button).label = f"F3 {pay}"
        self.query_one("#fold", Button).label = "F2 Fold"
        self._show_amount()

    def close(self, text: str) -> None:
        """Offer nothing, and say ``text`` instead."""
        self._turn = None
        self.query_one(Slider).offer(range(0))
        for button in self.query(Button):
            button.disabled = True
        self.query_one("#controls").visible = False  # "F3 Call 10" would be an offer that stands no longer
        self.query_one(Amount).texts = ()
        self._say(text)

    def fold(self, *, sure: bool = False) -> None:
        """Fold, if that is allowed; where a check is free, only if the person is ``sure``."""
        turn = self._turn
        if turn is None or not turn.legal().fold:
            return
        if turn.owed or not turn.legal().call or sure:
            self._answer(FOLD)
        else:
            self.post_message(self.FoldsForNothing())

    def call(self) -> None:
        """Check or call, if that is allowed."""
        if self._turn is not None and self._turn.legal().call:
            self._answer(Bet(self._turn.owed))

    def raise_(self) -> None:
        """Bet or raise the amount of the slider, if that is allowed."""
        if self._turn is not None and self._turn.legal().raises:
            self._answer(Bet(self.query_one(Slider).amount))

    def raise_by(self, share: float) -> None:
        """Move the slider to a raise by a ``share`` of the pot as it is after a call, or to the nearest one."""
        if (turn := self._turn) is not None:
            self.query_one(Slider).near(pot_raise(turn, share))

    def _answer(self, action: Action) -> None:
        self.close("")
        self.post_message(self.Answered(action))

    @on(events.Resize)
    @on(Slider.Moved)
    def _show_amount(self) -> None:
        if self._turn is None:
            return
        raises, amount = self._turn.legal().raises, self.query_one(Slider).amount
        verb = "Raise" if self._turn.owed or self._put is not None else "Bet"
        said = raise_words(amount, self._turn.owed, self._put) if raises else verb
        if self.size.width < ROOMY:
            said = said.replace("Raise to", "To")
        if raises and amount == self._turn.stack:
            said = f"All in {amount}"
        button = self.query_one("#raise", Button)
        button.label = f"F4 {said}"
        button.refresh(layout=True)  # a longer label needs a wider button
        if raises:
            bounds = f"{raises[0]}-{raises[-1]}"
            self.query_one(Amount).texts = (f"puts in {amount} of {bounds}", f"{amount} of {bounds}", bounds)
        else:
            self.query_one(Amount).texts = ("no raise is left", "no raise")

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        {"fold": self.fold, "call": self.call, "raise": self.raise_}[event.button.id or ""]()

    def _say(self, text: str) -> None:
        self.query_one("#prompt", Static).update(text)

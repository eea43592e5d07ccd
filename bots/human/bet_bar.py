"""Where the person bets: what may be answered now, and nothing else."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Static

from bots.human.slider import Slider
from protocol.games.base import FOLD, Action, Bet, Turn


class BetBar(Vertical):
    """A prompt, three buttons and a slider. Keys belong to the screen, which calls the methods here."""

    class Answered(Message):
        """The person has chosen."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__()
        self._turn: Turn | None = None

    def compose(self) -> ComposeResult:
        """A line of text above a line of controls."""
        yield Static(id="prompt", markup=False)
        with Horizontal(id="controls"):
            for name in ("fold", "call", "raise"):
                button = Button(name.title(), id=name, compact=True)
                button.can_focus = False  # all keys belong to the screen: Enter never bets by accident
                yield button
            yield Slider()
            yield Static(id="amount")

    def on_mount(self) -> None:
        """Nothing is asked yet."""
        self.close("")

    def open(self, turn: Turn) -> None:
        """Offer what ``turn`` allows."""
        self._turn = turn
        legal = turn.legal()
        self.query_one(Slider).offer(legal.raises)
        owed = f"you owe {turn.owed}" if turn.owed else "nothing to pay"
        self._say(f"Your turn: {owed}, the pot is {turn.pot}, you have {turn.stack}.")
        self.query_one("#fold", Button).disabled = not legal.fold
        self.query_one("#call", Button).disabled = not legal.call
        self.query_one("#raise", Button).disabled = not legal.raises
        self.query_one("#call", Button).label = f"F3 Call {turn.owed}" if turn.owed else "F3 Check"
        self.query_one("#fold", Button).label = "F2 Fold"
        self._show_amount()

    def close(self, text: str) -> None:
        """Offer nothing, and say ``text`` instead."""
        self._turn = None
        self.query_one(Slider).offer(range(0))
        for button in self.query(Button):
            button.disabled = True
        self.query_one("#amount", Static).update("")
        self._say(text)

    def fold(self) -> None:
        """Give up, if that is allowed."""
        if self._turn is not None and self._turn.legal().fold:
            self._answer(FOLD)

    def call(self) -> None:
        """Put in what is owed, if anything was asked."""
        if self._turn is not None and self._turn.legal().call:
            self._answer(Bet(self._turn.owed))

    def raise_(self) -> None:
        """Put in what the slider says, if a raise is allowed."""
        if self._turn is not None and self._turn.legal().raises:
            self._answer(Bet(self.query_one(Slider).amount))

    def _answer(self, action: Action) -> None:
        self.close("")
        self.post_message(self.Answered(action))

    @on(Slider.Moved)
    def _show_amount(self) -> None:
        if self._turn is None:
            return
        raises, amount = self._turn.legal().raises, self.query_one(Slider).amount
        verb = "Raise" if self._turn.owed else "Bet"
        self.query_one("#raise", Button).label = f"F4 {verb} {amount - self._turn.owed}"
        text = f"puts in {amount} of {raises[0]}-{raises[-1]}" if raises else "no raise is left"
        self.query_one("#amount", Static).update(text)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        {"fold": self.fold, "call": self.call, "raise": self.raise_}[event.button.id or ""]()

    def _say(self, text: str) -> None:
        self.query_one("#prompt", Static).update(text)

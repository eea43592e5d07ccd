"""The lobby: a form in which a person orders a table, and the list of bots in it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.validation import Integer
from textual.widgets import Button, Footer, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from bots.catalogue import Entry, playing
from bots.human.card_pictures import suit_list
from bots.human.dialogs import rules_page
from bots.human.game_seat import load_seat
from bots.human.table_order import LEVELS, SPEEDS, Order, check, of_level
from dealer.errors import OptionError

#: Before a bot, by whether it is chosen; readable without colours.
MARKS = {True: "[x]", False: "[ ]"}


class BotList(OptionList):
    """Bots with their level and source; Enter or a click chooses one, or takes it back.

    Args:
        chosen: the names of those that are chosen at first.
    """

    def __init__(self, bots: Sequence[Entry], chosen: Sequence[str]) -> None:
        self._bots = bots
        self._width = max((len(bot.name) for bot in bots), default=0)
        self.chosen = tuple(chosen)
        super().__init__(*(Option(self._line(bot), bot.name) for bot in bots), compact=True)

    def choose(self, names: Sequence[str]) -> None:
        """Choose these and no others."""
        self.chosen = tuple(names)
        for bot in self._bots:
            self.replace_option_prompt(bot.name, self._line(bot))

    def _line(self, bot: Entry) -> Text:
        mark = MARKS[bot.name in self.chosen]
        line = Text(f"{mark} {bot.name:<{self._width}}  {bot.level:<6}  {bot.source}", no_wrap=True)
        line.overflow = "ellipsis"
        return line

    @on(OptionList.OptionSelected)
    def _toggle(self, event: OptionList.OptionSelected) -> None:
        name = event.option.id
        self.choose([bot.name for bot in self._bots if (bot.name in self.chosen) != (bot.name == name)])


class LobbyScreen(Screen[Order]):
    """A form; its result is the order. Fields begin with what was asked for on the command line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f4,ctrl+s", "sit_down", "Sit down"),
        Binding("f8", "rules", "Rules"),
        Binding("f10,ctrl+q", "app.quit", "Leave"),
    ]

    def __init__(self, order: Order) -> None:
        super().__init__()
        self._order = order
        self._bots = playing(order.game)
        self._stack = next(entry for entry in order.agreed.options() if entry.name == "stack")

    def compose(self) -> ComposeResult:
        """The fields, from the one that most people change to the one that few do."""
        order = self._order
        yield Static(f"Casino Day · {order.agreed.title}", id="status", markup=False)
        with Vertical(id="form"):
            with Horizontal(classes="field"):
                yield Label("Level")
                levels = [(level, level) for level in LEVELS]
                yield Select(levels, value=order.level, allow_blank=False, compact=True, id="level")
            with Horizontal(classes="field"):
                yield Label("Opponents")
                counts = range(1, order.most_opponents + 1)
                yield Select(
                    [(str(count), count) for count in counts],
                    value=len(order.seats),
                    allow_blank=False,
                    compact=True,
                    id="count",
                )
            with Horizontal(classes="field"):
                yield Label("Chips")
                yield Input(
                    str(order.agreed.stack),
                    type="integer",
                    max_length=10,
                    validators=[Integer(self._stack.least, self._stack.most)],
                    compact=True,
                )
            with Horizontal(classes="field"):
                yield Label("Speed")
                speeds = [(speed, speed) for speed in SPEEDS]
                yield Select(speeds, value=order.speed, allow_blank=False, compact=True, id="speed")
            yield Label("Who may sit down (Enter chooses); seats are filled in turn")
            yield BotList(self._bots, order.against or of_level(self._bots, order.level))
            yield Static(id="trouble", markup=False)
            yield Button("Sit down", variant="primary", id="sit", compact=True)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Focus the button, so that Enter sits down at once."""
        self.query_one("#sit").focus()

    @on(Select.Changed, "#level")
    def _level_changed(self, event: Select.Changed) -> None:
        if event.value != self._order.level:
            self._order = replace(self._order, level=str(event.value), against=())
            self.query_one(BotList).choose(of_level(self._bots, str(event.value)))

    @on(Button.Pressed)
    def action_sit_down(self) -> None:
        """Close with the order, or say what is wrong with it."""
        try:
            order = self._filled_in()
            check(order)
        except (OptionError, LookupError) as error:
            self.query_one("#trouble", Static).update(str(error))
        else:
            self.dismiss(order)

    def action_rules(self) -> None:
        """Show the rules of the game."""
        suits = suit_list(self._order.agreed.suits)
        rules = load_seat(self._order.game).rules
        self.app.push_screen(rules_page("\n".join(filter(None, (rules, suits)))), self._after_the_rules)

    def _after_the_rules(self, choice: str | None) -> None:
        if choice == "leave":
            self.app.exit()

    def _filled_in(self) -> Order:
        chips, against = self.query_one(Input), self.query_one(BotList).chosen
        if not chips.is_valid or not chips.value:
            bounds = f"{self._stack.least} to {self._stack.most}"
            raise OptionError(f"chips are a whole number from {bounds}, got {chips.value!r}")
        if not against:
            raise OptionError("choose at least one opponent from the list")
        return replace(
            self._order,
            against=against,
            opponents=int(str(self.query_one("#count", Select).value)),
            options={**self._order.options, "stack": int(chips.value)},
            speed=str(self.query_one("#speed", Select).value),
        )

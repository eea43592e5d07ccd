"""A list of bots to choose from, with a mark that needs no colour."""

from collections.abc import Sequence

from rich.text import Text
from textual import on
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from bots.catalogue import Entry

MARKS = {True: "[x]", False: "[ ]"}


class BotList(OptionList):
    """Bots with their level and source; Enter or a click chooses one, or takes it back.

    Args:
        bots: those there are.
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

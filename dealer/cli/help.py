"""The help of commands: groups of commands and flags, and examples from the docstrings of the commands."""

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Group, Parameter

if TYPE_CHECKING:
    from rich.console import Console

#: The groups of flags in the order in which help shows them; a command has some of them. Limits are last (``net``).
PLAYERS = Group("Players", sort_key=10)
GAME = Group("The game", sort_key=20)
TOURNAMENT = Group("The tournament", sort_key=30)
PAGE = Group("The page", sort_key=40)
PORTS = Group("Addresses and ports", sort_key=50)
OUTPUT = Group("Journal and output", sort_key=60)
ACPC = Group("Programs of the ACPC", sort_key=70)

#: The groups of commands in the order of ``casino --help``, with the names of their commands.
COMMAND_GROUPS = {
    Group("Host", sort_key=1): ("serve", "league", "resume", "desk", "page", "replay", "report", "verify"),
    Group("Write a bot", sort_key=2): ("new", "check", "practice", "regress", "bot", "bots"),
    Group("Play", sort_key=3): ("play",),
    Group("Study", sort_key=4): ("simulate", "round-robin", "worker", "collusion", "import", "bench"),
}

#: The group of commands that other packages bring.
_OTHERS = Group("Commands of other packages", sort_key=5)


#: Arguments and flags that are in no other group: the first group of every command.
FIRST = Group("Parameters", sort_key=0)


#: The last lines of the list of commands.
_MORE = """
casino COMMAND --help shows the flags of a command, and examples. The file
casino.toml in your configuration folder can hold your usual flags. --config FILE
reads another one instead, --no-config reads no file."""


def place(name: str) -> tuple[Group, int]:
    """The group in which the list of commands shows a command, and its place there."""
    for group, names in COMMAND_GROUPS.items():
        if name in names:
            return group, names.index(name)
    return _OTHERS, 0


def examples(docstring: str) -> str:
    """The lines of the section "Examples" of a docstring, which is the last one; empty if there is none."""
    _, found, lines = inspect.cleandoc(docstring).partition("\nExamples\n--------\n")
    return lines.strip() if found else ""


class HelpfulApp(App):
    """A command line whose help of a command ends with the examples of its docstring."""

    def help_print(
        self,
        tokens: Annotated[str | Iterable[str] | None, Parameter(show=False)] = None,
        *,
        console: Annotated[Any, Parameter(parse=False)] = None,
    ) -> None:
        """Print the help of the command that ``tokens`` name."""
        super().help_print(tokens, console=console)
        asked = self.parse_commands(tokens)[1][-1]
        if asked is self:
            (console or self.console).print(_MORE)
        elif shown := examples(asked.help):
            _print_examples(console or self.console, shown)


def _print_examples(console: "Console", shown: str) -> None:
    """Print examples without a frame, so that a line can be copied."""
    from rich.text import Text  # noqa: PLC0415 - the list of commands has no examples

    console.print(Text("\nExamples:", style="bold"))
    for line in shown.splitlines():
        console.print(Text(f"  {line}", style="dim" if line.startswith("#") else ""), soft_wrap=True)

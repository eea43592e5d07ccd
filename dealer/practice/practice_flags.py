"""The flags of ``casino practice``."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.types import Port
from cyclopts.validators import Number

from dealer.cli.flag_types import A_BOT, Count, Pythons, Sandboxed, Seconds, Switch
from dealer.cli.game_flags import GameName
from dealer.practice.game_practice import PRACTICES
from protocol.installed import installed_names

Tournaments = Annotated[int, Parameter(validator=Number(gte=1, lte=1000))]


def _game_name() -> Any:
    """The type of the game. Any installed one is taken, because what practice says of others is clearer."""
    text = f"What is played: {', '.join(installed_names(PRACTICES))}."
    return Annotated[GameName, Parameter(help=text, show_choices=False)]


if TYPE_CHECKING:
    PractisedGameName = str
else:
    PractisedGameName = _game_name()


@Parameter(name="*")
@dataclass(frozen=True)
class PracticeFlags:
    """How a program practises.

    Parameters
    ----------
    against
        House bot to play against; without any, one of each that plays the game. May be given several times.
    tournaments
        How many are played, one after the other, on one connection.
    stack
        Chips of every player at the start of each tournament; 200, or as many as a preset has.
    levels
        Hands after which the stakes rise; 10 in a game in which they can rise.
    level_table
        A TOML file of levels, or the built-in table sit-and-go.
    seed
        Any text; the same text deals the same cards. Without it, chance decides.
    limit
        Seconds until a reply is late.
    no_clock
        No reply is ever late: for a program that is stopped by a debugger.
    listen
        Wait at this port for a program that you start yourself, such as in a debugger.
    patience
        Seconds the program may take to connect: 30, or with --listen or --no-clock as long as you like.
    out
        The folder that gets the journal; by default one in your data folder.
    json
        Print the results as JSON.
    """

    against: Annotated[tuple[str, ...], A_BOT] = ()
    tournaments: Tournaments = 10
    stack: Count | None = None
    levels: Count | None = None
    level_table: str | None = None
    seed: str | None = None
    limit: Seconds = 1.0
    no_clock: Switch = False
    listen: Port | None = None
    patience: Seconds | None = None
    sandbox: Sandboxed = False
    sandbox_python: Pythons = ()
    out: Path | None = None
    json: Switch = False

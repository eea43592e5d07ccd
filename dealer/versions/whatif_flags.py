"""The flags of ``casino whatif``."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from dealer.cli.completion import complete_bot
from dealer.cli.flags import Seconds

Shown = Annotated[int, Parameter(validator=Number(gte=1, lte=1000))]


@Parameter(name="*")
@dataclass(frozen=True)
class WhatIfFlags:
    """How a journal is played again.

    Parameters
    ----------
    replace
        The player and its new version, such as Steph="java Poker {host} {port}" or Steph=tight: an id or an avatar, and
        a command or a house bot.
    opponents
        House bot that stands in for the other players where they see something else than in the journal. Without it a
        house bot stands in for itself, and for the others the first house bot of a league of the game.
    opponent
        Who stands in for one player, such as Anna="python3 anna.py {host} {port}" or Anna=caller. May be given several
        times.
    shown
        How many of the hands that changed most are shown, and written with --out.
    seed
        Any text, from which the chance of house bots follows. The cards are those of the journal.
    limit
        Seconds until a reply is late.
    patience
        Seconds a program may take to connect: 30.
    sandbox
        Run programs in a sandbox, where they see their own folder and the dealer's port; needs bubblewrap, on Linux.
    sandbox_python
        The folder of another Python that programs may use in the sandbox, such as /opt/python3.13. May be given several
        times.
    out
        Write the hands that changed most to this HTML file, in which both versions are played side by side.
    json
        Print the results as JSON.
    """

    replace: str
    opponents: Annotated[str | None, Parameter(completer=complete_bot)] = None
    opponent: Annotated[tuple[str, ...], Parameter(negative=())] = ()
    shown: Shown = 10
    seed: str = "casino"
    limit: Seconds = 1.0
    patience: Seconds | None = None
    sandbox: Annotated[bool, Parameter(negative=())] = False
    sandbox_python: Annotated[tuple[Path, ...], Parameter(negative=())] = ()
    out: Path | None = None
    json: Annotated[bool, Parameter(negative=())] = False

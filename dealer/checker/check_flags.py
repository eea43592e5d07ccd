"""The flags of ``casino check``."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import Port
from cyclopts.validators import Number

from dealer.cli.flag_types import Pythons, Sandboxed, Seconds, Switch

Percent = Annotated[float, Parameter(name="--pass", validator=Number(gte=0, lte=100))]
Hands = Annotated[int, Parameter(validator=Number(gte=20, lte=100_000))]


@Parameter(name="*")
@dataclass(frozen=True)
class CheckFlags:
    """How a program is checked.

    Parameters
    ----------
    listen
        Wait at this port for a program that you start yourself, once for each part of the check.
    limit
        Seconds until a reply is late.
    patience
        Seconds the program may take to connect: 30, or with --listen as long as you like.
    hands
        Hands of all kinds to be played; most bring one or two questions.
    seed
        Any text; the same text deals the same cards.
    lines
        Lines of text instead of writeUTF frames.
    needed
        Per cent of the points that are needed for exit code 0; without it, every rule must be kept.
    save
        Write everything both sides say to this new file.
    junit
        Write the results to this file as JUnit XML; an existing file is replaced.
    json
        Print the results as JSON.
    """

    listen: Port | None = None
    limit: Seconds = 1.0
    patience: Seconds | None = None
    sandbox: Sandboxed = False
    sandbox_python: Pythons = ()
    hands: Hands = 200
    seed: str = "casino"
    lines: Switch = False
    needed: Percent | None = None
    save: Path | None = None
    junit: Path | None = None
    json: Switch = False

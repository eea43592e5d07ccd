"""The flags of ``casino regress``."""

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from dealer.cli.flag_types import A_BOT, Pythons, Sandboxed, Seconds, Switch

Deals = Annotated[int, Parameter(validator=Number(gte=2, lte=1_000_000))]
Seats = Annotated[int, Parameter(validator=Number(gte=2, lte=100))]


@Parameter(name="*")
@dataclass(frozen=True)
class RegressFlags:
    """How two versions are compared.

    Parameters
    ----------
    against
        House bot to play against; without any, the first three of a league of the game. May be given several times.
    deals
        Deals of each game against each opponent. Both versions play each deal in every seat.
    players
        Seats of a table: one for the version, the others for copies of the opponent; by default as many as in casino
        practice without --against.
    seed
        Any text; the same text deals the same cards.
    limit
        Seconds until a reply is late.
    json
        Print the results as JSON.
    """

    against: Annotated[tuple[str, ...], A_BOT] = ()
    deals: Deals = 200
    players: Seats | None = None
    seed: str = "casino"
    limit: Seconds = 1.0
    sandbox: Sandboxed = False
    sandbox_python: Pythons = ()
    json: Switch = False

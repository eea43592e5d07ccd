"""What ``casino simulate`` takes from the command line beyond the options of the game."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from dealer.cli.flag_types import Switch

#: Processes; more than machines have cores, and few enough to be started.
MAX_JOBS = 256

Jobs = Annotated[int, Parameter(validator=Number(gte=1, lte=MAX_JOBS))]


@Parameter(name="*")
@dataclass(frozen=True)
class SimulationFlags:
    """How a simulation of any game is played, computed and told.

    Parameters
    ----------
    deals
        Deals to play, each a game where it is played in games, else a hand with equal stacks:
        10,000; with --cross 1,000 by each two bots.
    duplicate
        Deal everything again with the players rotated through all seats, so that luck cancels.
    cross
        Let every two bots play each other in both seats, and print one table.
    until
        Stop as soon as the result is decided at this level, such as 0.01.
    report
        A new HTML file with figures.
    engine
        What plays: the arena, on the cards of a dealer with the same seed, or the compiled
        kernel, much faster, which not every bot has. By default the kernel where it can.
    jobs
        Processes that share the work, without a change of the result.
    cluster
        Compute on the workers of a scheduler, tcp://HOST:PORT, or in N processes of this
        machine, local:N, without a change of the result.
    checkpoint
        A file that keeps what is done. If it is there, the command goes on from it.
    """

    deals: Annotated[int | None, Parameter(validator=Number(gte=1, lte=10**10))] = None
    duplicate: Switch = False
    cross: Switch = False
    until: Annotated[float | None, Parameter(validator=Number(gt=0, lt=1))] = None
    report: Path | None = None
    engine: Literal["arena", "kernel"] | None = None
    jobs: Jobs = 1
    cluster: str | None = None
    checkpoint: Path | None = None

"""What ``casino simulate`` and ``casino regress`` take from the command line."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from dealer.cli.flag_types import A_BOT, Pythons, Sandboxed, Seconds, Switch

#: Processes; more than machines have cores, and few enough to be started.
MAX_JOBS = 256

Jobs = Annotated[int, Parameter(validator=Number(gte=1, lte=MAX_JOBS))]

Deals = Annotated[int, Parameter(validator=Number(gte=2, lte=1_000_000))]
Seats = Annotated[int, Parameter(validator=Number(gte=2, lte=100))]


@Parameter(name="*")
@dataclass(frozen=True)
class ComputingFlags:
    """How any simulation is computed and told.

    Parameters
    ----------
    until
        Stop as soon as the result is decided at this level, such as 0.01.
    report
        A new HTML file with figures.
    jobs
        Processes that share the work, without a change of the result.
    cluster
        Compute on the workers of a scheduler, tcp://HOST:PORT, or in N processes of this
        machine, local:N, without a change of the result.
    checkpoint
        A file that keeps what is done. If it is there, the command goes on from it.
    csv
        Print the results as CSV, a line for each bot, pair or comparison.
    """

    until: Annotated[float | None, Parameter(validator=Number(gt=0, lt=1))] = None
    report: Path | None = None
    jobs: Jobs = 1
    cluster: str | None = None
    checkpoint: Path | None = None
    csv: Switch = False


@Parameter(name="*")
@dataclass(frozen=True)
class SimulationFlags(ComputingFlags):
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
    engine
        What plays: the arena, on the cards of a dealer with the same seed, or the compiled
        kernel, much faster, which not every bot has. By default the kernel where it can.
    """

    deals: Annotated[int | None, Parameter(validator=Number(gte=1, lte=10**10))] = None
    duplicate: Switch = False
    cross: Switch = False
    engine: Literal["arena", "kernel"] | None = None


@Parameter(name="*")
@dataclass(frozen=True)
class RegressFlags(ComputingFlags):
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

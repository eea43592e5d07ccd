"""What ``casino simulate`` takes from the command line beyond the options of the game."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from dealer.cli.flag_types import Count, Switch

#: Processes; more than machines have cores, and few enough to be started.
MAX_JOBS = 256


Jobs = Annotated[int, Parameter(validator=Number(gte=1, lte=MAX_JOBS))]


@Parameter(name="*", group="Games that last until one player is left")
@dataclass(frozen=True)
class HandFlags:
    """For games that are simulated hand by hand, such as stud.

    Parameters
    ----------
    reset_stacks
        Give everybody the first stack again before every hand. Bots that learn forget after
        about 1,000 hands.
    """

    reset_stacks: Switch = False


@Parameter(name="*", group="Fair comparison")
@dataclass(frozen=True)
class DealFlags:
    """For every game.

    Parameters
    ----------
    duplicate
        Deal everything again with the players rotated through all seats, so that luck cancels.
    cross
        Let every two bots play each other, and print one table.
    jobs
        Processes that share the work, without a change of the result.
    """

    duplicate: Switch = False
    cross: Switch = False
    jobs: Jobs = 1


@Parameter(name="*", group="Large simulations")
@dataclass(frozen=True)
class LargeFlags:
    """For every game.

    Parameters
    ----------
    cluster
        Compute on the workers of a scheduler, tcp://HOST:PORT, or in N processes of this
        machine, local:N, without a change of the result.
    checkpoint
        A file that keeps what is done. If it is there, the command goes on from it.
    """

    cluster: str | None = None
    checkpoint: Path | None = None


@Parameter(name="*", group="Games with a fixed number of hands")
@dataclass(frozen=True)
class GameFlags:
    """For games that are simulated as whole games with a winner each, such as blockhead.

    Parameters
    ----------
    games
        Games to play: 10,000; with --cross 1,000 by each two bots.
    until
        Stop as soon as the games are decided at this level, such as 0.01.
    report
        A new HTML file with figures.
    engine
        What plays: the arena, on the cards of a dealer with the same seed, or the compiled
        kernel, much faster, which not every bot has. By default the kernel where it can.
    """

    games: Count | None = None
    until: Annotated[float | None, Parameter(validator=Number(gt=0, lt=1))] = None
    report: Path | None = None
    engine: Literal["arena", "kernel"] | None = None

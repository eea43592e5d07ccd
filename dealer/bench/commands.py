"""What ``casino bench`` takes from the command line."""

from typing import Annotated

from cyclopts import App, Parameter
from cyclopts.types import PositiveFloat, PositiveInt

from protocol.installed import entry_points

#: The entry point group through which other packages add sub-commands of ``casino bench``, which by itself measures
#: the dealer.
BENCHES = "casino.bench"


async def bench(
    *,
    seconds: PositiveFloat = 1.0,
    rounds: PositiveInt = 3,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Measure what this machine can host: the real dealer against a bare echo, in turns.

    Parameters
    ----------
    seconds
        How long each measurement takes.
    rounds
        How often each is made; the medians are shown.
    json
        Print the results as JSON.

    Examples
    --------
    casino bench
    """
    from dealer.bench.comparison import run_bench
    from dealer.cli.output import report_errors

    return await report_errors(run_bench(seconds, rounds, json))


def _build_bench() -> App:
    """Make ``casino bench``: the dealer's own measurement, and sub-commands of other packages."""
    app = App(name="bench", group_commands="Commands")
    app.default(bench)
    for point in sorted(entry_points(group=BENCHES)):
        app.command(point.load(), name=point.name)  # loaded, so that help says what it does
    return app


bench_app = _build_bench()

"""What ``casino bench`` takes from the command line."""

from cyclopts.types import PositiveFloat, PositiveInt

from dealer.cli.flag_types import Switch


async def bench(
    *,
    seconds: PositiveFloat = 1.0,
    rounds: PositiveInt = 3,
    json: Switch = False,
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

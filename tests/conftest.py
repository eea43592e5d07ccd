"""How the tests run: property tests have no deadline, and in CI the same examples each time; workers use all cores."""

import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C and Ctrl-\\ end programs, and list the slowest tests in CI.

    Where a shell has the tests run in the background, it lets them ignore both keys. Programs that tests start and
    interrupt would inherit that.
    """
    if os.environ.get("CI") and config.option.durations is None:
        config.option.durations = 15
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "win32" and signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many workers run the tests: one more than there are cores, or 0 where one process is better.

    Heavy proofs measure times, which tests beside them would disturb. For a single file the start of the workers
    takes longer than most tests, and they would hide its output.
    """
    wanted = str(config.option.markexpr)
    heavy = "heavy" in wanted and "not heavy" not in wanted
    one_file = len(config.args) == 1 and ".py" in config.args[0]
    if heavy or one_file:
        return 0
    # One more than the cores, because many tests wait: for a process to start, or for a limit to run out.
    return (os.cpu_count() or 1) + 1

"""How the tests run: in layers by folder, on all cores, property tests without deadline and in CI always the same.

Three layers. ``pytest`` runs what needs no other process, no browser and no second machine. ``pytest -m whole`` runs
what lies in a folder of ``WHOLE``. ``pytest -m heavy`` runs proofs of minutes, which are marked one by one. Whoever
names a folder or a file, and no ``-m``, gets all its tests but the heavy ones.
"""

import faulthandler
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[1]

#: Plays all compiled tables of the environments.
_TABLES = """
from bots.environments.vector import GAMES, VectorTables
for game in GAMES:
    tables = VectorTables(game, 2)
    tables.step(tables.masks.argmax(axis=1))
"""

#: Command lines that need all other kernels: those of Blockhead, of hold'em at tables of several, and of fixed limit.
_SIMULATIONS = (
    "blockhead alpha balance --deals 2",  # both have a kernel; without one the arena plays, and compiles nothing
    "holdem holdem tight caller --deals 4",
    "holdem equilibrium caller --betting fixed-limit --deals 4",
)


def compile_kernels() -> None:
    """Compile the kernels in processes of their own, at once, if numba is installed.

    Else each worker would compile again what it needs. numba keeps what it has compiled beside the sources, so the next
    run only loads it.
    """
    if find_spec("numba") is None:
        return
    words = [["-c", _TABLES], *(["-m", "dealer.main", "simulate", *line.split()] for line in _SIMULATIONS)]
    running = [subprocess.Popen([sys.executable, *one], cwd=ROOT, stdout=subprocess.DEVNULL) for one in words]
    for process in running:
        if process.wait():
            raise RuntimeError(f"kernels could not be compiled: {process.args!r}")


#: Names of folders whose tests start processes, browsers or machines, or train bots.
WHOLE = frozenset({"end_to_end", "drills", "train", "whole"})

#: What the extra ``dev`` leaves out. Tests that need it are skipped with its name, but never in CI.
LEFT_OUT = frozenset({"distributed", "eval7", "gymnasium", "numba", "pettingzoo", "playwright", "pyspiel", "scipy"})

# Half the examples that Hypothesis tries by itself, and at night ten times as many, which are others each time.
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=50)
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True, database=None)
settings.register_profile("night", settings.get_profile("dev"), max_examples=500, derandomize=False)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def _is_whole(path: Path) -> bool:
    return not WHOLE.isdisjoint(path.parts)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the layer. Let Ctrl-C and Ctrl-\\ end programs, and list the slowest tests in CI.

    Processes that tests start import the code that is tested, in whatever folder they run. An installed copy may be an
    older one, and its kernels are not compiled.

    Where a shell has the tests run in the background, it lets them ignore both keys. Programs that tests start and
    interrupt would inherit that.
    """
    if not config.option.markexpr:
        named = any(_is_whole(Path(argument.split("::")[0])) for argument in config.args)
        config.option.markexpr = "not heavy" if named else "not heavy and not whole"
    if os.environ.get("CI") and config.option.durations is None:
        config.option.durations = 15
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "win32" and signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no test of a layer that does not run: to import them all takes longer than most rooms' tests."""
    layer, in_tests = config.option.markexpr, collection_path.relative_to(config.rootpath)
    if _is_whole(in_tests):
        return True if "not whole" in layer else None
    return True if layer == "whole" and collection_path.suffix == ".py" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the garbage collector, which takes a fifth of that time and finds next to nothing.

    What is imported then stays to the end, so the collector never looks at it again.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what lies in a folder of the whole layer."""
    if _is_whole(item.path) and item.get_closest_marker("heavy") is None:
        item.add_marker("whole")


@pytest.hookimpl(trylast=True)  # when all that does not run has been left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let each worker begin with some of the longest tests, so that none of them runs alone at the end.

    ``--dist worksteal`` gives each worker a part of the list. One that is done takes tests from the end of another's.
    """
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    longest = [item for item in items if item.get_closest_marker("long")]
    others = iter([item for item in items if not item.get_closest_marker("long")])
    ordered: list[pytest.Item] = []
    for worker in range(workers):
        first = longest[worker::workers]
        share = (len(items) - len(ordered)) // (workers - worker)
        ordered += [*first, *islice(others, max(share - len(first), 0))]
    items[:] = ordered


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let a proof of minutes take its time: ``faulthandler_timeout`` is not for it."""
    if item.get_closest_marker("heavy"):
        faulthandler.cancel_dump_traceback_later()


def _left_out(error: BaseException | None) -> str | None:
    """The package of the extra ``test`` that an error says is missing; in CI, where all are needed, None."""
    if error is None or os.environ.get("CI"):
        return None
    if isinstance(error, ModuleNotFoundError) and (package := str(error.name).split(".")[0]) in LEFT_OUT:
        return f"needs {package}, which the extra `test` installs"
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else (error.__cause__ or error.__context__,)
    return next(filter(None, map(_left_out, inner)), None)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module that imports what is left out."""
    report = yield
    call: pytest.CallInfo[Any] = report.call
    if call.excinfo and (reason := _left_out(call.excinfo.value)):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 1, f"Skipped: {reason}")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, object, object]:
    """Skip a test that imports what is left out."""
    try:
        return (yield)
    except Exception as error:
        if reason := _left_out(error):
            pytest.skip(reason)
        raise


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels before several workers start, if rooms that use them are tested."""
    config = session.config
    rooms = [Path(argument).parts[1:2] for argument in config.args]
    if config.option.numprocesses and not {("dealer",), ("docs",)}.issuperset(rooms):
        compile_kernels()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many workers run the tests: more than there are cores, or 0 where one process is better.

    Heavy proofs measure times, which tests beside them would disturb. For a single file the start of the workers
    takes longer than most tests, and they would hide its output.
    """
    one_file = len(config.args) == 1 and ".py" in config.args[0]
    if config.option.markexpr == "heavy" or one_file:
        return 0
    cores = os.cpu_count() or 1
    # A test that starts processes waits for most of its time: for their start, or for a limit to run out.
    return 3 * cores if config.option.markexpr == "whole" else cores + 1

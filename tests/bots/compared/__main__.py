"""Compare libraries: ``python -m tests.bots.compared``."""

import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from cyclopts.validators import Number

from tests.bots.compared.contest import Contestant
from tests.bots.compared.measure import measure
from tests.bots.compared.show import facts, show
from tests.bots.compared.versions import VersionError, check_versions, pinned

#: Where Leduc hold'em lies, which is no part of an installation.
LEDUC = Path(__file__).parents[2] / "leduc_package"
#: The modules that have the contestants of a library. Each imports its library.
MODULES = {
    "casino-day": ("ours", "our_environment", "our_kernel"),
    "open-spiel": ("by_open_spiel",),
    "pettingzoo": ("by_pettingzoo",),
    "pokerkit": ("by_pokerkit",),
    "PyPokerEngine": ("by_pypokerengine",),
    "rlcard": ("by_rlcard",),
}
#: What the environments of PettingZoo stand on.
BELOW = {"pettingzoo": ("rlcard", "pygame-ce")}

app = App(name="python -m tests.bots.compared", help="Measure hands a second of poker libraries in one run.")


@app.default
def compare(
    *,
    only: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    turns: Annotated[int, Parameter(validator=Number(gte=1))] = 5,
    seconds: Annotated[float, Parameter(validator=Number(gt=0))] = 0.3,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Measure all contestants in turns, and print their medians.

    Args:
        only: libraries to measure, such as casino-day; all if not given.
        turns: how often each contestant plays.
        seconds: processor time of each contestant in each turn, about.
        json_: print JSON.
    """
    libraries = only or tuple(MODULES)
    if unknown := [name for name in libraries if name not in MODULES]:
        print(f"--only: expected some of {', '.join(MODULES)}, got {', '.join(unknown)}", file=sys.stderr)
        return 2
    try:
        check_versions([package for name in only for package in (name, *BELOW.get(name, ()))] if only else pinned())
    except VersionError as error:
        print(error, file=sys.stderr)
        return 2
    measured = measure(load([module for name in libraries for module in MODULES[name]]), turns, seconds)
    if json_:
        print(json.dumps(facts(measured, seconds), indent=2))
    else:
        show(measured, seconds)
    return 0


def load(modules: Sequence[str]) -> list[Contestant]:
    """The contestants that modules have, by game, so that neighbours in a turn play the same."""
    sys.path.append(str(LEDUC))
    loaded = [import_module(f"tests.bots.compared.{name}") for name in modules]
    contestants = [one for module in loaded for one in module.contestants()]
    return sorted(contestants, key=lambda one: (one.game, one.play))


if __name__ == "__main__":
    sys.exit(app())

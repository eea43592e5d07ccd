"""Measure how far the page reaches with 200 real players: ``python -m tests.end_to_end.reach``."""

import json
import os
import sys
from dataclasses import asdict
from typing import Annotated

from cyclopts import App, Parameter
from cyclopts.validators import Number
from playwright.sync_api import sync_playwright
from rich.console import Console

from bots.fitting_table import new_table
from tests.end_to_end.browser import chromium
from tests.end_to_end.reach.figures import Figure, measured

app = App(name="python -m tests.end_to_end.reach", help="Measure the page and its dealer with 200 real players.")

Many = Annotated[int, Parameter(validator=Number(gte=2))]


@app.default
def reach(
    *,
    seconds: Annotated[float, Parameter(validator=Number(gt=0))] = 60.0,
    loads: Many = 20,
    clicks: Many = 200,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
) -> int:
    """Measure everything; the exit code is 1 if a figure is not as wanted.

    Args:
        seconds: for which frames, and the dealer's processor time, are watched each time.
        loads: how often the page is loaded.
        clicks: of a person who plays.
        json_: print JSON.
    """
    figures: list[Figure] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        for figure in measured(browser, seconds, loads, clicks):
            figures.append(figure)
            print(f"{figure.name}: {figure.value:.1f} {figure.unit}", file=sys.stderr, flush=True)
        browser.close()
    if json_:
        print(json.dumps({"load": os.getloadavg(), "figures": [_facts(figure) for figure in figures]}, indent=2))
    else:
        _show(figures)
    return 0 if all(figure.reached for figure in figures) else 1


def _facts(figure: Figure) -> dict[str, object]:
    return asdict(figure) | {"reached": figure.reached}


def _show(figures: list[Figure]) -> None:
    table = new_table(f"The page with 200 players, load {os.getloadavg()[0]:.1f}")
    table.add_column("figure")
    for heading in ("measured", "wanted"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    for figure in figures:
        bound = "" if figure.wanted is None else f"{'>=' if figure.least else '<='} {figure.wanted:g} {figure.unit}"
        missed = "" if figure.reached else "missed"
        table.add_row(figure.name, f"{figure.value:.1f} {figure.unit}", bound, missed)
    Console(markup=False, highlight=False).print(table)


if __name__ == "__main__":
    sys.exit(app())

"""The layout of the page, compared with a reference: where the large parts lie in a window of 1280 x 720.

Pictures would differ with the fonts of each machine. The boxes of these parts follow the window, and hardly the fonts.
``CASINO_NEW_GEOMETRY=1 pytest tests/end_to_end/test_page_geometry.py`` writes the reference anew.
"""

import json
import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.told_page import Facts, open_told, told

REFERENCE = Path(__file__).with_name("page_geometry.json")

#: Parts of the window's width and height by which a box may differ.
TOLERANCE = 0.02

PARTS = {
    "lobby": [".connect", ".here", "#qr", "#here li:nth-child(1)"],
    "play": ["#leaders", "#table-view", "#tables", "#curves", "#news", ".oval"],
    "final table": ["#table-view", ".oval", ".seat:nth-child(1) .cards", ".seat:nth-child(4) .cards", "#board-cards"],
    "podium": ["#podium", "#leaders", "#curves", "#proof", "#steps li:nth-child(1)", "#steps li:nth-child(3)"],
}

BOXES = """(parts) => Object.fromEntries(parts.map((part) => {
  const { left, top, right, bottom } = document.querySelector(part).getBoundingClientRect();
  return [part, [left / innerWidth, top / innerHeight, right / innerWidth, bottom / innerHeight]];
}))"""


def facts_of(scene: str) -> dict[str, Facts]:
    """What the page is told for a picture of that name."""
    facts = told(24, phase={"lobby": "lobby", "podium": "over"}.get(scene, "play"))
    if scene == "lobby":
        return {name: facts[name] for name in ("scene", "lobby")}
    if scene == "final table":
        facts["board"] |= {"tables": facts["board"]["tables"][:1], "stage": "final"}
    return facts


def boxes(page: Page, scene: str) -> dict[str, list[float]]:
    if scene == "final table":
        page.keyboard.press("t")
        expect(page.locator("#table-view[data-places=edges]")).to_be_visible()
    measured: dict[str, list[float]] = page.evaluate(BOXES, PARTS[scene])
    return {part: [round(edge, 3) for edge in box] for part, box in measured.items()}


@pytest.mark.parametrize("scene", PARTS)
def test_layout_is_that_of_the_reference(browser: Browser, scene: str) -> None:
    with open_told(browser, facts_of(scene), (1280, 720)) as page:
        measured = boxes(page, scene)
    reference = json.loads(REFERENCE.read_text(encoding="utf-8")) if REFERENCE.exists() else {}
    if "CASINO_NEW_GEOMETRY" in os.environ:
        REFERENCE.write_text(json.dumps(reference | {scene: measured}, indent=1) + "\n", encoding="utf-8")
        return
    for part, box in reference[scene].items():
        assert measured[part] == pytest.approx(box, abs=TOLERANCE), part
    assert measured.keys() == reference[scene].keys()

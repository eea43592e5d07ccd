"""Where the parts of a table lie on the page, and which of them lie upon each other."""

from collections.abc import Sequence
from typing import Any

#: Every visible part of the table with its box, and the texts that do not fit into theirs.
MEASURE = """() => {
  const parts = [];
  const add = (owner, what, box) => {
    if (box.width && box.height) parts.push([owner, what, box.left, box.top, box.right, box.bottom]);
  };
  [...document.querySelectorAll("#seats .seat")].forEach((seat, index) => {
    for (const element of seat.querySelectorAll(".card, .plate, .did:not(:empty)"))
      add(`seat ${index}`, element.className, element.getBoundingClientRect());
  });
  for (const id of ["board-cards", "pot", "pots", "how"]) {
    const range = document.createRange();
    range.selectNodeContents(document.getElementById(id));
    for (const box of range.getClientRects()) add("middle", id, box);
  }
  const cut = [...document.querySelectorAll("#seats :is(.stack, .did, .button), #how, #pots, #skipped")]
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.textContent)
    .map((element) => element.textContent);
  const view = document.getElementById("table-view").getBoundingClientRect();
  const wide = document.documentElement.scrollWidth > innerWidth;
  return { parts, cut, view: [view.left, view.top, view.right, view.bottom], wide };
}"""


def overlaps(parts: Sequence[Sequence[Any]]) -> list[Sequence[str]]:
    """The parts of different owners that lie upon each other by more than a pixel."""
    found: list[Sequence[str]] = []
    for number, (owner, what, left, top, right, bottom) in enumerate(parts):
        for other, other_what, left2, top2, right2, bottom2 in parts[:number]:
            apart = min(right, right2) - max(left, left2) <= 1 or min(bottom, bottom2) - max(top, top2) <= 1
            if owner != other and not apart:
                found.append((owner, what, other, other_what))
    return found

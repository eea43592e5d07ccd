"""The picture of the packages and their layers, drawn from the import contracts in ``pyproject.toml``."""

import re
import tomllib
from collections.abc import Iterator, Sequence

from tests.docs.pages import ROOT

WIDTH, MARGIN, GAP = 900, 20, 10
ROW, TITLE, PADDING = 34, 30, 12

#: Widths of the two upper blocks; the one at the bottom takes both and the gap between them.
LEFT, RIGHT = 540, 310

#: The layers of the two packages that have no contract with all their rooms, from high to low.
BOTS = [["human", "simulation", "train"], ["strategies"]]
PROTOCOL = [["wire"], ["games", "shuffle"], ["cards"]]

#: The colours of a light and a dark screen: background, blocks, boxes, lines, text.
STYLE = """
.paper { fill: #ffffff }
text { font: 15px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600 }
.note { font-size: 13px }
.block { fill: #eef2f6; stroke: #57606a }
.room { fill: #ffffff; stroke: #57606a }
@media (prefers-color-scheme: dark) {
  .paper { fill: #0d1117 }
  text { fill: #e6edf3 }
  .block { fill: #161b22; stroke: #8b949e }
  .room { fill: #21262d; stroke: #8b949e }
}
"""


def layers(container: str) -> list[list[str]]:
    """The layers of a package, from high to low, each a list of rooms; from its contract."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    for contract in contracts:
        if contract["type"] == "layers" and contract.get("containers") == [container]:
            return [[name.strip(" ()") for name in re.split(r"[|:]", layer)] for layer in contract["layers"]]
    raise LookupError(f"no contract for the layers of {container}")


def house_map() -> str:
    """The picture as SVG."""
    dealer = layers("dealer")
    upper = _height(len(dealer))
    bottom = MARGIN + upper + GAP
    height = bottom + _height(len(PROTOCOL)) + MARGIN + 20
    parts = [
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        *_block(MARGIN, MARGIN, LEFT, upper, "dealer: runs the tables", dealer),
        *_block(MARGIN + LEFT + GAP, MARGIN, RIGHT, upper, "bots: play at them", BOTS),
        *_block(MARGIN, bottom, LEFT + GAP + RIGHT, _height(len(PROTOCOL)), "protocol: what both agree on", PROTOCOL),
        f'<text class="note" x="{MARGIN}" y="{height - 14}">Imports go down only. '
        "Dealer and bots never import each other.</text>",
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="The packages dealer, bots and protocol, and their layers">'
    )
    return "\n".join([head, f"<style>{STYLE}</style>", *parts, "</svg>", ""])


def _height(rows: int) -> int:
    return TITLE + rows * (ROW + GAP) - GAP + 2 * PADDING


def _block(x: int, y: int, width: int, height: int, title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A package with its rooms, one layer in a row."""
    yield f'<rect class="block" x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>'
    yield f'<text class="title" x="{x + PADDING}" y="{y + 24}">{title}</text>'
    for number, row in enumerate(rows):
        top = y + PADDING + TITLE + number * (ROW + GAP)
        room = (width - 2 * PADDING - GAP * (len(row) - 1)) / len(row)
        for place, name in enumerate(row):
            yield from _room(x + PADDING + place * (room + GAP), top, room, name)


def _room(x: float, y: int, width: float, name: str) -> Iterator[str]:
    yield f'<rect class="room" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW}" rx="5"/>'
    yield f'<text x="{x + width / 2:.1f}" y="{y + ROW / 2 + 5:g}" text-anchor="middle">{name}</text>'

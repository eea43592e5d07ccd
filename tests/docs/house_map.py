"""The picture of the packages and their layers, drawn from the import contracts in ``pyproject.toml``."""

import re
import tomllib
from collections.abc import Iterator, Sequence

from tests.docs.pages import ROOT

WIDTH, MARGIN, GAP = 1120, 20, 10
ROW, TITLE, PADDING = 34, 30, 12

#: Widths of the blocks on the left and on the right.
LEFT, RIGHT = 450, 620

#: The colours of a light and a dark screen: background, blocks, boxes, lines, text.
STYLE = """
.paper { fill: #ffffff }
text { font: 14px system-ui, sans-serif; fill: #1f2328 }
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


def layers(package: str) -> list[list[str]]:
    """The layers of a package, from high to low, each a list of rooms; from its contract."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    for contract in contracts:
        inside = contract.get("containers") == [package]
        if contract["type"] == "layers" and (inside or contract["layers"][0].startswith(f"{package}.")):
            rows = [re.split(r"[|:]", layer) for layer in contract["layers"]]
            return [[name.strip(" ()").removeprefix(f"{package}.") for name in row] for row in rows]
    raise LookupError(f"no contract for the layers of {package}")


def house_map() -> str:
    """The picture as SVG."""
    dealer, bots, protocol = layers("dealer"), layers("bots"), layers("protocol")
    upper, lower = _height(len(dealer)), _height(len(protocol))
    right, bottom = MARGIN + LEFT + GAP, MARGIN + upper + GAP
    whole = LEFT + GAP + RIGHT
    height = bottom + lower + MARGIN + 20
    parts = [
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        *_block(MARGIN, MARGIN, LEFT, upper, "dealer: runs the tables", dealer),
        *_block(right, MARGIN, RIGHT, upper, "bots: play at them", bots),
        *_block(MARGIN, bottom, whole, lower, "protocol: what both agree on", protocol),
        f'<text class="note" x="{MARGIN}" y="{height - 14}">Imports go down only. '
        "Dealer and bots never import each other; both use protocol.</text>",
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

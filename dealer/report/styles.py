"""The styles of players in charts: a short name, a colour and a kind of line, the same in every chart."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dealer.lobby.player import Player
from dealer.report.labels import Label

#: Colours that can be told apart on white and on black; beyond ten players come dashes.
COLORS = (
    "#4269d0",
    "#e8a317",
    "#ff725c",
    "#3ca951",
    "#a463f2",
    "#6cc5b0",
    "#ff8ab7",
    "#9c6b4e",
    "#97bbf5",
    "#9498a0",
)

#: Of lines, as in SVG: none, long and short.
DASHES = ("", "7 4", "2 3")

#: Characters of a name in a chart, so that a phone has room for the chart too; a longer one is cut.
NAME_LENGTH = 16
CUT_LENGTH = 13


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a player.

    Attributes:
        name: short, and unlike that of any other player.
        color: of its curves and bars, as in CSS.
        dash: of its curves, lengths of dashes and gaps as in SVG.
    """

    name: str
    color: str
    dash: str


def styles(labels: Mapping[Player, Label], order: Sequence[Player]) -> dict[Player, Style]:
    """A style for each player; players who follow each other in ``order`` get the most different ones."""
    cut = {
        player: label.short if len(label.short) <= NAME_LENGTH else f"{label.short[:CUT_LENGTH]}\u2026"
        for player, label in labels.items()
    }
    alike = Counter(cut.values())
    return {
        player: Style(
            cut[player] if alike[cut[player]] == 1 else f"{cut[player]} ({labels[player].number})",
            COLORS[number % len(COLORS)],
            DASHES[number // len(COLORS) % len(DASHES)],
        )
        for number, player in enumerate(order)
    }

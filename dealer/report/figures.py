"""The figures of a report, as plotly makes them. Names go into them escaped: plotly reads some HTML."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import Any

from dealer.player import Player
from dealer.report.curves import TableCurves
from dealer.report.errors import ReportError
from dealer.report.names import Label
from dealer.report.strengths import FOLDED, KINDS, SPADE, SPLIT
from dealer.report.tally import Figures

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
"""Told apart on white and on black; beyond ten players come dashes."""

DASHES = ("solid", "dash", "dot")

NAME_LENGTH = 16
CUT_LENGTH = 13
"""Characters of a name in a figure, so that a phone has room for the figure too."""

_SPECIAL = {FOLDED: "#9498a0", SPADE: "#4269d0", SPLIT: "#a463f2"}
_KIND_COLORS = ("#cfe8d5", "#a9d8b4", "#7fc791", "#56b36f", "#3ca951", "#2b8f40", "#1f7533", "#155c26", "#0c441a")

PLACE_POINTS = 200
"""Of a curve of places; more would only be a thicket."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a player is drawn, in every figure alike."""

    name: str
    color: str
    dash: str


def styles(labels: Mapping[Player, Label]) -> dict[Player, Style]:
    """A style for each player, by the order in which they sat down."""
    cut = [
        label.short if len(label.short) <= NAME_LENGTH else f"{label.short[:CUT_LENGTH]}\u2026"
        for label in labels.values()
    ]
    return {
        player: Style(
            escape(name if cut.count(name) == 1 else f"{name} ({number + 1})", quote=False),
            COLORS[number % len(COLORS)],
            DASHES[number // len(COLORS) % len(DASHES)],
        )
        for number, (player, name) in enumerate(zip(labels, cut, strict=True))
    }


def chip_curves(curves: TableCurves, base: int, looks: Mapping[Player, Style], keep_all: bool) -> Any:
    """Chips of everybody at a table, behind each hand.

    Args:
        curves: of the table.
        base: chips everybody began with; 0 where games begin anew and only what was won can be added up.
        looks: of the players.
        keep_all: whether who has left is dealt in all the same, so that its curve goes on.
    """
    figure = _graph().Figure()
    for seat, player in enumerate(curves.players):
        shown = [
            number
            for number, hand in enumerate(curves.hands)
            if keep_all or player.left is None or not number or curves.hands[number - 1] < player.left_in
        ]
        figure.add_scatter(
            x=[curves.hands[number] for number in shown],
            y=[base + curves.points[number][seat] for number in shown],
            **_line(looks[player]),
            hovertemplate="hand %{x}: %{y:,} chips",
        )
    figure.update_xaxes(title="hand", rangemode="tozero")
    figure.update_yaxes(title="chips" if base else "chips won so far", zeroline=not base)
    return _finished(figure, 400 + 12 * len(curves.players))


def place_curves(curves: TableCurves, looks: Mapping[Player, Style]) -> Any:
    """The place of everybody still in, behind each hand."""
    count = len(curves.hands)
    stride = -(-count // PLACE_POINTS)
    shown = [*range(min(1, count - 1), count - 1, stride), count - 1]  # at the start all places are equal
    places = [curves.places(number) for number in shown]
    figure = _graph().Figure()
    for seat, player in enumerate(curves.players):
        figure.add_scatter(
            x=[curves.hands[number] for number in shown],
            y=[row[seat] for row in places],
            **_line(looks[player], shape="hv"),
            hovertemplate="hand %{x}: place %{y}",
        )
    figure.update_xaxes(title="hand", rangemode="tozero")
    figure.update_yaxes(title="place", range=[len(curves.players) + 0.5, 0.5], dtick=1, zeroline=False)
    return _finished(figure, 140 + 36 * max(6, len(curves.players)))


def winning_ways(figures: Mapping[Player, Figures], looks: Mapping[Player, Style]) -> Any:
    """How often everybody collected something of a pot, by the kind of its cards."""
    players = list(figures)[::-1]
    used = [kind for kind in KINDS if any(one.ways[kind] for one in figures.values())]
    shades = [kind for kind in used if kind not in _SPECIAL]
    figure = _graph().Figure()
    for kind in used:
        color = _SPECIAL.get(kind) or _KIND_COLORS[_spread(shades.index(kind), len(shades))]
        figure.add_bar(
            y=[looks[player].name for player in players],
            x=[figures[player].ways[kind] for player in players],
            name=kind,
            orientation="h",
            marker_color=color,
            hovertemplate=f"{kind}: %{{x:,}}",
        )
    figure.update_layout(barmode="stack", hovermode="closest", bargap=0.3, legend_traceorder="normal")
    figure.update_xaxes(title="hands", rangemode="tozero")
    return _finished(figure, 160 + 30 * len(players))


def reply_boxes(figures: Mapping[Player, Figures], looks: Mapping[Player, Style], limit: float) -> Any:
    """Reply times of everybody who replied: box from the first to the third quarter, whiskers from 1 % to 99 %."""
    players = [player for player in list(figures)[::-1] if figures[player].micros]
    figure = _graph().Figure()
    for player in players:
        low, first, middle, third, high, longest = (
            max(time or 0.0, 0.001) for time in figures[player].milliseconds(0.01, 0.25, 0.5, 0.75, 0.99, 1.0)
        )
        look = looks[player]
        figure.add_box(
            y=[look.name],
            q1=[first],
            median=[middle],
            q3=[third],
            lowerfence=[low],
            upperfence=[high],
            orientation="h",
            name=look.name,
            marker_color=look.color,
            showlegend=False,
        )
        figure.add_scatter(
            x=[longest],
            y=[look.name],
            mode="markers",
            marker={"color": look.color, "symbol": "line-ns-open", "size": 11, "line": {"width": 2}},
            hovertemplate="the longest: %{x:.3f} ms<extra></extra>",
            showlegend=False,
        )
    longest_of_all = max((max(figures[player].micros) for player in players), default=0) / 1000
    end = 1.5 * max(limit * 1000, longest_of_all)
    figure.add_vline(x=limit * 1000, line={"color": "#ff725c", "dash": "dot", "width": 1.5})
    figure.update_layout(hovermode="closest")
    figure.update_xaxes(title="milliseconds, logarithmic", type="log", dtick=1, tickformat="~g")
    figure.update_xaxes(autorangeoptions={"include": [end]})
    return _finished(figure, 130 + 34 * len(players))


def fragment(figure: Any, name: str) -> str:
    """The figure as a piece of HTML, for a page that has plotly's script already."""
    html: str = plotly("io").to_html(
        figure,
        include_plotlyjs=False,
        full_html=False,
        div_id=name,
        config={"displayModeBar": False, "responsive": True},
    )
    return html


def plotly(module: str) -> Any:
    """A module of plotly, which only some installs bring and which takes a while to import.

    Raises:
        ReportError: it is missing.
    """
    try:
        return import_module(f"plotly.{module}")
    except ImportError:
        raise ReportError("a report needs plotly: pip install 'casino-day[report]'") from None


def _graph() -> Any:
    return plotly("graph_objects")


def _line(look: Style, shape: str = "linear") -> dict[str, Any]:
    line = {"color": look.color, "dash": look.dash, "width": 2, "shape": shape}
    return {"name": look.name, "mode": "lines", "line": line, "showlegend": True}


def _spread(place: int, count: int) -> int:
    """A shade for each of ``count`` kinds, the darkest for the last."""
    return round(place * (len(_KIND_COLORS) - 1) / max(count - 1, 1)) if count > 1 else len(_KIND_COLORS) // 2


def _finished(figure: Any, height: int) -> Any:
    """What all figures have in common; ink and grid are coloured by the page, which knows light from dark."""
    figure.update_layout(
        template="none",
        height=height,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        font={"family": "system-ui, sans-serif", "size": 13},
        dragmode=False,
    )
    figure.update_xaxes(automargin=True, fixedrange=True)
    return figure.update_yaxes(automargin=True, fixedrange=True)

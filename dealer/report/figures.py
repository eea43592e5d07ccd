"""The figures of a report, as plotly makes them. Names go into them escaped: plotly reads some HTML."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import Any

from dealer.errors import ReportError
from dealer.lobby.player import Player
from dealer.report.names import Label
from dealer.report.player_tally import Figures
from dealer.report.strengths import FOLDED, KINDS, SPADE, SPLIT

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

BARS = 16
"""Players in a figure that has a bar for each."""

_SPECIAL = {FOLDED: "#9498a0", SPADE: "#4269d0", SPLIT: "#a463f2"}
_KIND_COLORS = ("#cfe8d5", "#a9d8b4", "#7fc791", "#56b36f", "#3ca951", "#2b8f40", "#1f7533", "#155c26", "#0c441a")


@dataclass(frozen=True, slots=True)
class Style:
    """How a player is drawn, in every figure alike."""

    name: str
    color: str
    dash: str


def styles(labels: Mapping[Player, Label], order: Sequence[Player]) -> dict[Player, Style]:
    """A style for each player; those who come one after the other in ``order`` are told apart best."""
    cut = {
        player: label.short if len(label.short) <= NAME_LENGTH else f"{label.short[:CUT_LENGTH]}\u2026"
        for player, label in labels.items()
    }
    alike = Counter(cut.values())
    return {
        player: Style(
            escape(cut[player] if alike[cut[player]] == 1 else f"{cut[player]} ({labels[player].number})", quote=False),
            COLORS[number % len(COLORS)],
            DASHES[number // len(COLORS) % len(DASHES)],
        )
        for number, player in enumerate(order)
    }


def winning_ways(figures: Mapping[Player, Figures], order: Sequence[Player], looks: Mapping[Player, Style]) -> Any:
    """How often the first ``BARS`` players collected something of a pot, by the kind of its cards."""
    players = order[:BARS][::-1]
    used = [kind for kind in KINDS if any(figures[player].ways[kind] for player in players)]
    shades = [kind for kind in used if kind not in _SPECIAL]
    figure = new_figure()
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
    return finished(figure, 160 + 30 * len(players))


def reply_boxes(
    figures: Mapping[Player, Figures], order: Sequence[Player], looks: Mapping[Player, Style], limit: float
) -> Any:
    """Reply times of the first ``BARS`` players who replied.

    A box reaches from the first to the third quarter, its whiskers from 1 % to 99 %.
    """
    players = [player for player in order if figures[player].micros][:BARS][::-1]
    figure = new_figure()
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
    return finished(figure, 130 + 34 * len(players))


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


def new_figure() -> Any:
    """A figure with nothing in it."""
    return plotly("graph_objects").Figure()


def _spread(place: int, count: int) -> int:
    """A shade for each of ``count`` kinds, the darkest for the last."""
    return round(place * (len(_KIND_COLORS) - 1) / max(count - 1, 1)) if count > 1 else len(_KIND_COLORS) // 2


def finished(figure: Any, height: int) -> Any:
    """The figure with what all have in common; ink and grid are coloured by the page, which knows light from dark."""
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

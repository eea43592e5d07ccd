"""The figures of the report's page that compare players by bars and boxes, and what all its figures share.

Figures are plotly's. The curves are in ``curves``.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import Any

from dealer.errors import ReportError
from dealer.lobby.player import Player
from dealer.report.labels import Label
from dealer.report.player_statistics import PlayerStatistics
from protocol.games.base import FOLDED

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

DASHES = ("solid", "dash", "dot")

#: Characters of a name in a figure, so that a phone has room for the figure too; a longer one is cut.
NAME_LENGTH = 16
CUT_LENGTH = 13

#: Players in a figure that has a bar for each.
BARS = 16

#: Shades for the kinds of winning cards, from the weakest to the strongest; pots won by folds are grey.
_FOLDED_COLOR = "#9498a0"
_KIND_COLORS = ("#cfe8d5", "#a9d8b4", "#7fc791", "#56b36f", "#3ca951", "#2b8f40", "#1f7533", "#155c26", "#0c441a")


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a player, the same in every figure.

    Attributes:
        name: short, and unlike that of any other player.
        color: of its curves and bars, as in CSS.
        dash: of its curves, in plotly's words.
    """

    name: str
    color: str
    dash: str

    @property
    def plotly_name(self) -> str:
        """The name for a figure. Plotly reads some HTML in names by itself, so it is escaped here and nowhere else."""
        return escape(self.name, quote=False)


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


def winning_ways(
    statistics: Mapping[Player, PlayerStatistics],
    order: Sequence[Player],
    styles: Mapping[Player, Style],
    kinds: Sequence[str],
) -> Any:
    """Bars: how often the first ``BARS`` players won part of a pot, by the kind of the winning cards.

    Args:
        statistics: of the players.
        order: of the players, the best first.
        styles: of the players.
        kinds: all kinds of the game, in the order in which they are shown.
    """
    players = order[:BARS][::-1]
    used = [kind for kind in kinds if any(statistics[player].ways[kind] for player in players)]
    shades = [kind for kind in used if kind != FOLDED]
    figure = new_figure()
    for kind in used:
        color = _FOLDED_COLOR if kind == FOLDED else _KIND_COLORS[_spread(shades.index(kind), len(shades))]
        figure.add_bar(
            y=[styles[player].plotly_name for player in players],
            x=[statistics[player].ways[kind] for player in players],
            name=kind,
            orientation="h",
            marker_color=color,
            hovertemplate=f"{kind}: %{{x:,}}",
        )
    figure.update_layout(barmode="stack", hovermode="closest", bargap=0.3, legend_traceorder="normal")
    figure.update_xaxes(title="hands", rangemode="tozero")
    return finished(figure, 160 + 30 * len(players))


def reply_boxes(
    statistics: Mapping[Player, PlayerStatistics], order: Sequence[Player], styles: Mapping[Player, Style], limit: float
) -> Any:
    """Reply times of the first ``BARS`` players who replied.

    A box reaches from the first to the third quarter, its whiskers from 1 % to 99 %.
    """
    players = [player for player in order if statistics[player].micros][:BARS][::-1]
    figure = new_figure()
    for player in players:
        low, first, middle, third, high, longest = (
            max(time or 0.0, 0.001) for time in statistics[player].milliseconds(0.01, 0.25, 0.5, 0.75, 0.99, 1.0)
        )
        style = styles[player]
        figure.add_box(
            y=[style.plotly_name],
            q1=[first],
            median=[middle],
            q3=[third],
            lowerfence=[low],
            upperfence=[high],
            orientation="h",
            name=style.plotly_name,
            marker_color=style.color,
            showlegend=False,
        )
        figure.add_scatter(
            x=[longest],
            y=[style.plotly_name],
            mode="markers",
            marker={"color": style.color, "symbol": "line-ns-open", "size": 11, "line": {"width": 2}},
            hovertemplate="the longest: %{x:.3f} ms<extra></extra>",
            showlegend=False,
        )
    longest_of_all = max((max(statistics[player].micros) for player in players), default=0) / 1000
    end = 1.5 * max(limit * 1000, longest_of_all)
    figure.add_vline(x=limit * 1000, line={"color": "#ff725c", "dash": "dot", "width": 1.5})
    figure.update_layout(hovermode="closest")
    figure.update_xaxes(title="milliseconds, logarithmic", type="log", dtick=1, tickformat="~g")
    figure.update_xaxes(autorangeoptions={"include": [end]})
    return finished(figure, 130 + 34 * len(players))


def figure_html(figure: Any, name: str) -> str:
    """A figure as HTML, for a page that has plotly's script already; ``name`` becomes the id of its element."""
    html: str = library("plotly.io").to_html(
        figure,
        include_plotlyjs=False,
        full_html=False,
        div_id=name,
        config={"displayModeBar": False, "responsive": True},
    )
    return html


def library(module: str) -> Any:
    """A module that only some installs have; imported when a report is written, because it takes a while.

    Raises:
        ReportError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise ReportError(f"a report needs {name}: pip install '.[report]' in the folder of Casino Day") from None


def new_figure() -> Any:
    """An empty figure."""
    return library("plotly.graph_objects").Figure()


def _spread(place: int, count: int) -> int:
    """A shade for each of ``count`` kinds, the darkest for the last."""
    return round(place * (len(_KIND_COLORS) - 1) / max(count - 1, 1)) if count > 1 else len(_KIND_COLORS) // 2


def finished(figure: Any, height: int) -> Any:
    """The figure with the layout that all share. The page colours text and grid, because it knows light from dark."""
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

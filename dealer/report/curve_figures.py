"""Figures with a curve for each player; names go into them escaped, as into all figures."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from dealer.lobby.player import Player
from dealer.report.curves import RoundCurves
from dealer.report.figures import Style, finished, new_figure

SHOWN = 12
"""Curves of the best that a figure shows at once; the reader may add others one by one."""

FEW_POINTS = 100
"""Of each curve that is not shown at once, so that a page with hundreds of players stays small."""

PLACE_POINTS = 200
"""Of a curve of places; more would only be a thicket."""

MOST_LEVELS = 24
"""Levels that are marked; of more every second one, or third."""


def chip_curves(
    curves: RoundCurves,
    order: Sequence[Player],
    base: int,
    looks: Mapping[Player, Style],
    stakes: Mapping[int, str],
    keep_all: bool,
) -> Any:
    """Chips of everybody in a round, behind each hand.

    Args:
        curves: of the round.
        order: its players, those who are shown at once first.
        base: chips everybody began with; 0 where games begin anew and only what was won can be added up.
        looks: of the players.
        stakes: in words by level, where they rise.
        keep_all: whether who has left is dealt in all the same, so that its curve goes on.
    """
    figure = new_figure()
    for number, player in enumerate(order):
        chips = curves.chips(player)
        shown = [
            point
            for point in range(len(curves.hands))
            if keep_all or not point or not curves.out(player, curves.hands[point - 1])
        ]
        shown = shown if number < SHOWN else thinned(shown, FEW_POINTS)
        figure.add_scatter(
            x=[curves.hands[point] for point in shown],
            y=[base + chips[point] for point in shown],
            **_line(looks[player], number),
            hovertemplate="hand %{x}: %{y:,} chips",
        )
    figure.update_xaxes(title="hand", rangemode="tozero")
    figure.update_yaxes(title="chips" if base else "chips won so far", zeroline=not base)
    figure.update_layout(**_level_marks(curves.levels, stakes))
    return finished(figure, 400 + 12 * min(len(order), SHOWN))


def place_curves(curves: RoundCurves, order: Sequence[Player], looks: Mapping[Player, Style]) -> Any:
    """The place of everybody still in, behind each hand."""
    points = list(range(len(curves.hands)))
    shown = thinned(points[1:] or points, PLACE_POINTS)  # at the start all places are equal
    few = set(thinned(shown, FEW_POINTS))
    places = {point: curves.places(point) for point in shown}
    figure = new_figure()
    for number, player in enumerate(order):
        own = [point for point in shown if number < SHOWN or point in few]
        figure.add_scatter(
            x=[curves.hands[point] for point in own],
            y=[places[point].get(player) for point in own],
            **_line(looks[player], number, shape="hv"),
            hovertemplate="hand %{x}: place %{y}",
        )
    figure.update_xaxes(title="hand", rangemode="tozero")
    return _with_places(figure, len(order))


def round_curves(rounds: Sequence[Mapping[Player, int]], order: Sequence[Player], looks: Mapping[Player, Style]) -> Any:
    """The place of everybody at the end of each round."""
    figure = new_figure()
    for number, player in enumerate(order):
        figure.add_scatter(
            x=list(range(1, len(rounds) + 1)),
            y=[places.get(player) for places in rounds],
            **_line(looks[player], number, mode="lines+markers"),
            hovertemplate="round %{x}: place %{y}",
        )
    figure.update_xaxes(title="round", dtick=1 if len(rounds) <= SHOWN else None)
    return _with_places(figure, len(order))


def chooser(order: Sequence[Player], looks: Mapping[Player, Style], figure: str) -> str:
    """A list of those whose curves are not shown at once, as HTML; the script of the page adds whom one chooses."""
    if len(order) <= SHOWN:
        return ""
    options = "".join(
        f'<option value="{number}">{looks[player].name}</option>'
        for number, player in enumerate(order)
        if number >= SHOWN
    )
    first = f'<option value="">choose one of {len(order) - SHOWN}</option>'
    label = escape(f"The best {SHOWN} of {len(order)} are shown. Another one:")
    return f'<p class="note"><label>{label} <select data-figure="{figure}">{first}{options}</select></label></p>'


def thinned(points: Sequence[int], most: int) -> list[int]:
    """At most ``most`` of them, evenly, and the last one."""
    stride = -(-len(points) // most)
    return [*points[: len(points) - 1 : stride], points[-1]]


def _line(look: Style, number: int, shape: str = "linear", mode: str = "lines") -> dict[str, Any]:
    line = {"color": look.color, "dash": look.dash, "width": 2, "shape": shape}
    return {"name": look.name, "mode": mode, "line": line, "showlegend": True, "visible": number < SHOWN}


def _with_places(figure: Any, players: int) -> Any:
    """Place 1 is at the top."""
    dtick = 1 if players <= 2 * SHOWN else None
    figure.update_yaxes(title="place", range=[players + 0.5, 0.5], dtick=dtick, zeroline=False)
    return finished(figure, 140 + 36 * max(6, min(players, SHOWN)))


def _level_marks(levels: Mapping[int, int], stakes: Mapping[int, str]) -> dict[str, Any]:
    """A line for each level, with its stakes."""
    stride = -(-len(levels) // MOST_LEVELS) or 1
    marked = list(levels.items())[::stride]
    return {
        "shapes": list(_level_lines(marked)),
        "annotations": [
            {
                **{"x": hand, "y": 1, "yref": "paper", "text": stakes[level].removeprefix("the "), "showarrow": False},
                **{"textangle": -90, "xanchor": "right", "yanchor": "top", "font": {"size": 11}},
            }
            for level, hand in marked
        ],
    }


def _level_lines(marked: Sequence[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    for _, hand in marked:
        line = {"color": "#9498a0", "dash": "dot", "width": 1}
        yield {"type": "line", "x0": hand, "x1": hand, "y0": 0, "y1": 1, "yref": "paper", "line": line}

"""The figures of the report's page with a curve for each player: chips and places, hand by hand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dealer.lobby.player import Player
from dealer.report.curves import RoundCurves
from dealer.report.figures import Style, finished, new_figure

#: Curves that a figure shows at once, those of the best players; the reader may add others one by one.
SHOWN = 12

#: Points of each curve that is not shown at once, so that a page with hundreds of players stays small.
FEW_POINTS = 100

#: Points of a curve of places; more would be too dense to read.
PLACE_POINTS = 200

#: Levels that are marked at most; of more every second one is, or every third.
MOST_LEVELS = 24


def chip_curves(
    curves: RoundCurves,
    order: Sequence[Player],
    base: int,
    styles: Mapping[Player, Style],
    stakes: Mapping[int, str],
    keep_all: bool,
) -> Any:
    """Chips of the players of a round after each hand.

    Args:
        curves: of the round.
        order: its players; the first ``SHOWN`` are shown at once.
        base: chips everybody began with; 0 where games begin anew, and only the chips won can be added up.
        styles: of the players.
        stakes: in words by level, where they rise.
        keep_all: whether players who have left are still dealt in, so that their curves go on.
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
            **_line(styles[player], number),
            hovertemplate="hand %{x}: %{y:,} chips",
        )
    figure.update_xaxes(title="hand", rangemode="tozero")
    figure.update_yaxes(title="chips" if base else "chips won so far", zeroline=not base)
    figure.update_layout(**_level_marks(curves.levels, stakes))
    return finished(figure, 400 + 12 * min(len(order), SHOWN))


def place_curves(curves: RoundCurves, order: Sequence[Player], styles: Mapping[Player, Style]) -> Any:
    """The places of the players still in, after each hand."""
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
            **_line(styles[player], number, shape="hv"),
            hovertemplate="hand %{x}: place %{y}",
        )
    figure.update_xaxes(title="hand", rangemode="tozero")
    return _with_places(figure, len(order))


def round_curves(
    rounds: Sequence[Mapping[Player, int]], order: Sequence[Player], styles: Mapping[Player, Style]
) -> Any:
    """The places at the end of each round."""
    figure = new_figure()
    for number, player in enumerate(order):
        figure.add_scatter(
            x=list(range(1, len(rounds) + 1)),
            y=[places.get(player) for places in rounds],
            **_line(styles[player], number, mode="lines+markers"),
            hovertemplate="round %{x}: place %{y}",
        )
    figure.update_xaxes(title="round", dtick=1 if len(rounds) <= SHOWN else None)
    return _with_places(figure, len(order))


def thinned(points: Sequence[int], most: int) -> list[int]:
    """At most ``most`` of the points, evenly chosen, and the last one."""
    stride = -(-len(points) // most)
    return [*points[: len(points) - 1 : stride], points[-1]]


def _line(style: Style, number: int, shape: str = "linear", mode: str = "lines") -> dict[str, Any]:
    line = {"color": style.color, "dash": style.dash, "width": 2, "shape": shape}
    return {"name": style.plotly_name, "mode": mode, "line": line, "showlegend": True, "visible": number < SHOWN}


def _with_places(figure: Any, players: int) -> Any:
    """The figure finished with an axis of places, on which place 1 is at the top."""
    dtick = 1 if players <= 2 * SHOWN else None
    figure.update_yaxes(title="place", range=[players + 0.5, 0.5], dtick=dtick, zeroline=False)
    return finished(figure, 140 + 36 * max(6, min(players, SHOWN)))


def _level_marks(levels: Mapping[int, int], stakes: Mapping[int, str]) -> dict[str, Any]:
    """A dotted line with the new ante where each level began."""
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

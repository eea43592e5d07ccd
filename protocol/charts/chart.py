"""Charts as values: axes with names and units, and curves or bars by name and colour. ``charts.js`` draws them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

#: Kinds of a chart: "curves" over numbers; bars of each row, "stacked" or "beside" each other; "boxes", one in a row,
#: of six values each, from the least to the greatest: whisker, box, its middle, box, whisker, and a mark.
Kind = Literal["curves", "stacked", "beside", "boxes"]

#: How numbers lie on an axis: "places" count from 1 at the top.
Scale = Literal["linear", "log", "places"]

#: How a curve goes from point to point; "columns" stand on the axis instead, ``width`` wide.
Shape = Literal["line", "steps", "dots", "columns"]


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis, and how its numbers are told.

    Attributes:
        title: beside the axis.
        unit: words around a number; "{}" stands for it.
        digits: behind the point.
        scale: how numbers lie on it.
        names: of the rows, from the top, where rows are all there is.
    """

    title: str
    unit: str = "{}"
    digits: int = 0
    scale: Scale = "linear"
    names: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """A curve, the bars of one colour, or a box.

    Attributes:
        name: of all that it shows.
        color: as in CSS.
        at: where each value stands: on the axis ``Chart.at``, or in which row.
        values: None where there is none.
        low: the lower ends of their intervals, where they have one.
        high: the upper ends.
        dash: lengths of dashes and gaps, as in SVG.
        group: the name in the legend, which hides and shows all series of its group; empty for ``name``.
        shape: of a curve.
        width: of columns, on the axis ``Chart.at``.
    """

    name: str
    color: str
    at: Sequence[float]
    values: Sequence[float | None]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    dash: str = ""
    group: str = ""
    shape: Shape = "line"
    width: float = 0


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of a page.

    Attributes:
        name: of its element on the page.
        title: its heading.
        note: what it shows.
        kind: what is drawn.
        at: the axis of what is counted or measured: hands, rows, shares.
        value: the axis of the values. It is upright in curves, and lies below bars and boxes.
        series: all curves, colours of bars, or boxes.
        marks: dotted lines with words, across ``at`` in curves, else across ``value``.
        shown: groups that are shown at once; the reader may show others.
        listed: groups in the legend; the reader chooses others from a list.
    """

    name: str
    title: str
    note: str
    kind: Kind
    at: Axis
    value: Axis
    series: Sequence[Series]
    marks: Sequence[tuple[float, str]] = ()
    shown: int = 12
    listed: int = 12

    @property
    def data(self) -> dict[str, Any]:
        """The chart as the page holds it for the script, with values as exact as they are told."""
        facts = asdict(self)
        for one in facts["series"]:
            one["at"] = [round(place, self.at.digits) for place in one["at"]]
            for name in ("values", "low", "high"):
                one[name] = [None if value is None else round(value, self.value.digits) for value in one[name]]
        return facts


def thinned(points: Sequence[int], most: int) -> list[int]:
    """At most ``most`` of the points, evenly chosen, and the last one."""
    stride = -(-len(points) // most) or 1
    return [*points[:-1:stride], *points[-1:]]

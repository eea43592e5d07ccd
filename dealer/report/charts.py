"""The charts of the report's page: chips and places as curves, hands won as bars, reply times as boxes."""

from collections.abc import Sequence

from dealer.lobby.player import Player
from dealer.report.contents import Contents
from dealer.report.labels import Style
from protocol.charts.chart import Axis, Chart, Series, Shape, thinned
from protocol.games.base import FOLDED

#: Curves that a chart shows at once, those of the best players; the reader may add others one by one.
SHOWN = 12

#: Points of each curve that is not shown at once, so that a page with hundreds of players stays small.
FEW_POINTS = 100

#: Points of a curve of places; more would be too dense to read.
PLACE_POINTS = 200

#: Levels that are marked at most; of more every second one is, or every third.
MOST_LEVELS = 24

#: Players, and points of each curve, in the picture at the head of the page.
PICTURED, PICTURE_POINTS = 6, 120

#: Players in a chart that has a bar or a box for each.
BARS = 16

#: Shares of replies, in percent: a box reaches from the second to the fourth, its whiskers from the first to the fifth.
SHARES = (1, 25, 50, 75, 99, 100)

#: Shades for the kinds of winning cards, from the weakest to the strongest; pots won by folds are grey.
_FOLDED_COLOR = "#9498a0"
_KIND_COLORS = ("#cfe8d5", "#a9d8b4", "#7fc791", "#56b36f", "#3ca951", "#2b8f40", "#1f7533", "#155c26", "#0c441a")

_HAND, _PLACE = Axis("hand", "hand {}"), Axis("place", "place {}", scale="places")
_LEGEND = "Tap a name to hide it, twice to see it alone."


def picture(contents: Contents) -> Chart:
    """The picture at the head of the page: places by round where points decide, else chips in the last round."""
    best = f", of the best {PICTURED}" if len(contents.labels) > PICTURED else ""
    if contents.ledger.seating.rounds > 1 and contents.standings[0].points is not None:
        return _rounds(contents, "picture", f"Places, round by round{best}", contents.order[:PICTURED])
    won = "Chips won" if _several_games(contents) else "Chips"
    return _chips(contents, "picture", f"{won}, hand by hand{best}", _playing(contents)[:PICTURED], PICTURE_POINTS)


def curves(contents: Contents) -> list[Chart]:
    """Chips and places over the hands of the last round, and before them the places of every round."""
    ledger = contents.ledger
    several, order = ledger.seating.rounds > 1, _playing(contents)
    in_round = f" in round {ledger.seating.round}" if several else ""
    rounds = [_rounds(contents, "rounds", "Places round by round", contents.order)] if several else []
    return [
        *rounds,
        _chips(contents, "chips", f"Chips{in_round}", order),
        _places(contents, f"Places{in_round}", order),
    ]


def _playing(contents: Contents) -> list[Player]:
    """The players of the last round, the best first."""
    playing = set(contents.course.round.players)
    return [player for player in contents.order if player in playing]


def _several_games(contents: Contents) -> bool:
    """True if every game begins with equal stacks, so that only the chips won can be added up."""
    settings = contents.ledger.settings
    return settings.duplicate or settings.games > 1


def _chips(contents: Contents, name: str, title: str, order: Sequence[Player], points: int | None = None) -> Chart:
    """Chips of players after each hand.

    Args:
        contents: of the report.
        name: of the chart.
        title: of the chart.
        order: the players; the first ``SHOWN`` are shown at once.
        points: of each curve at most; None for all of the curves that are shown at once.
    """
    ledger, curves = contents.ledger, contents.course.round
    several, settings = _several_games(contents), ledger.settings
    base = 0 if several else settings.game.start(2).stacks[0]
    series = []
    for number, player in enumerate(order):
        chips = curves.chips(player)
        kept = [
            point
            for point in range(len(curves.hands))
            # in a duplicate league players who have left are still dealt in
            if settings.duplicate or not point or not curves.out(player, curves.hands[point - 1])
        ]
        kept = thinned(kept, points or (len(kept) if number < SHOWN else FEW_POINTS))
        at = [curves.hands[point] for point in kept]
        series.append(_line(contents.styles[player], at, [base + chips[point] for point in kept]))
    note = "Chips won in all games so far." if several else "Chips after each hand."
    if len(ledger.seating.round_tables) > 1:
        note += " Hands are counted at the table that is furthest on."
    if curves.levels:
        note += " Dotted lines show where stakes rose."
    value = Axis("chips won so far" if several else "chips", "{} chips")
    stride = -(-len(curves.levels) // MOST_LEVELS) or 1
    marks = [
        (hand, ledger.levels.stakes(level).text.removeprefix("the "))
        for level, hand in list(curves.levels.items())[::stride]
    ]
    return Chart(name, title, f"{note} {_LEGEND}", "curves", _HAND, value, series, marks)


def _places(contents: Contents, title: str, order: Sequence[Player]) -> Chart:
    """The places of the players still in, after each hand."""
    curves = contents.course.round
    points = list(range(len(curves.hands)))
    shown = thinned(points[1:] or points, PLACE_POINTS)  # at the start all places are equal
    few = thinned(shown, FEW_POINTS)
    places = {point: curves.places(point) for point in shown}
    series = []
    for number, player in enumerate(order):
        own = shown if number < SHOWN else few
        at = [curves.hands[point] for point in own]
        series.append(_line(contents.styles[player], at, [places[point].get(player) for point in own], "steps"))
    note = "By chips, among the players still in. Players who have left are no longer shown."
    return Chart("places", title, note, "curves", _HAND, _PLACE, series)


def _rounds(contents: Contents, name: str, title: str, order: Sequence[Player]) -> Chart:
    """The places at the end of each round."""
    rounds = contents.course.places
    at = range(1, len(rounds) + 1)
    series = [_line(contents.styles[player], at, [places.get(player) for places in rounds], "dots") for player in order]
    note = "After each round, by how it ended. A player who had left before a round has no place in it."
    return Chart(name, title, note, "curves", Axis("round", "round {}"), _PLACE, series)


def _line(style: Style, at: Sequence[int], values: Sequence[int | None], shape: Shape = "line") -> Series:
    return Series(style.name, style.color, at, values, dash=style.dash, shape=shape)


def winning_ways(contents: Contents) -> Chart:
    """Bars: how often the first ``BARS`` players won part of a pot, by the kind of the winning cards."""
    statistics, players = contents.statistics, contents.order[:BARS]
    kinds = contents.ledger.settings.game.kinds
    used = [kind for kind in kinds if any(statistics[player].ways[kind] for player in players)]
    shades = [kind for kind in used if kind != FOLDED]
    series = []
    for kind in used:
        color = _FOLDED_COLOR if kind == FOLDED else _KIND_COLORS[_spread(shades.index(kind), len(shades))]
        counts = [statistics[player].ways[kind] for player in players]
        series.append(Series(kind, color, range(len(players)), counts))
    names = Axis("player", names=[contents.styles[player].name for player in players])
    note = f"How often each player won part of a pot, and with what. {_best(contents)}"
    return Chart(
        "ways", "Hands won", note, "stacked", names, Axis("hands", "{} hands"), series, (), len(used), len(used)
    )


def _spread(place: int, count: int) -> int:
    """A shade for each of ``count`` kinds, the darkest for the last."""
    return round(place * (len(_KIND_COLORS) - 1) / max(count - 1, 1)) if count > 1 else len(_KIND_COLORS) // 2


def reply_times(contents: Contents) -> Chart:
    """Boxes: reply times of the first ``BARS`` players who replied."""
    statistics, limit = contents.statistics, contents.ledger.settings.limit
    series = []
    for player in [player for player in contents.order if statistics[player].micros][:BARS]:
        times = statistics[player].milliseconds(*(share / 100 for share in SHARES))
        style = contents.styles[player]
        series.append(Series(style.name, style.color, SHARES, [max(time or 0.0, 0.001) for time in times]))
    note = (
        "Milliseconds until the reply. A box holds the middle half, the line in it is the median, whiskers reach from "
        f"1 % to 99 %, and the mark is the longest. The dotted line is the limit of {limit:g} s. " + _best(contents)
    )
    shares, value = Axis("% of replies", "{} % of replies within"), Axis("milliseconds", "{} ms", 3, "log")
    marks = [(limit * 1000, "the limit")]
    return Chart("replies", "Reply times", note, "boxes", shares, value, series, marks, BARS, BARS)


def _best(contents: Contents) -> str:
    """A sentence for charts that have no room for all players."""
    many = len(contents.labels)
    return "" if many <= BARS else f"The best {BARS} of {many} are shown."

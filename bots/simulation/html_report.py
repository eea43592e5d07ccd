"""``--report``: one HTML file with facts and figures, which needs no network to be read."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any

from bots.simulation.facts import closing_lines, title
from bots.simulation.plan import SimulationError
from bots.simulation.whole_games import Outcome, Step
from bots.statistics import wilson

BINS = 60
POINTS = 500
"""Of a curve; more would only make the file larger."""

COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf")


def check_report(path: Path) -> None:
    """Find out before the first game whether a report can be written.

    Raises:
        SimulationError: plotly is missing, or the place is none for a file.
    """
    _plotly("graph_objects")
    if path.is_dir() or not path.parent.is_dir():
        raise SimulationError(
            f"cannot write the report {path}: {'it is' if path.is_dir() else 'there is no such'} folder"
        )


def write_report(outcome: Outcome, path: Path) -> None:
    """Write the file; an older one of that name is replaced.

    Raises:
        SimulationError: plotly is missing, or the file system refused it.
    """
    try:
        path.write_text(report_page(outcome), encoding="utf-8")
    except OSError as error:
        raise SimulationError(f"cannot write the report {path}: {error.strerror}") from None


def report_page(outcome: Outcome) -> str:
    """The whole page.

    Raises:
        SimulationError: plotly is missing.
    """
    to_html = _plotly("io").to_html
    figures = [final_chips(outcome), running_mean(outcome), wins_by_opener(outcome)]
    parts = [
        # the script is as large as all else together, so it comes once
        to_html(figure, include_plotlyjs=number == 0, full_html=False, config={"displaylogo": False})
        for number, figure in enumerate(figures)
    ]
    return _PAGE.format(
        title=escape(title(outcome)),
        verdict=escape(outcome.verdict.words),
        rows="\n".join(_row(outcome, player) for player in range(len(outcome.names))),
        notes="\n".join(f"<p>{escape(line)}</p>" for line in closing_lines(outcome)[:-1]),
        figures="\n".join(parts),
    )


def final_chips(outcome: Outcome) -> Any:
    """How games ended: the share of games by chips, for each player."""
    graph = _plotly("graph_objects")
    players = outcome.tally.players
    low = min(min(player.stacks) for player in players)
    width = max(1, -(-(max(max(player.stacks) for player in players) - low + 1) // BINS))
    figure = graph.Figure()
    for player, name, color in zip(players, outcome.names, COLORS, strict=False):
        bins: Counter[int] = Counter()
        for chips, times in player.stacks.items():
            bins[(chips - low) // width] += times
        middles = [low + width * (number + 0.5) for number in sorted(bins)]
        shares = [bins[number] / outcome.tally.games for number in sorted(bins)]
        figure.add_bar(x=middles, y=shares, width=width, name=name, marker_color=color, opacity=0.6)
    figure.update_layout(title="Chips at the end of a game", barmode="overlay", template="plotly_white")
    figure.update_xaxes(title="chips")
    return figure.update_yaxes(title="share of games", tickformat=".1%")


def running_mean(outcome: Outcome) -> Any:
    """Chips won a hand as the games went on, with the 95 % interval that held at each point."""
    graph = _plotly("graph_objects")
    known = [step for step in outcome.trail if isfinite(step.chips_per_hand[0].low)]
    steps = _thinned(known)
    games = [step.games for step in steps]
    figure = graph.Figure()
    for player, (name, color) in enumerate(zip(outcome.names, COLORS, strict=False)):
        means = [step.chips_per_hand[player] for step in steps]
        outline = [mean.high for mean in means] + [mean.low for mean in reversed(means)]
        figure.add_scatter(
            x=games + games[::-1],
            y=outline,
            fill="toself",
            fillcolor=color,
            opacity=0.2,
            line_width=0,
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_scatter(x=games, y=[mean.value for mean in means], name=name, line_color=color)
    figure.update_layout(title="Chips won a hand, with 95 % interval", template="plotly_white")
    figure.update_xaxes(title="games played")
    return figure.update_yaxes(title="chips a hand")


def wins_by_opener(outcome: Outcome) -> Any:
    """Games won by each player, by the player who opened the first hand of the game."""
    graph = _plotly("graph_objects")
    figure = graph.Figure()
    openers = sorted(outcome.tally.players[0].opened)
    labels = [
        f"{outcome.names[opener]} opened<br>{outcome.tally.players[0].opened[opener]:,} games" for opener in openers
    ]
    for player, name, color in zip(outcome.tally.players, outcome.names, COLORS, strict=False):
        rates = [wilson(player.won_as_opener[opener], player.opened[opener]) for opener in openers]
        spread = {
            "array": [rate.high - rate.value for rate in rates],
            "arrayminus": [rate.value - rate.low for rate in rates],
        }
        figure.add_bar(x=labels, y=[rate.value for rate in rates], error_y=spread, name=name, marker_color=color)
    note = "" if len(openers) > 1 else "; with --duplicate everybody opens as many games"
    figure.update_layout(title=f"Games won, by who opened the game{note}", template="plotly_white")
    return figure.update_yaxes(title="share of games", tickformat=".0%")


def _thinned(steps: Sequence[Step]) -> Sequence[Step]:
    """At most ``POINTS`` of the steps and the last one."""
    stride = -(-len(steps) // POINTS) or 1
    return [*steps[:-1:stride], *steps[-1:]]


def _row(outcome: Outcome, player: int) -> str:
    tally = outcome.tally
    mine, rate, chips = tally.players[player], tally.win_rate(player), tally.chips_per_hand(player)
    cells = [
        escape(outcome.names[player]),
        f"{tally.chips_per_game(player).value:,.1f}",
        *(f"{count:,}" for count in (mine.won, mine.drawn, tally.games - mine.won - mine.drawn)),
        f"{rate.value:.2%} ({rate.low:.2%} to {rate.high:.2%})",
        f"{chips.value:+.3f} ({chips.low:+.3f} to {chips.high:+.3f})",
        f"{mine.folds:,}",
    ]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _plotly(module: str) -> Any:
    """A module of plotly, which only some installs bring and which takes a while to import."""
    try:
        return import_module(f"plotly.{module}")
    except ImportError:
        raise SimulationError("a report needs plotly: pip install 'casino-day[sim]'") from None


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font-family: sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: 0.3em 0.8em; text-align: right; border-bottom: 1px solid #ccc; }}
th:first-child, td:first-child {{ text-align: left; }}
</style>
</head>
<body>
<h1>{verdict}</h1>
<p>{title}</p>
<table>
<tr><th>Bot</th><th>Chips a game</th><th>Won</th><th>Drawn</th><th>Lost</th><th>Win rate (95 %)</th>
<th>Chips a hand (95 %)</th><th>Folds</th></tr>
{rows}
</table>
{notes}
{figures}
</body>
</html>
"""

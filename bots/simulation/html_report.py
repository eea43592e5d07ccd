"""The page of a simulation's report (``--report``): facts and figures.

Its HTML is in ``templates/simulation_report.html``.
"""

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from bots.fitting_table import signed
from bots.report_file import library, render
from bots.simulation.facts import closing_lines, title
from bots.simulation.whole_games import Outcome, Step
from protocol.estimates.intervals import share

#: Bars of one player in the distribution of chips.
BINS = 60

#: Points of a curve; more would only make the file larger.
POINTS = 500

COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf")


def report_page(outcome: Outcome) -> str:
    """The text of the page.

    Raises:
        ReportError: plotly or Jinja2 is not installed.
    """
    to_html = library("plotly.io").to_html
    figures = [final_chips(outcome), running_mean(outcome), wins_by_opener(outcome)]
    parts = [
        # the script is as large as all else together, so it comes once
        to_html(figure, include_plotlyjs=number == 0, full_html=False, config={"displaylogo": False})
        for number, figure in enumerate(figures)
    ]
    # Safe to insert as they are: plotly writes its data as JSON in which <, > and & are escaped, and the names of bots
    # were escaped before (`_plotly_names`), because plotly itself reads some HTML.
    markup = library("markupsafe").Markup
    return render(
        "bots.simulation",
        "simulation_report.html",
        title=title(outcome),
        verdict=outcome.verdict.words,
        rows=[_row(outcome, player) for player in range(len(outcome.names))],
        notes=closing_lines(outcome)[:-1],
        figures=[markup(part) for part in parts],
    )


def _plotly_names(outcome: Outcome) -> list[str]:
    return [escape(name, quote=False) for name in outcome.names]


def final_chips(outcome: Outcome) -> Any:
    """How games ended: the share of games by chips, for each player."""
    graph = library("plotly.graph_objects")
    players = outcome.tally.players
    low = min(min(player.stacks) for player in players)
    width = max(1, -(-(max(max(player.stacks) for player in players) - low + 1) // BINS))
    figure = graph.Figure()
    for player, name, color in zip(players, _plotly_names(outcome), COLORS, strict=False):
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
    graph = library("plotly.graph_objects")
    known = [step for step in outcome.trail if all(mean.interval for mean in step.chips_per_hand)]
    steps = _thinned(known)
    games = [step.games for step in steps]
    figure = graph.Figure()
    for player, (name, color) in enumerate(zip(_plotly_names(outcome), COLORS, strict=False)):
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
    graph = library("plotly.graph_objects")
    figure = graph.Figure()
    openers = sorted(outcome.tally.players[0].opened)
    names = _plotly_names(outcome)
    labels = [f"{names[opener]} opened<br>{outcome.tally.players[0].opened[opener]:,} games" for opener in openers]
    for player, name, color in zip(outcome.tally.players, names, COLORS, strict=False):
        rates = [share(player.won_as_opener[opener], player.opened[opener]) for opener in openers]
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


def _row(outcome: Outcome, player: int) -> list[str]:
    tally = outcome.tally
    mine, rate, chips = tally.players[player], tally.win_rate(player), tally.chips_per_hand(player)
    return [
        outcome.names[player],
        f"{tally.chips_per_game(player).value:,.1f}",
        *(f"{count:,}" for count in (mine.won, mine.drawn, tally.games - mine.won - mine.drawn)),
        f"{rate.value:.2%} ({rate.low:.2%} to {rate.high:.2%})",
        "{} ({} to {})".format(*signed(chips, ".3f")),
        f"{mine.folds:,}",
    ]

"""The page of a simulation's report (``--report``): facts and charts.

Its HTML is in ``templates/simulation_report.html``.
"""

from collections import Counter

from bots.fitting_table import signed
from bots.simulation.facts import closing_lines, title
from bots.simulation.whole_games import Outcome
from protocol.charts.chart import Axis, Chart, Series, thinned
from protocol.charts.html_file import render
from protocol.estimates.intervals import share

#: Bars of one player in the distribution of chips.
BINS = 60

#: Points of a curve; more would only make the file larger.
POINTS = 500

COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf")

_SHARE = Axis("% of games", "{} %", digits=2)


def report_page(outcome: Outcome) -> str:
    """The text of the page."""
    return render(
        "bots.simulation",
        "simulation_report.html",
        styles=["simulation_report.css"],
        title=title(outcome),
        verdict=outcome.verdict.words,
        rows=[_row(outcome, player) for player in range(len(outcome.names))],
        notes=closing_lines(outcome)[:-1],
        charts=[final_chips(outcome), running_mean(outcome), wins_by_opener(outcome)],
    )


def final_chips(outcome: Outcome) -> Chart:
    """How games ended: the share of games by chips, for each player."""
    players = outcome.tally.players
    low = min(min(player.stacks) for player in players)
    width = max(1, -(-(max(max(player.stacks) for player in players) - low + 1) // BINS))
    series = []
    for player, name, color in zip(players, outcome.names, COLORS, strict=False):
        bins: Counter[int] = Counter()
        for chips, times in player.stacks.items():
            bins[(chips - low) // width] += times
        middles = [low + (width - 1) / 2 + width * number for number in sorted(bins)]
        shares = [100 * bins[number] / outcome.tally.games for number in sorted(bins)]
        series.append(Series(name, color, middles, shares, shape="columns", width=width))
    note = f"Each column counts {width:,} numbers of chips, around its own." if width > 1 else ""
    axis = Axis("chips", "{} chips", digits=1)
    return Chart("final-chips", "Chips at the end of a game", note, "curves", axis, _SHARE, series)


def running_mean(outcome: Outcome) -> Chart:
    """Chips won a hand as the games went on, with the 95 % interval that held at each point."""
    known = [step for step in outcome.trail if all(mean.interval for mean in step.chips_per_hand)]
    steps = [known[number] for number in thinned(range(len(known)), POINTS)]
    games = [step.games for step in steps]
    series = []
    for player, (name, color) in enumerate(zip(outcome.names, COLORS, strict=False)):
        means = [step.chips_per_hand[player] for step in steps]
        values, lows, highs = ([getattr(mean, end) for mean in means] for end in ("value", "low", "high"))
        series.append(Series(name, color, games, values, lows, highs))
    games_played, chips = Axis("games played", "{} games"), Axis("chips a hand", "{} chips a hand", digits=4)
    return Chart("mean", "Chips won a hand, with 95 % interval", "", "curves", games_played, chips, series)


def wins_by_opener(outcome: Outcome) -> Chart:
    """Games won by each player, by the player who opened the first hand of the game."""
    opened = outcome.tally.players[0].opened
    openers = sorted(opened)
    labels = [f"{outcome.names[opener]} opened {opened[opener]:,} games" for opener in openers]
    series = []
    for player, name, color in zip(outcome.tally.players, outcome.names, COLORS, strict=False):
        rates = [share(player.won_as_opener[opener], player.opened[opener]) for opener in openers]
        values, lows, highs = ([100 * getattr(rate, end) for rate in rates] for end in ("value", "low", "high"))
        series.append(Series(name, color, range(len(openers)), values, lows, highs))
    note = "With 95 % intervals" + ("." if len(openers) > 1 else "; with --duplicate everybody opens as many games.")
    return Chart(
        "openers", "Games won, by who opened the game", note, "beside", Axis("opener", names=labels), _SHARE, series
    )


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

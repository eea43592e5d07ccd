"""The page of a simulation's report (``--report``): facts and charts."""

from collections import Counter
from collections.abc import Sequence

from bots.report_file import Part, write_page
from bots.simulation.engine import Outcome
from bots.simulation.facts import closing_lines, cross_notes, cross_table, cross_title, in_unit, played_words
from dealer.cli.tables import signed
from protocol.charts.chart import Axis, Chart, Series, thinned
from protocol.estimates.intervals import share

#: Bars of one player in the distribution of chips.
BINS = 60

#: Points of a curve; more would only make the file larger.
POINTS = 500

COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf")


def report_page(outcome: Outcome) -> str:
    """The text of the page of one simulation."""
    return write_page(outcome.verdict.words, [part_of(outcome, "")])


def cross_page(bots: Sequence[str], outcomes: Sequence[Outcome]) -> str:
    """The text of the page of every two bots: all against each other, and then every two."""
    table, notes = cross_table(bots, outcomes), cross_notes(outcomes)
    rows = [[name, *(table.cells.get((row, at), "-") for at in range(len(bots)))] for row, name in enumerate(bots)]
    every_two = [part_of(outcome, f"{' and '.join(outcome.names)}: {outcome.verdict.words}") for outcome in outcomes]
    return write_page(cross_title(outcomes), [Part("", notes[0], ["", *bots], rows, notes[1:-1]), *every_two])


def part_of(outcome: Outcome, heading: str) -> Part:
    """What was found in one simulation."""
    plays, unit = f"{outcome.plan.play}s", outcome.plan.game.unit[0]
    return Part(
        heading,
        played_words(outcome),
        ("Bot", f"{plays.capitalize()} won", "Drawn", "Lost", "Win rate (95 %)", f"{unit} (95 %)", "Folds"),
        [_row(outcome, player) for player in range(len(outcome.names))],
        closing_lines(outcome)[:-1],
        # the versions of a player sit in one seat
        [chips_won(outcome), running_mean(outcome), *([] if outcome.plan.against else [wins_by_opener(outcome)])],
    )


def chips_won(outcome: Outcome) -> Chart:
    """How games or hands ended: their share by chips won, for each player."""
    players, play = outcome.tally.players, outcome.plan.play
    low = min(min(player.chips) for player in players)
    width = max(1, -(-(max(max(player.chips) for player in players) - low + 1) // BINS))
    series = []
    for player, name, color in zip(players, outcome.names, COLORS, strict=False):
        bins: Counter[int] = Counter()
        for chips, times in player.chips.items():
            bins[(chips - low) // width] += times
        middles = [low + (width - 1) / 2 + width * number for number in sorted(bins)]
        shares = [100 * bins[number] / outcome.tally.plays for number in sorted(bins)]
        series.append(Series(name, color, middles, shares, shape="columns", width=width))
    note = f"Each column counts {width:,} numbers of chips, around its own." if width > 1 else ""
    axis = Axis("chips", "{} chips", digits=1)
    return Chart("chips-won", f"Chips won in a {play}", note, "curves", axis, _share_axis(outcome), series)


def running_mean(outcome: Outcome) -> Chart:
    """What was won as the simulation went on, with the 95 % interval that held at each point."""
    known = [step for step in outcome.trail if all(mean.interval for mean in step.chips_per_hand)]
    steps = [known[number] for number in thinned(range(len(known)), POINTS)]
    plays = [step.plays for step in steps]
    unit, factor = outcome.plan.game.unit
    series = []
    for player, (name, color) in enumerate(zip(outcome.names, COLORS, strict=False)):
        means = [step.chips_per_hand[player].scaled(factor) for step in steps]
        values, lows, highs = ([getattr(mean, end) for mean in means] for end in ("value", "low", "high"))
        series.append(Series(name, color, plays, values, lows, highs))
    word = f"{outcome.plan.play}s"
    played, won = Axis(f"{word} played", f"{{}} {word}"), Axis(unit, f"{{}} {unit}", digits=4)
    return Chart("mean", f"{unit.capitalize()}, with 95 % interval", "", "curves", played, won, series)


def wins_by_opener(outcome: Outcome) -> Chart:
    """Games or hands won by each player, by the player who was the first to act."""
    opened, word = outcome.tally.opened, f"{outcome.plan.play}s"
    openers = sorted(opened)
    labels = [f"{outcome.names[opener]} opened {opened[opener]:,} {word}" for opener in openers]
    series = []
    for player, name, color in zip(outcome.tally.players, outcome.names, COLORS, strict=False):
        rates = [share(player.won_as_opener[opener], opened[opener]) for opener in openers]
        values, lows, highs = ([100 * getattr(rate, end) for rate in rates] for end in ("value", "low", "high"))
        series.append(Series(name, color, range(len(openers)), values, lows, highs))
    note = "With 95 % intervals" + ("." if len(openers) > 1 else f"; with --duplicate everybody opens as many {word}.")
    heading, axis = f"{word.capitalize()} won, by who was the first to act", Axis("opener", names=labels)
    return Chart("openers", heading, note, "beside", axis, _share_axis(outcome), series)


def _share_axis(outcome: Outcome) -> Axis:
    return Axis(f"% of {outcome.plan.play}s", "{} %", digits=2)


def _row(outcome: Outcome, player: int) -> list[str]:
    tally = outcome.tally
    mine, rate = tally.players[player], tally.win_rate(player)
    return [
        outcome.names[player],
        *(f"{count:,}" for count in (mine.won, mine.drawn, tally.plays - mine.won - mine.drawn)),
        f"{rate.value:.2%} ({rate.low:.2%} to {rate.high:.2%})",
        "{} ({} to {})".format(*signed(in_unit(outcome, player), ".3f")),
        f"{mine.folds:,}",
    ]

"""The curves of the page, with what has to be said about them."""

from collections.abc import Mapping

from dealer.lobby.player import Player
from dealer.report import curve_figures
from dealer.report.contents import Findings
from dealer.report.figures import Style
from dealer.report.page_parts import figure, section

_LEGEND = "Tap a name to hide it, twice to see it alone."


def curve_sections(findings: Findings) -> list[str]:
    """Chips, places, and where there are several rounds the places behind each."""
    ledger, curves, looks = findings.fold.ledger, findings.curves.round, findings.looks
    settings = ledger.settings
    several_games = settings.duplicate or settings.games > 1
    base = 0 if several_games else settings.game.start(2).stacks[0]
    playing = set(curves.players)
    order = [player for player in findings.order if player in playing]
    antes = {level: ledger.levels.ante(level) for level in curves.levels}
    in_round = f" in round {ledger.seating.round}" if ledger.seating.rounds > 1 else ""
    chips = curve_figures.chip_curves(curves, order, base, looks, antes, settings.duplicate)
    places = curve_figures.place_curves(curves, order, looks)
    what = "Chips won in all games so far." if several_games else "Chips behind each hand."
    if len(ledger.seating.round_tables) > 1:
        what += " Hands are counted at the table that is furthest on."
    if curves.levels:
        what += " Dotted lines are where antes rose."
    note = "By chips, among those still in; whoever has left is no longer shown."
    sections = [
        _curve_section(f"Chips{in_round}", f"{what} {_LEGEND}", chips, "chips", order, looks),
        _curve_section(f"Places{in_round}", note, places, "places", order, looks),
    ]
    if ledger.seating.rounds > 1:
        rounds = curve_figures.round_curves(findings.curves.places, findings.order, looks)
        note = "Behind each round, by how it ended; whoever had left before it has none."
        sections.insert(0, _curve_section("Places round by round", note, rounds, "rounds", findings.order, looks))
    return sections


def _curve_section(
    title: str, note: str, drawn: object, name: str, order: list[Player], looks: Mapping[Player, Style]
) -> str:
    return section(title, note, curve_figures.chooser(order, looks, name) + figure(drawn, name))

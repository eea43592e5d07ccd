"""The last word to a player who is still there when a tournament ends."""

from dealer.formats.freezeout import Freezeout
from dealer.formats.pairings import Pairings
from dealer.formats.points import shown
from dealer.ledger import Ledger
from dealer.player import Player
from dealer.standings import Standing


def farewell(ledger: Ledger, standing: Standing) -> str:
    """What the player of ``standing`` hears behind ``done:``."""
    place = f"the tournament is over: you are number {standing.place} of {len(ledger.players)}"
    if ledger.duplicate:
        deals = ledger.duplicate.progress()["complete"]
        return f"{place}; you won {standing.chips} chips in {deals} complete deals"
    points = _points(ledger, standing.player)
    if points is not None:
        return f"{place} with {shown(points)} points after {ledger.rounds} rounds"
    if not ledger.scores:
        return f"{place} with {standing.chips} chips"
    score = ledger.scores.by_player[standing.player]
    return f"{place}; you won {score.won} games, drew {score.drawn} and lost {score.lost}"


def _points(ledger: Ledger, player: Player) -> int | None:
    """Half points, where there are any."""
    format_ = ledger.format
    if isinstance(format_, Pairings):
        return format_.scores.points()[player]
    if isinstance(format_, Freezeout) and format_.series:
        return format_.series.by_player[player].total
    return None

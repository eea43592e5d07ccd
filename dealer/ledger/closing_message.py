"""The text of the ``done:`` message at the end of a tournament."""

from dealer.ledger.formats.points import shown
from dealer.ledger.ledger import Ledger
from dealer.ledger.standings import Standing


def closing_message(ledger: Ledger, standing: Standing) -> str:
    """The text behind ``done:`` for the player of ``standing``, who is still there."""
    place = f"the tournament is over: you are number {standing.place} of {len(ledger.players)}"
    if ledger.duplicate:
        deals = ledger.duplicate.progress()["complete"]
        return f"{place}; you won {standing.chips} chips in {deals} complete deals"
    if standing.points is not None:
        rounds = "1 round" if ledger.seating.rounds_played == 1 else f"{ledger.seating.rounds_played} rounds"
        return f"{place} with {shown(standing.points)} points after {rounds}"
    if not ledger.scores:
        return f"{place} with {standing.chips} chips"
    score = ledger.scores.by_player[standing.player]
    return f"{place}; you won {score.won} games, drew {score.drawn} and lost {score.lost}"

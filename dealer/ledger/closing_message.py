"""The text of the ``done:`` message at the end of a tournament."""

from dealer.ledger.ledger import Ledger
from dealer.ledger.standings import Standing


def closing_message(ledger: Ledger, standing: Standing) -> str:
    """The text behind ``done:`` for the player of ``standing``, who is still there."""
    place = f"the tournament is over: you are number {standing.place} of {len(ledger.players)}"
    return place + ledger.format.closing_words(standing, ledger.seating.rounds_played)

"""Honours on the podium: the winner's best hand, the biggest pot, the fastest and the steadiest program."""

from typing import Any

from dealer.ledger.standings import Standing
from dealer.lobby.player import Player
from dealer.tournament.tournament import Tournament
from dealer.web.highlights import Highlights, Win

#: Replies that a program must have given to be compared by their times.
REPLIES = 20


def honours(
    tournament: Tournament, standings: list[Standing], names: dict[Player, int], highlights: Highlights, *, told: bool
) -> dict[str, Any]:
    """The honours of a tournament that has ended, each as numbers and words; None for one that nobody earned.

    Args:
        tournament: that has ended.
        standings: its players, the winner first.
        names: their numbers.
        highlights: the hands that were heard.
        told: whether it may be said what hands were won with.

    Returns:
        ``best`` and ``pot`` as player, chips, number of the hand, and why it was won; ``fastest`` and ``steadiest`` as
        player and milliseconds within which half of its replies came, or 99 of 100.
    """

    def win(won: Win | None, chips: int) -> list[Any] | None:
        if won is None:
            return None
        return [won.player, chips, won.record.deal.number, won.why(tournament.settings.game) if told else ""]

    best = highlights.best.get(names[standings[0].player]) if standings else None
    largest = highlights.largest
    return {
        "best": win(best, best.chips if best else 0),
        "pot": win(largest, largest.pot if largest else 0),
        "fastest": _quickest(tournament, names, 0.5),
        "steadiest": _quickest(tournament, names, 0.99),
    }


def _quickest(tournament: Tournament, names: dict[Player, int], share: float) -> list[Any] | None:
    """The player that gave a share (0 to 1) of its replies in the shortest time, and that time in milliseconds."""
    times = {
        names[player]: player.reply_times.quantile(share) or 0.0
        for player in tournament.players
        if player.reply_times.count >= REPLIES
    }
    if len(times) < 2:
        return None
    first = min(times, key=lambda number: (times[number], number))
    return [first, float(f"{times[first] * 1000:.2g}")]

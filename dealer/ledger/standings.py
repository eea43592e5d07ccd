"""Who came where: one value a player, as a table for people and as plain facts for scripts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table as RichTable
from rich.text import Text

from dealer.ledger.departures import Departure
from dealer.lobby.player import Player


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place (1 is the best; equals share one) and chips; ``Ledger.standings`` says which.

    ``points`` are half points, where places go by them; None elsewhere.
    """

    place: int
    chips: int
    player: Player
    points: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The facts, with reply times in seconds."""
        player = self.player
        return {
            "place": self.place,
            "id": player.id,
            "avatar": player.avatar,
            "bot": player.program,
            "chips": self.chips,
            "points": None if self.points is None else self.points / 2,
            "hands_won": player.hands_won,
            "hands_survived": player.hands_survived,
            "decisions": player.decisions,
            "faults": [{"kind": fault.kind.value, "reason": fault.reason} for fault in player.faults],
            "reply_p50": player.reply_times.quantile(0.5),
            "reply_p99": player.reply_times.quantile(0.99),
            "left": player.left,
        }


def rank(
    stacks: Mapping[Player, int],
    departures: Mapping[Player, Departure],
    games_won: Mapping[Player, int] | None = None,
) -> list[Standing]:
    """Places: whoever is still in by games won, if that counts, and chips; then the others, the last to leave first

    and the richer of two at once.
    """

    def merit(player: Player) -> tuple[bool, tuple[int, ...], int, int]:
        departure = departures.get(player)
        if departure is not None:
            return False, departure.order, 0, departure.chips
        return True, (), games_won[player] if games_won is not None else 0, stacks[player]

    return rank_by({player: merit(player) for player in stacks}, stacks)


def rank_by(
    merits: Mapping[Player, Any], chips: Mapping[Player, int], points: Mapping[Player, int] | None = None
) -> list[Standing]:
    """Places by merit, more being better; those of equal merit share one. Who has no ``chips`` there has 0."""
    order = sorted(merits, key=merits.__getitem__, reverse=True)
    standings: list[Standing] = []
    for position, player in enumerate(order):
        tied = position and merits[player] == merits[order[position - 1]]
        place = standings[-1].place if tied else position + 1
        standings.append(Standing(place, chips.get(player, 0), player, None if points is None else points[player]))
    return standings


_NAMES = ("Avatar", "Bot")
_NUMBERS = ("Chips", "Hands\nwon", "Sur-\nvived", "Deci-\nsions", "Faults", "ms\np50", "ms\np99")


def standings_table(standings: list[Standing]) -> RichTable:
    """The standings as a terminal of 80 columns shows them; a long name takes more lines, and loses nothing."""
    table = RichTable(title="Standings", box=SIMPLE_HEAD, padding=0, show_edge=False)
    table.add_column("Place", justify="right", no_wrap=True)
    for heading in _NAMES:
        table.add_column(heading, overflow="fold")
    for heading in _NUMBERS:
        table.add_column(heading, justify="right", no_wrap=True)
    for standing in standings:
        player = standing.player
        table.add_row(
            str(standing.place),
            Text(player.avatar),
            Text(player.program),
            str(standing.chips),
            str(player.hands_won),
            str(player.hands_survived),
            str(player.decisions),
            str(len(player.faults)),
            milliseconds(player.reply_times.quantile(0.5)),
            milliseconds(player.reply_times.quantile(0.99)),
        )
    return table


def milliseconds(seconds: float | None) -> str:
    """A reply time as tables show it."""
    if seconds is None:
        return "-"
    return f"{seconds * 1000:.2f}" if seconds < 0.1 else f"{seconds * 1000:.0f}"

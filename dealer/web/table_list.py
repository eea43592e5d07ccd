"""All tables of a round in brief, for the page: who sits there with how many chips, and the pot."""

from typing import Any

from dealer.audit.hands import play_so_far
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.tournament.outlook import outlook_of
from dealer.tournament.table import WatchedTable
from dealer.tournament.tournament import Tournament


def open_tables(tournament: Tournament) -> list[TableState]:
    """The tables that still play; at the end, those that played in the last round."""
    ledger = tournament.ledger
    playing = [table for table in ledger.seating.round_tables if not ledger.seating.table_over(table)]
    return playing or [table for table in ledger.seating.round_tables if table.finished] or ledger.seating.round_tables


def table_list(tournament: Tournament, names: dict[Player, int]) -> list[list[Any]]:
    """A row for each table that still plays: its number, its hand, the pot, and [player, chips] by seat.

    The rows have no names, because hundreds of seats are sent in a second. Chips are those before the hand under way.
    """
    tables = open_tables(tournament)
    pots = len(tables) > 1  # the only table is shown as a whole
    return [
        [
            table.number,
            table.hand_number,
            _pot(tournament, tournament.runs.get(table.number)) if pots else 0,
            [[names[table.players[seat]], table.match.stacks[seat]] for seat in table.match.seated],
        ]
        for table in tables
    ]


def _pot(tournament: Tournament, run: WatchedTable | None) -> int:
    """Chips in the pot of the hand under way, or of the last one; 0 before the first."""
    if run is None:
        return 0
    if run.in_play is not None:
        return play_so_far(run.in_play.deal.begin(tournament.settings.game), run.in_play)[1].pot
    return 0 if run.last is None else run.last.pot


def stage_of(tournament: Tournament) -> str | None:
    """The last stage of a tournament in which players go out: "final" table, or "heads-up"; None before."""
    outlook = outlook_of(tournament.ledger)
    if not outlook.eliminates or outlook.later or outlook.players <= 2:
        return None
    if outlook.playing == 2:
        return "heads-up"
    return "final" if outlook.tables > 1 and outlook.open_tables == 1 else None

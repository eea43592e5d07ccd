"""Who came where, and where somebody left, in tournaments of any number of tables and rounds."""

from dealer.faults import FaultKind
from dealer.ledger.ledger import Ledger
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player


def everybody(ledger: Ledger) -> list[Standing]:
    """The standings, and behind them whoever had left before the last round began; those share a place."""
    ranked = ledger.standings()
    there = {standing.player for standing in ranked}
    gone = [player for player in ledger.players if player not in there]
    return ranked + [
        Standing(len(ranked) + 1, ledger.seating.table_of(player).stacks()[player], player) for player in gone
    ]


def was_removed(player: Player) -> bool:
    """Whether it was the host who put a player out, which is no fault of its program."""
    return player.left_for is not None and player.left_for.kind is FaultKind.REMOVED


def went_broke(player: Player) -> bool:
    """Whether a player left for no other reason than that its chips were gone."""
    return player.left is not None and player.left_for is None


def at_table(ledger: Ledger, table: int) -> str:
    """Words that say at which table, where there are several."""
    return f" at table {table}" if len(ledger.seating.tables) > 1 else ""


def leaving(ledger: Ledger, player: Player) -> str:
    """When and where a player left, in words; what it was told follows behind a colon."""
    where = at_table(ledger, ledger.seating.table_of(player).number)
    if not was_removed(player):
        return f"Left in hand {player.left_in}{where}"
    return f"Removed by the host {f'after hand {player.left_in}' if player.left_in else 'before the first hand'}{where}"

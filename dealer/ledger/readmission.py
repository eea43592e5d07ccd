"""Let a player who has left back into the tournament, with the chips that are still in front of its seat.

Where stacks last for a round, it sits down between two hands, as a player does who moves to another table: at the
smallest one, behind all others. Elsewhere, and where no seat is free, it sits down when the next round begins.
"""

from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from protocol.plurals import plural


def refusal(ledger: Ledger, player: Player) -> str | None:
    """Why a player cannot be let in again, in words; None if it can."""
    seating = ledger.seating
    if player.left is None:
        how = "is still in" if seating.still_in(player) else "plays again in the next round anyway"
        return f"{player.avatar} {how}"
    if seating.over:
        return "the last hand has been played"
    if ledger.format.keeps_seats:
        return "deals of a duplicate tournament count only where everybody plays all hands, so nobody comes back"
    return None if seating.round < seating.rounds else _refusal_in_last_round(ledger, player)


def _refusal_in_last_round(ledger: Ledger, player: Player) -> str | None:
    seating, avatar = ledger.seating, player.avatar
    if not seating.sends_players:
        return "nobody can come back in the middle of games with equal stacks, and no further round follows"
    if player not in ledger.departures:
        return f"{avatar} left before this round began, and no further round follows"
    table, stack = seating.table_of(player), _stack(ledger, player)
    if not _can_pay(ledger, table, stack):
        return f"{avatar} has {plural(stack, 'chip')} left, and the next hand costs {ledger.levels.fee(table)}"
    return None


def free_table(ledger: Ledger, player: Player) -> TableState | None:
    """The table at which a player who has left can sit down now; None if there is none.

    Its old table must be between two hands: until then nobody knows which chips are left.
    """
    seating, own = ledger.seating, ledger.seating.table_of(player)
    if own.in_hand or not seating.sends_players or ledger.format.keeps_seats or player not in ledger.departures:
        return None
    tables = [
        table
        for table in seating.round_tables
        if not seating.table_over(table)
        and seating.size(table) < ledger.settings.table_size
        and _can_pay(ledger, table, _stack(ledger, player))
    ]
    return min(tables, key=lambda table: (seating.size(table), table is not own, table.number), default=None)


def let_in(ledger: Ledger, player: Player, table: TableState | None) -> None:
    """Undo a player's departure; the fault that put it out is forgiven, and its chips are what they were.

    Args:
        player: who has left.
        table: as ``free_table`` gives it; None for a player who sits down when the next round begins.
    """
    for fault in player.faults[-1:]:
        if player.left in (fault.reason, f"you are out: {fault.reason}"):
            player.faults.pop()
    player.left, player.left_in, player.left_for = None, 0, None
    player.lives = max(player.lives, 1)
    if table is None:
        return
    del ledger.departures[player]
    # Those who arrive at its old table sit down before it stands up: the order decides who sits where.
    ledger.seating.table_of(player).settle()
    ledger.seating.move(player, table)


def _stack(ledger: Ledger, player: Player) -> int:
    """The chips of a player who has left; during a hand at its table as they were before it."""
    table = ledger.seating.table_of(player)
    return table.match.stacks[table.players.index(player)]


def _can_pay(ledger: Ledger, table: TableState, stack: int) -> bool:
    return ledger.levels.charged(table, ledger.levels.level).can_play(stack)

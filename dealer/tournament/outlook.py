"""How far a tournament is and what may follow, read from its ledger, for the plan of a show."""

from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from dealer.tournament.show_plan import Outlook
from protocol.games.level_table import LevelTable

#: When all chips together pay so many times what a hand costs one player, play is about to end.
STAKES_IN_PLAY = 12

#: Levels that are looked ahead, at most.
_LEVELS = 100


def outlook_of(ledger: Ledger) -> Outlook:
    """How far a tournament is, in hands that follow one another: tables that play side by side count once."""
    seating, settings = ledger.seating, ledger.settings
    tables = seating.round_tables
    in_round = max((table.finished for table in tables), default=0)
    earlier = _hands_of_rounds(seating.tables, seating.round)
    most = None if settings.levels is not None else settings.hands * max((table.games for table in tables), default=0)
    each_round = sum(earlier) // len(earlier) if earlier else (most or 0)
    later = (seating.rounds - seating.round) * each_round
    players = [player for table in tables for player in table.players]
    return Outlook(
        hands=sum(earlier) + in_round,
        hands_left=None if most is None else max(most - in_round, 0) + later,
        stakes_left=None if most is not None else _stakes_left(ledger, tables),
        later=later,
        in_round=in_round,
        players=len(players) + len(ledger.departures),
        playing=sum(seating.still_in(player) for player in players),
        tables=len(tables),
        open_tables=sum(not seating.table_over(table) for table in tables),
        finished=sum(table.finished for table in seating.tables),
        eliminates=ledger.format.eliminates and settings.games == 1,
    )


def _hands_of_rounds(tables: list[TableState], before: int) -> list[int]:
    """The hands that each round before this one took: those of the table that played most."""
    most: dict[int, int] = {}
    for table in tables:
        if table.round < before:
            most[table.round] = max(most.get(table.round, 0), table.finished)
    return list(most.values())


def _stakes_left(ledger: Ledger, tables: list[TableState]) -> int | None:
    """Hands until rising stakes leave few decisions; None where nobody can tell, because a level lasts minutes."""
    levels = ledger.settings.levels
    chips = sum(sum(table.match.stacks) for table in tables)
    hands = -max((table.at_level for table in tables), default=0)
    for level in range(ledger.levels.level, ledger.levels.level + _LEVELS):
        if sum(ledger.levels.stakes(level).facts.values()) * STAKES_IN_PLAY >= chips:
            return max(hands, 0)
        at_level = levels.hands(level) if isinstance(levels, LevelTable) else levels
        if at_level is None:  # it lasts minutes, or until the end
            return None
        hands += at_level
    return None

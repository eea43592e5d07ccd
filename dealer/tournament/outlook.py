"""How far a tournament is and what may follow, read from its ledger, for the plan of a show."""

from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from dealer.tournament.show_plan import Outlook
from protocol.games.level_table import LevelTable

#: When all chips together pay so many times what a hand costs one player, play is about to end.
STAKES_IN_PLAY = 12

#: Levels that are looked ahead, at most.
_LEVELS = 100


class OutlookReader:
    """Reads the outlook of a ledger anew only after a change to it.

    A show plans before each action at each table, and again whenever a waiting table wakes: with hundreds of players
    that is far more often than hands begin or end.

    Args:
        ledger: to read.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._read: tuple[tuple[int, int, int], Outlook] | None = None

    def read(self) -> Outlook:
        """What ``outlook_of`` the ledger tells."""
        state = self._state()
        if self._read is None or self._read[0] != state:
            self._read = state, outlook_of(self._ledger)
        return self._read[1]

    def _state(self) -> tuple[int, int, int]:
        """Numbers of which one rises with all that an outlook depends on: players, the level, hands begun and ended."""
        ledger = self._ledger
        hands = sum(table.hand_number + table.finished for table in ledger.seating.round_tables)
        return ledger.seating.version, ledger.levels.level, hands


def outlook_of(ledger: Ledger) -> Outlook:
    """How far a tournament is, in hands that follow one another: tables that play side by side count once."""
    seating, settings = ledger.seating, ledger.settings
    tables = seating.round_tables
    in_round = max((table.finished for table in tables), default=0)
    earlier = _hands_of_rounds(seating.tables, seating.round)
    most = None if settings.levels is not None else settings.hands * max((table.games for table in tables), default=0)
    each_round = sum(earlier) // len(earlier) if earlier else (most or 0)
    later = (seating.rounds - seating.round) * each_round
    # Those on their way to a table play on; those who are out may be kept at theirs until its next hand.
    playing = sum(seating.size(table) for table in tables)
    return Outlook(
        hands=sum(earlier) + in_round,
        hands_left=None if most is None else max(most - in_round, 0) + later,
        stakes_left=None if most is not None else _stakes_left(ledger, tables),
        later=later,
        in_round=in_round,
        players=playing + len(ledger.departures),
        playing=playing,
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
    chips = sum(sum(table.match.stacks) + sum(arrival.stack for arrival in table.arriving) for table in tables)
    hands = -max((table.at_level for table in tables), default=0)
    for level in range(ledger.levels.level, ledger.levels.level + _LEVELS):
        if sum(ledger.levels.stakes(level).facts.values()) * STAKES_IN_PLAY >= chips:
            return max(hands, 0)
        at_level = levels.hands(level) if isinstance(levels, LevelTable) else levels
        if at_level is None:  # it lasts minutes, or until the end
            return None
        hands += at_level
    return None

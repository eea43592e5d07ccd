"""How long each hand of a show takes, so that a tournament lasts about as long as the host wants.

The first hands are slow, so that viewers learn the game, those in the middle as fast as the plan needs, and the last
table, two last players, and the last hands are slow again. Every hand is planned anew from the time that is left and
from what is likely to follow, so the plan corrects itself. Nobody can foresee how soon players go out: a tournament
that ends by surprise ends before its time, but none takes much longer than planned.
"""

from dataclasses import dataclass

from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from protocol.games.level_table import LevelTable

#: Minutes of a show where the host names none.
DEFAULT_MINUTES = 10.0

#: Seconds of a hand that is slow enough to be followed.
SLOW_SECONDS = 5.0

#: Seconds of a hand where the time for the show is more than its hands need.
SLOWEST_SECONDS = 6.0

#: The share of a show for its first hands.
OPENING = 0.15

#: The share for the last two players, or for the last hands.
ENDING = 0.13

#: The share for the last table, where there were several.
LAST_TABLE = 0.12

#: Of the hands that are expected, so many are planned for: an end by surprise should leave little time over.
CAUTION = 0.5

#: Hands without a knock-out that are thought to have been played before the first, so that early ones do not deceive.
EARLY_HANDS = 20

#: A slow stage of unknown length spends at most this share of its time on one hand, so that some is left for the next.
ONE_HAND = 1 / 8


@dataclass(frozen=True, slots=True)
class Outlook:
    """How far a tournament is, and what may follow.

    Attributes:
        hands: finished one after another so far, in all rounds.
        hands_left: that may follow at most, in all rounds; None where stakes rise until one player is left.
        stakes_left: hands after which the stakes will have risen so far that play ends; None where they do not rise.
        later: of the hands that may follow, those of later rounds.
        in_round: hands of the round under way.
        players: who began the round.
        playing: who is still in.
        tables: at which the round began.
        open_tables: at which they play now.
        finished: hands of all tables together, in all rounds.
        eliminates: whether players go out until one is left.
    """

    hands: int
    hands_left: int | None
    stakes_left: int | None = None
    later: int = 0
    in_round: int = 0
    players: int = 2
    playing: int = 2
    tables: int = 1
    open_tables: int = 1
    finished: int = 0
    eliminates: bool = False


@dataclass(frozen=True, slots=True)
class ShowPlan:
    """Plans the hands of one show.

    Attributes:
        length: of the whole show, in seconds.
        factor: what the host has multiplied slow hands with, by faster and slower.
    """

    length: float
    factor: float = 1.0

    def hand_seconds(self, left: float, outlook: Outlook) -> float:
        """Seconds from the beginning of the next hand to that of the one after it; 0 if the show is overdue.

        Args:
            left: seconds of the show.
            outlook: what may follow.
        """
        if left <= 0:
            return 0.0
        slow = SLOW_SECONDS * self.factor
        if outlook.hands < max(1, int(OPENING * self.length / slow)):
            return min(slow, left)
        ahead, reserve, is_slow = self._stage(outlook)
        budget = left - reserve
        planned = budget / max(ahead, 1.0)
        if is_slow:
            planned = max(planned, min(slow, budget * ONE_HAND))
        return max(0.0, min(planned, SLOWEST_SECONDS * self.factor))

    def _stage(self, outlook: Outlook) -> tuple[float, float, bool]:
        """Hands to plan for in the stage under way, seconds to keep for later stages, and whether it is a slow one."""
        most, ending = outlook.hands_left, ENDING * self.length
        last_hands = ending / (SLOW_SECONDS * self.factor)
        if most is not None and most <= last_hands:
            return most, 0.0, False
        until_ending = None if most is None else most - last_hands
        if not outlook.eliminates:
            assert until_ending is not None, "stakes rise only where players go out"
            return until_ending, ending, False
        return self._elimination_stage(outlook, until_ending)

    def _elimination_stage(self, outlook: Outlook, until_ending: float | None) -> tuple[float, float, bool]:
        """As ``_stage``, where players go out: a stage ends when so many are out, or with the last hands."""
        ending, playing = ENDING * self.length, outlook.playing
        # The hands from one knock-out to the next, as far as this round tells.
        apart = (outlook.in_round + EARLY_HANDS) / (outlook.players - playing + 0.5) * CAUTION
        end_known = outlook.hands_left if until_ending is None else until_ending
        limits = (end_known, outlook.stakes_left)
        if outlook.later:
            return _least((playing - 1) * apart, *limits) + outlook.later, ending, False
        if outlook.players == 2:
            return _least(apart, *limits), ending if until_ending is not None else 0.0, False
        if playing == 2:
            return _least(apart, *limits), 0.0, True
        if outlook.open_tables == 1:
            return _least((playing - 2) * apart, *limits), ending, outlook.tables > 1
        until_last_table = playing * (outlook.open_tables - 1) / outlook.open_tables * apart
        ahead = _least(until_last_table, *limits)
        return ahead, ending + (LAST_TABLE * self.length if ahead == until_last_table else 0.0), False


def _least(hands: float, *others: float | None) -> float:
    return min([hands, *(other for other in others if other is not None)])


def seconds_left(seconds: float, finished: int, outlook: Outlook) -> float:
    """The seconds that a show has left when its dealer is started again: as many as its share of the hands.

    Args:
        seconds: that were left when the host last said how long the rest is to take.
        finished: hands that all tables had finished by then.
        outlook: what may follow now.
    """
    played = max(outlook.finished - finished, 0) / max(outlook.tables, 1)
    ahead = _least(outlook.hands_left or max(outlook.hands, 1), outlook.stakes_left)
    return seconds * max(ahead, 1.0) / (played + max(ahead, 1.0))


#: When all chips together pay so many times what a hand costs one player, play is about to end.
STAKES_IN_PLAY = 12

#: Levels that are looked ahead, at most.
_LEVELS = 100


class OutlookReader:
    """Reads the outlook of a ledger anew only after a change to it.

    A show plans before each action at each table, and again whenever a waiting table wakes: with hundreds of players
    that is far more often than hands begin or end.
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
    in_round, earlier = seating.hands_in_round, seating.hands_before
    most = None if settings.levels is not None else settings.hands * max((table.games for table in tables), default=0)
    each_round = earlier // (seating.round - 1) if earlier else (most or 0)
    later = (seating.rounds - seating.round) * each_round
    # Those on their way to a table play on; those who are out may be kept at theirs until its next hand.
    playing = sum(seating.size(table) for table in tables)
    return Outlook(
        hands=earlier + in_round,
        hands_left=None if most is None else max(most - in_round, 0) + later,
        stakes_left=None if most is not None else _stakes_left(ledger, tables),
        later=later,
        in_round=in_round,
        players=playing + len(ledger.departures),
        playing=playing,
        tables=len(tables),
        open_tables=sum(not seating.table_over(table) for table in tables),
        finished=seating.finished,
        eliminates=ledger.format.eliminates and settings.games == 1,
    )


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

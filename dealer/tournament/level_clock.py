"""How long the level under way has been played, for levels that last a number of minutes."""

from collections.abc import Callable

import trio

from dealer.ledger.ledger import Ledger
from dealer.tournament.tempo import Tempo


class LevelClock:
    """Measures the time of play at a level, without the host's pauses.

    It counts from one look to the next, so it must be looked at before each hand and at the end of each pause.

    Args:
        ledger: whose level it measures.
        tempo: tells when play is paused.

    Attributes:
        clock: returns seconds; by default the trio time.
    """

    def __init__(self, ledger: Ledger, tempo: Tempo) -> None:
        self.clock: Callable[[], float] = trio.current_time
        self._ledger = ledger
        self._tempo = tempo
        #: Round and level at the last look; the time and whether play was paused then; seconds played until then.
        self._measured: tuple[int, int] | None = None
        self._looked = 0.0
        self._paused = False
        self._played = 0.0

    def due(self) -> bool:
        """Look at the clock: whether the level under way has lasted its minutes; False where hands count."""
        minutes = self._ledger.levels.minutes
        if minutes is None:
            return False
        now = self.clock()
        under_way = (self._ledger.seating.round, self._ledger.levels.level)
        if under_way != self._measured:
            self._measured, self._played = under_way, 0.0
        elif not self._paused:
            self._played += now - self._looked
        self._looked, self._paused = now, self._tempo.paused
        return self._played >= 60 * minutes

"""Works out chances to win for the page, a little at a time, so that no player's answer waits for them."""

from collections import OrderedDict

import trio

from dealer.audit.win_chances import ChanceCount, WinChances
from protocol.games.run_out import RunOut

#: Strengths that are compared at a time: they take less than a millisecond.
PIECE = 200

#: Seconds between two pieces, in which the dealer does everything else.
PAUSE_SECONDS = 0.01

#: Streets whose chances are remembered.
REMEMBERED = 64


class ChanceWorker:
    """Counts the boards that may follow on the streets that the page shows. ``run`` must run meanwhile."""

    def __init__(self) -> None:
        self._known: OrderedDict[RunOut, WinChances] = OrderedDict()
        self._counting: dict[RunOut, ChanceCount] = {}
        self._wanted = trio.Event()

    def chances(self, street: RunOut, seats: int) -> WinChances | None:
        """The chances on a street of a hand with so many seats; None until they are counted, which begins now."""
        if street in self._known:
            return self._known[street]
        if street not in self._counting:
            self._counting[street] = ChanceCount(street, seats)
            self._wanted.set()
        return None

    async def run(self) -> None:
        """Count what is asked for, the first first, until cancelled."""
        while True:
            await self._wanted.wait()
            self._wanted = trio.Event()
            while self._counting:
                street, count = next(iter(self._counting.items()))
                if count.add(max(1, PIECE // len(street.live))):
                    del self._counting[street]
                    self._known[street] = count.chances
                    if len(self._known) > REMEMBERED:
                        self._known.popitem(last=False)
                await trio.sleep(PAUSE_SECONDS)

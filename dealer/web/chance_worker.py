"""Works out chances to win for the page in a thread, so that no browser waits for them."""

from collections import OrderedDict

import trio

from dealer.audit.win_chances import WinChances, win_chances
from protocol.games.run_out import RunOut

#: Streets whose chances are remembered.
REMEMBERED = 64


class ChanceWorker:
    """Counts the boards that may follow on the streets that the page shows. ``run`` must run meanwhile."""

    def __init__(self) -> None:
        self._known: OrderedDict[RunOut, WinChances | None] = OrderedDict()
        self._asked, self._tasks = trio.open_memory_channel[tuple[RunOut, int]](REMEMBERED)

    def chances(self, street: RunOut, seats: int) -> WinChances | None:
        """The chances on a street of a hand with so many seats; None until they are counted, which begins now."""
        if street not in self._known:
            try:
                self._asked.send_nowait((street, seats))
            except trio.WouldBlock:
                return None  # asked for again with the next look at the table
            self._known[street] = None
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return self._known[street]

    async def run(self) -> None:
        """Count what is asked for, the first first, until cancelled."""
        async for street, seats in self._tasks:
            self._known[street] = await trio.to_thread.run_sync(win_chances, street, seats)

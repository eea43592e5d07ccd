"""Measure the time from a person's click to the dealer's next question: ``python -m tests.dealer.web.click_times``.

Dealer, page, person and an opponent that checks or calls share one process, so the times are rather too long.
"""

import statistics
import time
from dataclasses import replace

import structlog
import trio

from protocol.games.base import Action, Bet, Turn
from protocol.wire.messages import Name
from tests.bots.human.web.peer import Facts, WebPeer, open_peer
from tests.dealer.support.rig import Client
from tests.dealer.web.test_people import SETTINGS, hosted, in_lobby, sit

CLICKS = 200

#: Seconds before each click: a browser that sends more messages than a person could is cut off.
PAUSE_SECONDS = 0.1


def _call(turn: Turn) -> Action:
    return Bet(turn.legal().to_call)


async def _next_turn(peer: WebPeer, before: Facts) -> Facts:
    while (state := await peer.hear_turn())["asked"]["number"] == before["asked"]["number"]:
        pass
    return state


async def measure(clicks: int) -> list[float]:
    """Milliseconds of each click, in ascending order."""
    times: list[float] = []
    async with hosted(replace(SETTINGS, hands=clicks)) as here, open_peer(here.port) as peer:
        await sit(peer)
        await in_lobby(here.rig, 1)
        await here.rig.admit(Client(Name("caller", "Caller"), _call))
        here.scene.tournament = tournament = here.rig.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            state = await peer.hear_turn()
            while len(times) < clicks:
                await trio.sleep(PAUSE_SECONDS)
                begun = time.perf_counter()
                await peer.call(state)
                state = await _next_turn(peer, state)
                times.append(1000 * (time.perf_counter() - begun))
            nursery.cancel_scope.cancel()
    return sorted(times)


def main() -> None:
    """Print the times."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    times = trio.run(measure, CLICKS)
    late = times[int(0.95 * len(times))]
    middle = statistics.median(times)
    print(f"{len(times)} clicks: median {middle:.1f} ms, 95 % within {late:.1f} ms, {times[-1]:.1f} at most")


if __name__ == "__main__":
    main()

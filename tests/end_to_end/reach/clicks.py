"""How soon a person in a browser hears of the dealer after a click, at a table among hundreds of players."""

import time
from collections.abc import Callable
from functools import partial

import trio

from tests.bots.human.web.peer import Facts, open_peer
from tests.dealer.web.test_people import sit

#: Seconds before each click: a browser that sends more messages than a person could is cut off.
PAUSE_SECONDS = 0.1

#: Whether a state is the answer to a click at a turn.
Answers = Callable[[Facts, Facts], bool]


def any_state(turn: Facts, state: Facts) -> bool:
    """Whatever the person is shown next."""
    return state is not turn


def next_question(turn: Facts, state: Facts) -> bool:
    """The next question of the dealer, after which the person may act again."""
    return bool(state["asked"]) and state["asked"]["number"] != turn["asked"]["number"]


def click_times(port: int, clicks: int, answers: Answers) -> list[float]:
    """Milliseconds from each click to its answer, for a person who takes the last seat of a tournament."""
    return trio.run(_click_times, port, clicks, answers)


async def _click_times(port: int, clicks: int, answers: Answers) -> list[float]:
    times: list[float] = []
    async with open_peer(port) as peer:
        await sit(peer)
        turn = await peer.hear_turn()
        while True:
            await trio.sleep(PAUSE_SECONDS)
            begun, before = time.perf_counter(), turn
            await peer.call(before)
            state = await peer.hear("state", partial(answers, before))
            times.append(1000 * (time.perf_counter() - begun))
            if len(times) == clicks:
                return times
            turn = state
            while not next_question(before, turn):
                turn = await peer.hear("state")

"""The review, the statistics and "call to the end" on the page, and where they are not offered."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from bots.human.coach.review import Decision
from bots.human.table_order import Order
from bots.human.web import assistance, server
from bots.human.web.assistance import FAILED, ReviewState
from tests.bots.human.web.peer import WebPeer, open_peer
from tests.bots.human.web.served import open_house

#: With this seed the person has a die that is worth betting on.
DICE = Order("dice", "b", ("dice-equilibrium",), options={"hands": 2}, speed="none")


async def fold_to_the_end(peer: WebPeer) -> None:
    """Fold in every hand until the game is over."""
    answered = set[int]()
    while True:
        state = await peer.hear("state")
        if state["ended"]:
            return
        if (asked := state["asked"]) and asked["number"] not in answered:
            answered.add(asked["number"])
            await peer.say("act", number=asked["number"])
        if state["waiting"] and state["waiting"] not in answered:
            answered.add(state["waiting"])
            await peer.say("next", number=state["waiting"])


async def test_hands_of_browsers_elsewhere_are_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "is_this_machine", lambda host: False)
    path = tmp_path / "play.json"
    async with open_house(DICE, statistics=path) as (port, _), open_peer(port) as peer:
        await peer.say("hello", token="")
        await fold_to_the_end(peer)
        await peer.say("lobby")
        assert (await peer.hear("first"))["statistics"] is None
    assert not path.exists()


def test_addresses_of_this_machine() -> None:
    assert server.is_this_machine("127.0.0.1")
    assert not server.is_this_machine("192.0.2.1")  # an address of examples


async def test_one_order_checks_and_calls_to_the_end_of_the_hand() -> None:
    order = Order("stud", "a table", ("maniac", "caller"), speed="none")
    async with open_house(order) as (port, _), open_peer(port) as peer:
        await peer.say("hello", token="")
        assert not (await peer.hear_turn())["calls"]
        await peer.say("calls")
        lines: list[str] = []
        while not (state := await peer.hear("state"))["waiting"]:
            lines += state["lines"]
        lines += state["lines"]  # those of the end, among which the last answers may be
        assert "You check and call to the end of this hand; press it again to stop." in lines
        assert len([line for line in lines if line.startswith(("You call", "You check."))]) > 2
        assert state["canReview"]  # what was called without a look counts, too
        await peer.say("calls")  # between two hands there is nothing to call
        await peer.say("next", number=state["waiting"])
        state = await peer.hear_turn()
        assert (state["scene"]["hand"], state["calls"]) == (2, False)


async def test_review_that_fails_says_so_and_may_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []

    async def fail(*_: object) -> None:
        tried.append(None)

    monkeypatch.setattr(assistance, "find_dearest", fail)
    async with open_house(DICE) as (port, _), open_peer(port) as peer:
        await peer.say("hello", token="")
        await fold_to_the_end(peer)
        for _ in range(2):
            await peer.say("review")
            state = await peer.hear("state", lambda state: state["review"] and state["review"]["lines"])
            assert (state["review"]["lines"], state["review"]["method"]) == ([FAILED], "")
        assert len(tried) == 2


async def test_new_game_stops_the_review_of_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = trio.Event()

    async def compute(*_: object) -> None:
        try:
            await trio.sleep_forever()
        finally:
            stopped.set()

    monkeypatch.setattr(assistance, "find_dearest", compute)
    async with open_house(DICE) as (port, _), open_peer(port) as peer:
        await peer.say("hello", token="")
        await fold_to_the_end(peer)
        await peer.say("review")
        await peer.hear("state", lambda state: state["review"])
        await peer.say("again")
        state = await peer.hear_turn()
        assert (state["review"], state["canReview"]) == (None, False)
        await stopped.wait()


def test_same_decisions_are_reviewed_once() -> None:
    state, decisions = ReviewState(), [object()]
    first: Sequence[Decision] = decisions  # type: ignore[assignment]
    assert state.begin(first)
    assert not state.begin(first)  # under way
    state.done(["1. Hand 1"])
    assert not state.begin(first)
    assert state.begin([*first, *first])

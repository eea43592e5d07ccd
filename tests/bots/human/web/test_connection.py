"""The page's WebSocket: orders, states, seats and misbehaviour; the review, the statistics and "call to the end"."""

import socket
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from bots.human.coach.review import Decision
from bots.human.table_order import Order
from bots.human.web import assistance, browser, guests, server
from bots.human.web.assistance import FAILED, ReviewState
from bots.human.web.orders import BrowserError, read_order
from tests.bots.human.web.peer import (
    AGAINST_CALLER,
    HOST,
    WebPeer,
    open_guest,
    open_house,
    open_peer,
    refused_with_foreign_headers,
)


async def test_a_hand_from_the_first_turn_to_the_next_one() -> None:
    async with open_house() as (port, _), open_guest(port) as peer:
        state = await peer.hear_turn()
        assert (state["title"], state["elsewhere"], state["secondsLeft"]) == (
            "Three-card stud against caller",
            False,
            None,
        )
        mine, other = state["scene"]["seats"]
        assert (len(mine["hole"]), mine["turn"], "hole" in other, other["hidden"]) == (1, True, False, 1)
        assert state["asked"]["raises"] == [1, 10, 1]
        assert state["asked"]["presets"] == [["half pot", 1], ["pot", 2]]
        while state["asked"]:
            await peer.call(state)
            state = await peer.hear("state", lambda state: state["asked"] or state["waiting"])
        assert state["scene"]["headline"].startswith(("You win", "caller wins", "You gain"))
        assert state["scene"]["over"]
        assert len(state["scene"]["seats"][1]["hole"]) == 1  # turned up at the showdown
        assert sum(seat.get("won", 0) for seat in state["scene"]["seats"]) == state["scene"]["pot"]
        await peer.say("next", number=state["waiting"])
        assert (await peer.hear_turn())["scene"]["hand"] == 2


async def test_first_screen_offers_bots_and_takes_wishes() -> None:
    async with open_house(replace(AGAINST_CALLER, against=())) as (port, _), open_guest(port) as peer:
        offer = await peer.hear("first")
        assert (offer["kind"], offer["speed"], offer["chips"]) == ("house", "none", [500, 1, 1000000000])
        assert {"caller", "tight"} <= {bot["name"] for bot in offer["bots"]}
        refused: list[tuple[dict[str, Any], str]] = [
            ({"against": []}, "choose at least one opponent"),
            ({"against": ["nobody"]}, "there is no bot 'nobody'"),
            ({"against": ["gamma"]}, "gamma does not play stud"),
            ({"against": ["caller"], "chips": 0}, "chips: expected a whole number from"),
            ({"against": ["caller"], "opponents": 99}, "opponents: expected a whole number from 1 to 9"),
            ({"against": ["caller"], "level": "x"}, "level: expected one of"),
            ({"against": ["caller"], "speed": 1}, "speed: expected one of"),
            ({"against": 3}, "against: expected a list"),
        ]
        for wishes, trouble in refused:
            await peer.say("sit", **wishes)
            assert (await peer.hear("trouble"))["text"].startswith(trouble), wishes
        await peer.say("sit", against=["caller", "tight"], opponents=3, chips=50, speed="none")
        state = await peer.hear_turn()
        assert state["scene"]["players"] == ["you", "caller", "tight", "caller 2"]
        assert state["scene"]["seats"][0]["stack"] == 49  # and an ante is in the pot


async def test_lost_connection_keeps_the_seat() -> None:
    async with open_house() as (port, _):
        async with open_guest(port) as peer:
            before = await peer.hear_turn()
        async with open_peer(port) as again:
            await again.say("hello", token=before["token"])
            after = await again.hear_turn()
            assert (after["scene"], after["asked"]) == (before["scene"], before["asked"])
            assert after["lines"][0].startswith("Hand 1")
            await again.call(after)
            await again.hear("state", lambda state: "You check." in state["lines"])


async def test_second_connection_takes_the_seat_over() -> None:
    async with open_house() as (port, _), open_guest(port) as first:
        state = await first.hear_turn()
        async with open_peer(port) as second:  # not before, since who connects has only some seconds to say hello
            await second.say("hello", token=state["token"])
            assert (await second.hear_turn())["asked"] == state["asked"]
            assert await first.hear_close() == browser.TAKEN_OVER


async def test_two_browsers_have_two_tables_and_know_nothing_of_each_other() -> None:
    async with open_house() as (port, _), open_guest(port) as one, open_guest(port) as other:
        first, second = await one.hear_turn(), await other.hear_turn()
        assert first["token"] != second["token"]
        await one.call(first)
        await one.hear("state", lambda state: state["asked"] or state["waiting"])
        await other.say("sit")  # which is answered after all that was sent before
        await other.hear("trouble")
        assert "You check." not in "".join(other.frames)


MALFORMED = [
    ("{", "expected a JSON object, got {"),
    ("[1]", "expected a JSON object, got [1]"),
    (
        '{"type": "win"}',
        "type: expected one of hello, sit, act, next, hurry, odds, coach, calls, review, leave, again, lobby, got",
    ),
    ('{"type": ["act"]}', "type: expected one of"),
    ('{"type": "act"}', "number: expected a whole number from 0 to"),
    ('{"type": "act", "number": true}', "number: expected a whole number"),
    ('{"type": "act", "number": 1, "amount": -5}', "amount: expected a whole number"),
    ('{"type": "act", "number": 1, "amount": 11}', "11 chips are not allowed now; allowed are 0 to call, 1 to 10"),
    ('{"type": "sit"}', "this browser has a seat already"),
]


async def test_malformed_message_gets_a_reason_and_harms_nothing() -> None:
    async with open_house() as (port, _), open_guest(port) as peer:
        state = await peer.hear_turn()
        for text, trouble in MALFORMED:
            await peer.say_text(text)
            assert (await peer.hear("trouble"))["text"].startswith(trouble), text
        await peer.call(state)
        await peer.hear("state", lambda state: "You check." in state["lines"])


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("[" * 2000, "expected a JSON object, got [[["),
        ('{"type": "act", "number": 1, "amount": 1e300}', "amount: expected a whole number"),
        ('{"type": "hello"}', "token: expected a text"),
        ('{"type": "hello", "token": "' + "x" * 201 + '"}', "token: expected a text of at most 200 characters"),
        (None, "expected a text with a JSON object, got bytes"),
    ],
)
def test_orders_that_cannot_be_read(text: str | None, trouble: str) -> None:
    with pytest.raises(BrowserError) as told:
        read_order(text)
    assert str(told.value).startswith(trouble)


async def test_answers_to_questions_that_are_closed_change_nothing() -> None:
    async with open_house() as (port, _), open_guest(port) as peer:
        state = await peer.hear_turn()
        await peer.call(state)
        await peer.call(state)
        await peer.say("act", number=99, amount=0)
        await peer.say("next", number=99)
        after = await peer.hear("state", lambda later: later["asked"] and later["asked"]["number"] == 2)
        assert after["scene"]["hand"] == 1
        assert sum(frame.count("You check.") for frame in peer.frames) == 1


async def test_bytes_orders_before_a_seat_and_too_many_mistakes() -> None:
    async with open_house() as (port, _), open_peer(port) as peer:
        await peer.say("odds")
        assert "no seat on this connection yet" in (await peer.hear("trouble"))["text"]
        for _ in range(browser.MISTAKES - 1):
            await peer.say_bytes(b"\0\1")
            await peer.hear("trouble", lambda trouble: "got bytes" in trouble["text"])
        assert await peer.hear_close() == browser.POLICY


async def test_oversized_message_ends_its_own_connection_alone() -> None:
    async with open_house() as (port, _), open_guest(port) as honest, open_peer(port) as peer:
        state = await honest.hear_turn()
        await peer.say_text("x" * 5000)
        assert await peer.hear_close() == 1009
        await honest.call(state)
        await honest.hear_turn()


async def test_flood_of_messages_is_cut_off() -> None:
    async with open_house() as (port, _), open_guest(port) as peer:
        for _ in range(browser.RATE):
            await peer.say("hurry")
        assert (await peer.hear("trouble"))["text"] == f"more than {browser.RATE} messages within 5 s"
        assert await peer.hear_close() == browser.POLICY


async def test_browser_that_never_reads_holds_nobody_up() -> None:
    async with open_house() as (port, guests), open_peer(port) as deaf, open_peer(port) as peer:
        deaf.stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await deaf.say("hello", token="")
        await peer.say("hello", token="")
        state = await peer.hear_turn()
        for _ in range(3):
            await peer.call(state)
            state = await peer.hear("state", lambda state: state["asked"] or state["waiting"])
            if state["waiting"]:
                await peer.say("next", number=state["waiting"])
                state = await peer.hear_turn()
        await guests.close()  # and neither does it hold up the end


async def test_as_many_games_as_there_may_be() -> None:
    async with open_house(most=1) as (port, _), open_guest(port) as first, open_peer(port) as second:
        await first.hear_turn()
        await second.say("hello", token="")
        reason = "1 people play here already, as many as there may be; try again later"
        assert (await second.hear("trouble"))["text"] == reason


async def test_page_of_somebody_else_gets_no_socket() -> None:
    async with open_house() as (port, _):
        await refused_with_foreign_headers(port)
        async with open_peer(port, origin=f"http://{HOST}:{port}") as peer:
            await peer.say("hello", token="")
            await peer.hear_turn()


async def test_leaving_ends_with_a_summary_and_playing_again_begins_anew() -> None:
    async with open_house() as (port, _), open_guest(port) as peer:
        await peer.hear_turn()
        await peer.say("leave")
        ended = (await peer.hear("state", lambda state: state["ended"]))["ended"]
        assert ended["words"][:2] == ["Three-card stud against caller", "You have left the table."]
        assert not ended["again"]
        await peer.say("lobby")
        assert (await peer.hear("first"))["kind"] == "house"


async def test_game_of_a_browser_that_does_not_come_back_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "ABSENT_SECONDS", 0.0)
    monkeypatch.setattr(guests, "LOOK_SECONDS", 0.01)
    async with open_house(most=1) as (port, here):
        async with open_guest(port) as peer:
            token = (await peer.hear_turn())["token"]
        while here.find(token) is not None:
            await trio.sleep(0.01)
        async with open_peer(port) as peer:  # and its place is free
            await peer.say("hello", token=token)
            assert (await peer.hear_turn())["token"] != token


#: With this seed the person has a die that is worth betting on.
DICE = Order("dice", "b", ("dice-equilibrium",), options={"hands": 2}, speed="none")


async def fold_to_the_end(peer: WebPeer) -> None:
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
    async with open_house(DICE, statistics=path) as (port, _), open_guest(port) as peer:
        await fold_to_the_end(peer)
        await peer.say("lobby")
        assert (await peer.hear("first"))["statistics"] is None
    assert not path.exists()


def test_addresses_of_this_machine() -> None:
    assert server.is_this_machine("127.0.0.1")
    assert not server.is_this_machine("192.0.2.1")  # an address of examples


async def test_one_order_checks_and_calls_to_the_end_of_the_hand() -> None:
    order = Order("stud", "a table", ("maniac", "caller"), speed="none")
    async with open_house(order) as (port, _), open_guest(port) as peer:
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
    async with open_house(DICE) as (port, _), open_guest(port) as peer:
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
    async with open_house(DICE) as (port, _), open_guest(port) as peer:
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

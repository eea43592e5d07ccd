"""The host's desk over HTTP: what each order does to a tournament, and how it is refused."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from dealer.feed.public_facts import scene_facts
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.settings import Settings
from dealer.tournament.presence import LATEST, Incident, Incidents
from dealer.tournament.scene import FirstOrders
from dealer.tournament.tournament import Tournament
from dealer.web.admin.remote_desk import trouble_text
from protocol.games.stud import StudGame
from protocol.wire.messages import Name
from tests.bad_bots.peer import Peer
from tests.dealer.support.desks import DeskRig, bad_reply, begun_desk, open_desk, until
from tests.dealer.support.recorded import read_records, rebuilt
from tests.dealer.support.rig import SEED, Client, Thinker, call, good_clients

SETTINGS = Settings(SEED, hands=30, game=StudGame(500))


@pytest.fixture
def journal_path(tmp_path: Path) -> Path:
    return tmp_path / "desk.journal"


async def test_start_order_starts_the_tournament(tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        assert await desk.refused(command="start") == "nobody is here, and it takes 2 to start"
        first, second = good_clients(2)
        await desk.rig.admit(first)
        assert await desk.refused(command="start") == "one player is here, and it takes 2 to start"
        await desk.rig.admit(second)
        assert await desk.done(command="start") == "The tournament starts with 2 players."
        assert desk.scene.start_asked.is_set()
        assert await desk.refused(command="start") == "the tournament has started already"


@pytest.mark.parametrize("command", ["step", "level", "end"])
async def test_orders_refused_before_the_start(command: str, tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        assert await desk.refused(command=command) == "the tournament has not started yet"
        assert await desk.refused(command="journal") == "no journal is lost, so no new one is needed"


async def test_player_removed_from_the_lobby_may_log_in_again(tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        steph, *others = [Client(Name("k-steph", "Steph")), *good_clients(2)]
        await desk.rig.admit(steph, *others)
        said = await desk.done(command="remove", player="Steph", reason="this is another's id")
        assert said == "Steph was sent home; it may log in again."
        await until(lambda: steph.done)
        assert steph.done == "the host sent you home; this is another's id"
        assert [player.id for player in desk.rig.lobby.players] == ["good-1", "good-2"]
        again = Client(Name("k-steph", "Steph"))
        await desk.rig.admit(again)
        tournament = desk.begin()
        standings = await tournament.run()
        assert sum(standing.chips for standing in standings) == 1500


async def test_pause_begins_after_the_hand(tcp_clock: MockClock) -> None:
    async with begun_desk(SETTINGS) as (desk, tournament):
        tournament.set_pace(0.25)
        desk.play()
        await until(lambda: tournament.hands_finished == 3)
        assert await desk.done(command="pause") == "Every table finishes its hand, and then waits."
        hands = tournament.hand_number
        await trio.sleep(2)
        assert tournament.hands_finished == tournament.hand_number == hands < 30
        assert await desk.refused(command="pause") == "the tournament is paused already; resume lets it go on"
        assert await desk.done(command="resume") == "The tournament goes on."
        await until(lambda: tournament.ended)
        assert tournament.hands_finished == 30
        assert await desk.refused(command="resume") == "the tournament is over"


async def test_pace_is_the_least_time_of_a_hand(tcp_clock: MockClock) -> None:
    async with begun_desk(replace(SETTINGS, hands=100)) as (desk, tournament):
        tournament.set_pace(5.0)
        desk.play()
        await until(lambda: tournament.hands_finished == 1)
        assert await desk.done(command="pace", seconds=0.5) == "A hand now takes at least 0.5 s."
        await until(lambda: tournament.hand_number == 2)
        started = trio.current_time()
        assert started < 4  # so the new pace counted at once
        await until(lambda: tournament.hand_number == 8)
        assert 2.8 <= trio.current_time() - started <= 3.2
        assert await desk.done(command="pace", seconds=0) == "Hands now go as fast as they can."
        await until(lambda: tournament.ended)
        assert trio.current_time() - started < 10


async def test_a_pace_or_a_length_out_of_range_is_refused(tcp_clock: MockClock) -> None:
    async with begun_desk(SETTINGS) as (desk, tournament):
        for seconds in (-0.1, 5.01, 1e300, float("nan"), float("inf"), 10**400):
            refused = await desk.refused(command="pace", seconds=seconds)
            assert refused.startswith("the pace is 0 to 5 seconds a hand; got")
        for minutes in (0, -1, 600.1, float("nan"), 10**400):
            refused = await desk.refused(command="length", minutes=minutes)
            assert refused.startswith("the length is over 0 and up to 600 minutes; got")
        assert tournament.tempo.pace == 0


async def test_the_pace_can_be_set_before_the_start(tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        assert await desk.done(command="length", minutes=5) == "The tournament will take about 5 min."
        assert await desk.done(command="slower") == "The tournament will be a show of 7.5 min."
        assert await desk.done(command="pause") == "The tournament will begin with a pause."
        assert desk.scene.orders == FirstOrders(paused=True, length=450.0)
        assert await desk.done(command="pace", seconds=2) == "A hand now takes at least 2 s."
        assert await desk.done(command="faster") == "The tournament will be at 1.33 s a hand."
        state = (await desk.order(command="resume")).facts["state"]
        assert (state["paused"], state["show_left"]) == (False, None)
        assert await desk.done(command="pace", seconds=0) == "Hands now go as fast as they can."
        assert await desk.done(command="faster") == "The tournament will be as fast as it goes."
        assert await desk.done(command="slower") == "The tournament will be a show of 10.0 min."


async def test_a_show_is_made_faster_and_ended(tcp_clock: MockClock) -> None:
    async with begun_desk(replace(SETTINGS, hands=100)) as (desk, tournament):
        desk.play()
        tournament.set_length(600)
        await until(lambda: tournament.hands_finished == 1)
        assert trio.current_time() < 6
        assert (await desk.done(command="length", minutes=1)) == "The rest of the tournament takes about 1 min."
        assert (await desk.done(command="slower")).startswith("The tournament is now a show of 1.5 min")
        assert (await desk.done(command="faster")).startswith("The tournament is now a show of 1.0 min")
        assert (await desk.done(command="pace", seconds=0)) == "Hands now go as fast as they can."
        assert (await desk.order(command="show")).facts["state"]["show_left"] is None
        await until(lambda: tournament.ended)
        assert trio.current_time() < 10


async def test_a_step_deals_one_hand_in_a_pause(tcp_clock: MockClock) -> None:
    async with begun_desk(SETTINGS) as (desk, tournament):
        desk.play()
        assert await desk.refused(command="step") == "the tournament is not paused; pause it first"
        tournament.pause()
        await trio.sleep(1)
        finished = tournament.hands_finished
        assert await desk.done(command="step") == "Every table deals one hand, slowly, and then waits."
        began = trio.current_time()
        await until(lambda: tournament.hands_finished == finished + 1)
        assert trio.current_time() - began > 1, "its actions can be seen"
        await trio.sleep(20)
        assert tournament.hands_finished == finished + 1
        tournament.resume()
        await until(lambda: tournament.ended)


async def test_removed_player_finishes_its_hand(journal_path: Path, tcp_clock: MockClock) -> None:
    async with open_journal(AppendFile.create(journal_path)) as journal:
        async with open_desk(replace(SETTINGS, hands=12), journal) as desk, trio.open_nursery() as nursery:
            clients = good_clients(3, call)
            peer = await desk.rig.start(Thinker(hand=4, seconds=0.5))
            await until(lambda: desk.rig.lobby.players)
            await desk.rig.admit(*clients)
            tournament = desk.begin()
            nursery.start_soon(tournament.run)
            await until(lambda: tournament.hand_number == 4)
            said = await desk.done(command="remove", player="Slow", reason="plays too slowly")
            assert said == "Slow is out after the hand under way at its table."
            assert await desk.refused(command="remove", player="id=slow", reason="x") == (
                "Slow is being removed already, after the hand under way"
            )
            await peer.finished.wait()
            assert peer.done == "you are out; plays too slowly"
            assert tournament.players[0].left_in == 4
            assert (await desk.refused(command="remove", player="Slow", reason="x")).startswith("Slow is out already: ")
            await until(lambda: tournament.ended)
    assert tournament.hands_finished == 12
    assert sum(standing.chips for standing in tournament.standings()) == 2000
    assert tournament.standings()[-1].player.id == "slow"
    assert tournament.players[0].faults == []
    records = read_records(journal_path)
    (desk_record,) = [told for told in records if told["type"] == "desk"]
    assert desk_record == {
        "type": "desk", "command": "remove", "player": 0, "seconds": None, "reason": "plays too slowly"
    }  # fmt: skip
    assert rebuilt(journal_path).ledger.standings()[-1].player.left == "you are out: plays too slowly"


async def test_every_order_is_in_the_journal_when_it_is_answered(journal_path: Path, tcp_clock: MockClock) -> None:
    async with open_journal(AppendFile.create(journal_path)) as journal:
        async with open_desk(SETTINGS, journal) as desk, trio.open_nursery() as nursery:
            await desk.rig.admit(*good_clients(3, call))
            tournament = desk.begin()
            tournament.tempo.paused = True
            nursery.start_soon(tournament.run)
            await until(lambda: tournament.tables[0].game == 1)
            tournament.tempo.paused = False
            orders: list[dict[str, Any]] = [
                {"command": "pause"},
                {"command": "pace", "seconds": 0.5},
                {"command": "remove", "player": "Good 2", "reason": "a second program of one student"},
                {"command": "resume"},
                {"command": "end"},
            ]
            for order in orders:
                await desk.done(**order)
                told = [told for told in read_records(journal_path) if told["type"] == "desk"]
                assert told[-1]["command"] == order["command"]
            await until(lambda: tournament.ended)
            said = await desk.refused(command="pause")
            assert said == "the tournament is over"
    assert len([told for told in read_records(journal_path) if told["type"] == "desk"]) == len(orders)
    assert rebuilt(journal_path).ended


async def test_player_removed_during_a_pause_leaves_at_once(tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        clients = good_clients(3, call)
        await desk.rig.admit(*clients)
        tournament = desk.begin()
        await desk.done(command="pause")
        desk.play()
        await until(lambda: tournament.tables[0].game == 1)
        await desk.done(command="remove", player="Good 1", reason="bye")
        await until(lambda: clients[0].done)
        assert tournament.hand_number == 0
        await desk.done(command="end")
        await until(lambda: tournament.ended)
        assert tournament.hands_finished == 0


async def leave(peer: Peer) -> None:
    await peer.log_in("leaver:Leaver")
    await peer.hear_question()
    await peer.stream.aclose()


@asynccontextmanager
async def desk_with_player_away() -> AsyncIterator[tuple[DeskRig, Tournament]]:
    """A desk, and its tournament of two players that waits for the first one, which hung up in the first hand."""
    async with open_desk(replace(SETTINGS, rejoin=10.0**6)) as desk, trio.open_nursery() as nursery:
        leaver = await desk.rig.start(leave)
        await until(lambda: desk.rig.lobby.players)
        await desk.rig.admit(*good_clients(1))
        tournament = desk.begin()
        nursery.start_soon(tournament.run)
        await leaver.finished.wait()
        await until(lambda: tournament.players[0].seat is None and not tournament.tables[0].in_hand)
        yield desk, tournament


async def test_player_who_is_away_can_be_removed(tcp_clock: MockClock) -> None:
    async with desk_with_player_away() as (desk, tournament):
        await desk.done(command="remove", player="Leaver", reason="it does not come back")
        await until(lambda: tournament.ended)


async def test_a_pause_also_holds_a_table_that_waits_for_a_player(tcp_clock: MockClock) -> None:
    async with desk_with_player_away() as (desk, tournament):
        hands = tournament.hand_number
        await desk.done(command="pause")
        await desk.rig.start(Client(Name("leaver", "Leaver")))
        await until(lambda: tournament.players[0].seat is not None)
        await trio.sleep(2)
        assert tournament.hand_number == hands
        await desk.done(command="resume")
        await until(lambda: tournament.ended)
        assert tournament.hands_finished == 30


async def test_unknown_player_is_answered_with_likely_names(tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        told = await desk.refused(command="remove", player="Steph", reason="x")
        assert told == "nobody here is called 'Steph'; nobody is here"
        await desk.rig.admit(*[Client(Name(f"id-{name}", name)) for name in ("Amit", "Brian", "Carlos", "Denise")])
        told = await desk.refused(command="remove", player="denis", reason="x")
        assert told.startswith("nobody here is called 'denis'; there is Denise (id=id-Denise), ")
        assert await desk.done(command="remove", player="id-Denise", reason="x")
        await desk.rig.admit(Client(Name("other", "id-Brian")))
        told = await desk.refused(command="remove", player="id-Brian", reason="x")
        assert told == "'id-Brian' names 2 players; say which: Brian (id=id-Brian), id-Brian (id=other)"
        assert await desk.done(command="remove", player="id=id-Brian", reason="x") == (
            "Brian was sent home; it may log in again."
        )


REASONS = {
    "": "a reason is needed: the player hears it",
    "  \t ": "a reason is needed: the player hears it",
    "x" * 201: "the reason has 201 characters; it can have 200",
    "two\nlines": "the reason holds a character that cannot be printed, such as the end of a line",
    "a \x1b[31m colour": "the reason holds a character that cannot be printed, such as the end of a line",
    "your login is late": "the reason may not hold login, bet1, bet2 or status: programs look for those words anywhere",
    "BET1 is wrong": "the reason may not hold login, bet1, bet2 or status: programs look for those words anywhere",
    "no bet2": "the reason may not hold login, bet1, bet2 or status: programs look for those words anywhere",
    "the Status": "the reason may not hold login, bet1, bet2 or status: programs look for those words anywhere",
}


@pytest.mark.parametrize(("reason", "told"), REASONS.items(), ids=[repr(reason[:20]) for reason in REASONS])
async def test_a_reason_that_cannot_be_told_is_refused(reason: str, told: str, tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        await desk.rig.admit(*good_clients(2))
        assert await desk.refused(command="remove", player="Good 1", reason=reason) == told
        tournament = desk.begin()
        assert await desk.refused(command="remove", player="Good 1", reason=reason) == told
        assert not tournament.removed


async def test_orders_refused_without_levels_and_after_the_end_is_ordered(tcp_clock: MockClock) -> None:
    async with begun_desk(SETTINGS) as (desk, tournament):
        told = await desk.refused(command="level")
        assert told == "this tournament has no levels; start one with --levels or --level-table"
        assert await desk.done(command="end") == "Every table finishes its hand; then the standings follow."
        for order in ({"command": "end"}, {"command": "pause"}, {"command": "pace", "seconds": 1}):
            told = await desk.refused(**order)
            assert told == "the tournament ends after the hand under way; nothing else can be done"
        desk.play()
        await until(lambda: tournament.ended)


async def test_show_order_returns_the_state(tcp_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    async with open_desk(SETTINGS) as desk:
        await desk.rig.admit(*good_clients(2))
        lobby = (await desk.order(command="show")).facts["state"]
        here = lobby["players"][0]
        assert lobby["phase"] == "lobby"
        assert here["address"].startswith("127.0.0.1:")
        assert 0 <= here["reply_ms"] < 60_000
        assert 999 - trio.current_time() <= here["replied"] <= 1000
        same = {name: here[name] for name in ("address", "reply_ms", "replied")}
        assert here == {
            "id": "good-1", "avatar": "Good 1", "name": None, "here": True, "out": None, "thinking": None,
            "p99_ms": None, "faults": 0, **same,
        }  # fmt: skip
        tournament = desk.begin()
        await desk.done(command="pause")
        await desk.done(command="pace", seconds=2.5)
        state = (await desk.order(command="show")).facts["state"]
        told = state["players"][0]
        assert told == {
            **here, "chips": 500, "place": 1, "table": 0, "leaving": False, "let_in": False, "replied": told["replied"],
        }  # fmt: skip
        del state["players"]
        assert state == {
            "phase": "playing",
            "paused": True,
            "pace": 2.5,
            "show_left": None,
            "trouble": None,
            "message": None,
            "game": "three-card stud",
            "hand": tournament.hand_number,
            "hands": 30,
            "playing": 2,
            "level": None,
            "stakes": {"ante": 1},
            "next": False,
            "tournament": 1,
            "tournaments": [{"number": 1, "journal": None, "over": False}],
            "incidents": [],
            "more_incidents": 0,
            "failed_logins": [],
            "more_failed_logins": 0,
        }


async def test_a_message_stands_on_the_page_and_in_the_journal(journal_path: Path, tcp_clock: MockClock) -> None:
    async with open_journal(AppendFile.create(journal_path)) as journal:
        async with open_desk(SETTINGS, journal) as desk, trio.open_nursery() as nursery:
            assert await desk.refused(command="message", text=" ") == "the page shows no message"
            assert await desk.done(command="message", text=" Lunch until 13:00 👩‍🍳 ") == "The page shows the message."
            assert scene_facts(desk.scene)["message"] == "Lunch until 13:00 👩‍🍳"
            refused = await desk.refused(command="message", text="x" * 201)
            assert refused == "the message has 201 characters; it can have 200"
            await desk.rig.admit(*good_clients(2, call))
            tournament = desk.begin()
            tournament.tempo.paused = True
            nursery.start_soon(tournament.run)
            await until(lambda: tournament.started)
            assert await desk.done(command="message", text="") == "The message is gone from the page."
            assert scene_facts(desk.scene)["message"] is None
            await desk.done(command="message", text="<b>Last hands</b>")
            assert rebuilt(journal_path).message == "<b>Last hands</b>"
            assert (await desk.order(command="show")).facts["state"]["message"] == "<b>Last hands</b>"
            await desk.done(command="end")
            await until(lambda: tournament.ended)
            assert await desk.refused(command="message", text="x") == "the tournament is over"


async def test_a_fault_is_told_with_its_bytes(tcp_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    async with open_desk(SETTINGS) as desk, trio.open_nursery() as nursery:
        await desk.rig.start(bad_reply)
        await until(lambda: desk.rig.lobby.players)
        await desk.rig.admit(*good_clients(2, call))
        tournament = desk.begin()
        assert (await desk.order(command="faults")).facts["state"]["incidents"] == []
        nursery.start_soon(tournament.run)
        await until(lambda: tournament.ended)
        state = (await desk.order(command="faults")).facts["state"]
    (incident,) = state["incidents"]
    assert state["players"][0]["faults"] == 1
    assert incident == {
        "time": 1000.0, "times": 1, "id": "bad", "avatar": "Bad", "kind": "malformed", "hand": 1, "effect": "out",
        "reason": "expected 'fold' or 'bet:<chips>', got 'bet:all'", "sent": r"\x00\x07bet:all",
    }  # fmt: skip
    assert trouble_text({**incident, "time": 0}).endswith(
        r"Bad (id=bad): malformed: expected 'fold' or 'bet:<chips>', got 'bet:all' (sent \x00\x07bet:all): out"
    )


def test_repeated_faults_are_one_incident_and_the_oldest_are_forgotten() -> None:
    incidents = Incidents()
    for number in range(LATEST + 5):
        one = Incident(number, f"id-{number}", "A", "late", "slow", number, b"", "plays on")
        incidents.note(one)
        incidents.note(replace(one, hand=number + 1))
    assert len(incidents.latest) == LATEST
    assert (incidents.latest[0].id, incidents.latest[0].times, incidents.latest[0].hand) == ("id-5", 2, 6)

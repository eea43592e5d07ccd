"""People who play in a browser at a dealer's table, and who plays with a player, as the page tells it."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import trio
from trio.testing import MockClock

from bots.human.updates import CUT_OFF
from dealer.desk.desk import open_desk
from dealer.feed.port import open_feed
from dealer.net.limits import USUAL, Limits
from dealer.settings import OpenPorts, Settings
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from dealer.web.dealer_page import serve_dealer_page
from dealer.web.link import Place
from dealer.web.serving import PagePlace, listen
from protocol.games.base import FOLD
from protocol.games.stud import StudGame
from protocol.wire.messages import Name
from tests.bots.human.web.peer import WebPeer, open_peer, refused_with_foreign_headers
from tests.dealer.support.http_routes import request
from tests.dealer.support.rig import HOST, Client, Rig, open_rig

SETTINGS = Settings(b"\7" * 32, StudGame(), hands=3, limit=600.0)


#: The token of the host of these dealers.
TOKEN = "secret-of-the-host"


@dataclass(frozen=True)
class Hosted:
    """A dealer whose page is open.

    Attributes:
        stream: where the dealer tells what happens.
        port: of the page.
    """

    rig: Rig
    scene: Scene
    stream: Place
    port: int


@asynccontextmanager
async def hosted(settings: Settings = SETTINGS, limits: Limits = USUAL) -> AsyncIterator[Hosted]:
    async with open_rig(settings, limits=limits, page_token=TOKEN) as rig:
        ports = OpenPorts(HOST, {"people_port": rig.listener.port}, settings.limit)
        scene = Scene(rig.opening, ports=ports, journal=rig.journal)
        async with open_desk(scene, None) as desk, open_feed(scene, HOST, None, desk) as feed:
            desk.token.text = TOKEN
            assert feed.page_place is not None
            stream = Place(*feed.page_place)
            async with served_page(stream) as port:
                yield Hosted(rig, scene, stream, port)


@asynccontextmanager
async def served_page(stream: Place) -> AsyncIterator[int]:
    """A dealer's page, which dies at the end of the block; its port."""
    sock = await listen(PagePlace(HOST, 0), print)
    async with serve_dealer_page(stream, TOKEN, sock, (), players=HOST, cockpit=False):
        yield sock.getsockname()[1]


async def sit(peer: WebPeer, **wishes: str) -> str:
    """Sit down; the id that the person has."""
    await peer.say("hello", token="")
    assert (await peer.hear("first"))["kind"] == "dealer"
    await peer.say("sit", **wishes)
    state = await peer.hear("state")
    assert state["elsewhere"]
    return str(state["id"])


async def in_lobby(rig: Rig, count: int) -> None:
    while len(rig.lobby.players) < count:
        await rig.lobby.changed()


async def play_on(peer: WebPeer) -> dict[str, Any]:
    """Call until the end; the last state."""
    while True:
        state = await peer.hear("state", lambda state: state["asked"] or state["ended"])
        if state["ended"]:
            return state
        await peer.call(state)


async def test_two_people_without_names_and_a_program_play_to_the_end() -> None:
    async with hosted() as here, open_peer(here.port) as one, open_peer(here.port) as other:
        ids = [await sit(one), await sit(other, avatar="Ada")]
        await in_lobby(here.rig, 2)
        assert len({*ids}) == 2
        waiting = (await one.hear("state", lambda state: state["here"] and state["here"]["count"] == 2))["here"]
        assert {*waiting["names"]} == {ids[0], "Ada"}
        assert (waiting["names"][waiting["place"]], waiting["seats"]) == (ids[0], None)
        await here.rig.admit(Client(Name("good-1", "Good 1"), lambda turn: FOLD))
        assert {player.avatar for player in here.rig.lobby.players} == {ids[0], "Ada", "Good 1"}
        here.scene.tournament = tournament = here.rig.begin()
        ends: list[dict[str, Any]] = []

        async def play(peer: WebPeer) -> None:
            ends.append(await play_on(peer))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            nursery.start_soon(play, one)
            nursery.start_soon(play, other)
        assert len(ends) == 2
        assert tournament.ended
        assert {"Ada", "Good 1"} == {*turns(one)[0]["players"]} - {"you"}
        check_that_hidden_cards_stay_hidden(one)
        check_that_hidden_cards_stay_hidden(other)
        assert not any(json.loads(frame).get("here") for frame in one.frames if json.loads(frame).get("scene"))


def turns(peer: WebPeer) -> list[dict[str, Any]]:
    """The tables that a person saw at its turns."""
    states = [json.loads(frame) for frame in peer.frames]
    return [state["scene"] for state in states if state.get("asked")]


def check_that_hidden_cards_stay_hidden(peer: WebPeer) -> None:
    """No state of a hand under way has a hole card of another seat."""
    assert turns(peer)
    for scene in turns(peer):
        for number, seat in enumerate(scene["seats"]):
            assert len(seat.get("hole", ())) == (number == scene["me"])


async def ada_at_turn(here: Hosted, peer: WebPeer) -> tuple[Tournament, dict[str, Any]]:
    """Let Ada sit down and play with a program that folds; the tournament, and the state at her first turn."""
    await sit(peer, id="ada", avatar="Ada")
    await in_lobby(here.rig, 1)
    await here.rig.admit(Client(Name("good-1", "Good 1"), lambda turn: FOLD))
    here.scene.tournament = tournament = here.rig.begin()
    here.rig.nursery.start_soon(tournament.run)
    return tournament, await peer.hear_turn()


async def test_reload_at_a_dealers_table_keeps_the_seat() -> None:
    async with hosted() as here:
        async with open_peer(here.port) as peer:
            tournament, before = await ada_at_turn(here, peer)
            assert 0 < before["secondsLeft"] <= 600
            await peer.stream.aclose()
            async with open_peer(here.port) as again:
                await again.say("hello", token=before["token"])
                after = await again.hear_turn()
                assert (after["asked"], after["id"]) == (before["asked"], before["id"])
                assert (await play_on(again))["ended"]
        assert tournament.standings()[0].player.avatar == "Ada"


async def test_tab_without_the_token_goes_on_with_the_seat_that_another_left_behind() -> None:
    """A tab that sat down and was closed at once may not have kept its token."""
    async with hosted(replace(SETTINGS, secrets=True)) as here:
        async with open_peer(here.port) as peer:
            await sit(peer, id="ada", avatar="Ada", secret="open")
            before = await peer.hear("state")
            async with open_peer(here.port) as other:  # as long as the first tab is there, the seat is its own
                await other.say("hello", token="")
                await other.say("sit", id="ada", secret="open")
                ended = await other.hear("state", lambda state: state["ended"])
                assert "already seated" in str(ended["ended"])
        async with open_peer(here.port) as stranger, open_peer(here.port) as again:
            await stranger.say("hello", token="")
            await stranger.say("sit", id="ada", secret="sesame")
            assert (await stranger.hear("state"))["token"] != before["token"]
            await again.say("hello", token="")
            await again.say("sit", id="ada", secret="open")
            assert (await again.hear("state"))["token"] == before["token"]


async def test_nobody_takes_over_a_seat_by_its_id_alone() -> None:
    async with hosted() as here:
        async with open_peer(here.port) as peer:
            await sit(peer, id="ada", avatar="Ada")
            token = (await peer.hear("state"))["token"]
        async with open_peer(here.port, "127.0.0.2") as stranger, open_peer(here.port) as again:
            for one in (stranger, again):
                await one.say("hello", token="")
                await one.say("sit", id="ada")
            assert (await stranger.hear("state"))["token"] != token
            assert (await again.hear("state"))["token"] == token


async def test_page_gets_back_to_the_dealer_by_itself() -> None:
    async with hosted() as here, open_peer(here.port) as peer:
        tournament, before = await ada_at_turn(here, peer)
        for number in range(2):
            seat = tournament.players[0].seat
            assert seat is not None
            seat.hang_up()
            told = await peer.hear("state", lambda state: CUT_OFF in state["lines"])
            assert told["asked"] is None
            after = await peer.hear_turn()
            assert after["asked"] == {**before["asked"], "number": before["asked"]["number"] + number + 1}
            assert after["scene"] == before["scene"]
        await peer.call(after)
        assert (await play_on(peer))["ended"]
        assert tournament.players[0].faults == []
        assert tournament.standings()[0].player.avatar == "Ada"


async def test_death_of_the_page_costs_no_seat() -> None:
    async with hosted() as here:
        async with served_page(here.stream) as port, open_peer(port) as peer:
            tournament, before = await ada_at_turn(here, peer)
        while tournament.is_here(tournament.players[0]):
            await trio.sleep(0.01)
        seat = tournament.players[0].seat
        assert seat is not None
        seat.unused = 100.0  # as if Ada had thought for minutes
        async with served_page(here.stream) as port, open_peer(port) as peer:
            await peer.say("hello", token=before["token"])  # which this page does not know
            await peer.hear("first")
            await peer.say("sit", id="ada", avatar="Ada")
            after = await peer.hear_turn()
            assert {**after["asked"], "number": 1} == {**before["asked"], "number": 1}
            told = await peer.hear("state", lambda state: state["asked"] and state["secondsLeft"] <= 100)
            assert told["asked"] == after["asked"]
            await peer.call(told)
            assert (await play_on(peer))["ended"]
        assert tournament.players[0].faults == []


async def test_person_who_leaves_the_lobby_is_gone() -> None:
    async with hosted() as here, open_peer(here.port) as peer:
        await sit(peer, id="ada", avatar="Ada")
        await in_lobby(here.rig, 1)
        await peer.say("leave")
        while here.rig.lobby.players:
            await here.rig.lobby.changed()


async def test_person_who_owes_an_answer_is_told_that_the_dealer_stops() -> None:
    async with hosted() as here, open_peer(here.port) as peer:
        tournament, turn = await ada_at_turn(here, peer)
        assert turn["secondsLeft"] > 30
        tournament.stop_soon(20.0)
        told = await peer.hear("state", lambda state: any("The dealer stops" in line for line in state["lines"]))
        assert told["secondsLeft"] <= 20
        await peer.call(told)
        await play_on(peer)
        assert tournament.hand_number == 1


async def test_person_who_does_not_answer_is_late_by_the_clock_of_people() -> None:
    limits = replace(USUAL, login_limit=60.0)
    async with hosted(replace(SETTINGS, limit=0.3), limits) as here:
        async with open_peer(here.port) as one, open_peer(here.port) as other:
            await sit(one)
            await sit(other)
            await in_lobby(here.rig, 2)
            here.scene.tournament = tournament = here.rig.begin()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(tournament.run)
                ends = [(await peer.hear("state", lambda state: state["ended"]))["ended"] for peer in (one, other)]
            reasons = [ended["words"][1] for ended in ends]
            assert sum("every reply is due within 0.3 s" in reason for reason in reasons) == 1, reasons


async def test_people_behind_one_address_count_for_it() -> None:
    async with hosted(limits=replace(USUAL, per_address=1)) as here:
        async with open_peer(here.port, "127.0.0.2") as one, open_peer(here.port, "127.0.0.2") as other:
            await sit(one)
            await in_lobby(here.rig, 1)
            await other.say("hello", token="")
            await other.say("sit")
            ended = (await other.hear("state", lambda state: state["ended"]))["ended"]
            assert "your address has 1 connections open, as many as it may" in ended["words"][1]


async def test_dealer_with_secrets_asks_for_one_and_names_are_checked() -> None:
    async with hosted(replace(SETTINGS, secrets=True)) as here, open_peer(here.port) as peer:
        await peer.say("hello", token="")
        assert (await peer.hear("first"))["secrets"]
        refused: list[tuple[dict[str, Any], str]] = [
            ({}, "this dealer asks for a secret"),
            ({"avatar": "x" * 33, "secret": "open"}, "the avatar has 33 characters"),
            ({"id": "a b", "secret": "open"}, "the id 'a b' is not 1 to 39 letters"),
            ({"avatar": 3}, "avatar: expected a text"),
        ]
        for wishes, trouble in refused:
            await peer.say("sit", **wishes)
            assert (await peer.hear("trouble"))["text"].startswith(trouble)
        await peer.say("sit", secret="open")
        await in_lobby(here.rig, 1)


async def test_nobody_is_let_in_before_the_lobby_opens(tcp_clock: MockClock) -> None:
    async with hosted() as here:
        assert (await request(here.port, "GET", "/play/")).status == 200
        here.scene.ports = None
        while (reply := await request(here.port, "GET", "/play/")).status == 200:
            await trio.sleep(0.1)
        assert (reply.status, reply.body[:45]) == (404, b"Nobody plays here in a browser: the dealer wa")


async def test_foreign_page_gets_neither_a_socket_nor_a_file() -> None:
    async with hosted() as at:
        await refused_with_foreign_headers(at.port)

"""What people at a table are told: the events of their hands, their own cards, the time, and who waits with them."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from dealer.audit.hands import Step
from dealer.lobby.lobby import MOST_NAMED, Lobby
from dealer.lobby.player import Player
from dealer.net.seat import MOST_NEWS_BYTES, Seat
from dealer.settings import Settings
from dealer.telling.hand_events import HandEvents
from dealer.tournament.people import PeopleAtHand
from dealer.tournament.tournament import Tournament
from protocol.games.base import Action, Hand
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.registry import game_names, load_game
from protocol.games.stud import StudGame
from protocol.wire.connection import PeopleConnection
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Name
from tests.bad_bots.peer import Peer
from tests.contract.playouts import deal, moments, other_outcome, places_seen_by
from tests.dealer.support.rig import Client, Rig, call, open_rig

SETTINGS = Settings(bytes(range(32)), StudGame(), hands=2, limit=60.0)

TOKEN = "token-of-the-host"


class Ear:
    """The connection of a person, as far as news are concerned."""

    watches = True

    def __init__(self, room: int = 10**9) -> None:
        self.texts: list[str] = []
        self._room = room

    def tell_news(self, text: str) -> bool:
        taken = len(self.texts) < self._room
        self.texts += [text] * taken
        return taken


def told(hand: Hand, actions: list[Action], me: int) -> list[str]:
    """What the person in a seat is told of a hand up to the last of these actions."""
    ears = [Ear() for _ in hand.starting]
    players = [Player(f"p{seat}", f"P{seat}", "", cast(Seat, ear), watches=seat == me) for seat, ear in enumerate(ears)]
    for seat, ear in enumerate(ears):
        ear.watches = seat == me
    people = PeopleAtHand(players)
    maker = HandEvents(0, 1, 1, 1, tuple(range(len(players))))
    for begun in maker.begin(hand):
        people.hear(begun)
    for action in actions:
        assert hand.to_act is not None
        step, hand = Step(hand, hand.to_act, action, 0.001, None), hand.apply(action)
        for event in maker.step(step, hand):
            people.hear(event)
    assert not any(ear.texts for seat, ear in enumerate(ears) if seat != me)
    return ears[me].texts


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=30)  # each plays a whole hand twice
@given(seed=st.integers(0, 2**32))
def test_news_do_not_change_with_what_a_person_cannot_see(name: str, seed: int) -> None:
    """Change about all cards that the person never saw: its news of the hand under way stay as they are."""
    game: Game = load_game(name)()
    chance = Random(seed)
    match, hand, drawn = deal(game, chance)
    me = chance.randrange(len(hand.starting))
    size = len(game.chance.outcome(drawn))
    seen, actions = set[int](), []
    for moment, action in moments(hand, chance):
        seen |= places_seen_by(game, moment, me, size)
        actions += [] if action is None else [action]
    other = match.deal(other_outcome(game, drawn, seen, chance))
    texts = told(hand, actions, me)
    assert told(other, actions, me) == texts
    dealt = json.loads(texts[1])
    assert dealt["holes"][me] == [piece.text for piece in hand.hole(me)]


def test_person_who_comes_back_is_told_the_hand_from_its_beginning() -> None:
    hand = deal(StudGame(), Random(1))[1]
    first, second = Ear(), Ear()
    players = [Player(f"p{seat}", f"P{seat}", "") for seat in range(len(hand.starting))]
    players[0].seat = cast(Seat, first)
    people = PeopleAtHand(players)
    events = HandEvents(0, 1, 1, 1, tuple(range(len(players)))).begin(hand)
    for event in events:
        people.hear(event)
    before = list(first.texts)
    people.catch_up(players[0])
    assert first.texts == before  # nothing is told twice
    players[0].seat = cast(Seat, second)
    people.catch_up(players[0])
    assert second.texts == before
    people.catch_up(Player("stranger", "Stranger", "", cast(Seat, Ear())))


def test_connection_that_does_not_read_is_told_no_more_of_the_hand() -> None:
    hand = deal(StudGame(), Random(1))[1]
    ear = Ear(room=2)
    players = [Player(f"p{seat}", f"P{seat}", "") for seat in range(len(hand.starting))]
    players[0].seat = cast(Seat, ear)
    people = PeopleAtHand(players)
    maker = HandEvents(0, 1, 1, 1, tuple(range(len(players))))
    for event in maker.begin(hand):
        people.hear(event)
    assert len(ear.texts) == 2
    ear._room = 100  # it reads again
    people.hear(maker.street(hand))
    assert len(ear.texts) == 2


def test_player_who_is_out_is_told_nothing() -> None:
    hand = deal(StudGame(), Random(1))[1]
    ear = Ear()
    players = [Player(f"p{seat}", f"P{seat}", "") for seat in range(len(hand.starting))]
    players[0].seat, players[0].left = cast(Seat, ear), "out of chips"
    people = PeopleAtHand(players)
    for event in HandEvents(0, 1, 1, 1, tuple(range(len(players)))).begin(hand):
        people.hear(event)
    assert ear.texts == []


async def watching(rig: Rig, name: str) -> Peer:
    """A person's program in a terminal, which has logged in."""
    peer = Peer(await rig.connect())
    assert await peer.hear() == "login"
    await peer.say("watch")
    assert await peer.hear() == "login"
    await peer.say(name)
    return peer


@asynccontextmanager
async def ada_and_bo(settings: Settings) -> AsyncIterator[tuple[Rig, Peer, Tournament]]:
    """A person, and a program that calls, at a table that plays while the block runs."""
    async with open_rig(settings, people=True) as rig:
        peer = await watching(rig, "ada:Ada")
        assert (await peer.hear_event("lobby"))["names"] == ["Ada"]
        bo = Client(Name("bo", "Bo"), call)
        await rig.admit(bo)
        lobby = await peer.hear_event("lobby")
        assert (lobby["names"], lobby["place"], lobby["count"], lobby["seats"]) == (["Ada", "Bo"], 0, 2, None)
        tournament = rig.begin()
        rig.nursery.start_soon(tournament.run)
        yield rig, peer, tournament
        while (question := await peer.hear_question()) is not None:
            await peer.say(f"bet:{question[3]}")
        assert not any(str(command).startswith("event") for command in bo.heard)


@pytest.mark.parametrize("game", [StudGame(), HoldemGame()])
async def test_person_is_told_a_hand_and_how_it_ended(game: Game, tcp_clock: MockClock) -> None:
    async with ada_and_bo(replace(SETTINGS, game=game)) as (_, peer, tournament):
        events: list[dict[str, Any]] = []
        hands = 0
        while (text := await peer.hear()) is not None:
            events += peer.events
            peer.events.clear()
            if text.startswith("bet"):
                await peer.say(f"bet:{text.split(':')[3]}")
            hands += text.startswith("status")
        assert hands == 2
        assert tournament.players[0].faults == []
    kinds = [event["type"] for event in events if event["type"] != "due"]
    first = kinds[: kinds.index("seen") + 1]
    assert first[:3] == ["seated", "dealt", "street"]
    assert kinds.count("seated") == kinds.count("seen") == 2
    assert {event["seconds"] for event in events if event["type"] == "due"} == {60.0}
    seated = next(event for event in events if event["type"] == "seated")
    assert sorted(seated["names"]) == ["Ada", "Bo"]
    assert seated["names"][seated["seat"]] == "Ada"
    seen = next(event for event in events if event["type"] == "seen")
    assert sum(seat["stack"] for seat in seen["seats"]) == 2 * game.stack
    assert sum(seat["won"] for seat in seen["seats"]) == seen["pot"]


async def test_person_is_told_that_the_dealer_stops(tcp_clock: MockClock) -> None:
    async with ada_and_bo(SETTINGS) as (_, peer, tournament):
        question = await peer.hear_question()
        assert question is not None
        assert (await peer.hear_event("due")) == {"type": "due", "seconds": 60.0, "stops": False}
        await trio.sleep(10)
        tournament.stop_soon(20.0)
        due = await peer.hear_event("due")
        assert (due["seconds"], due["stops"]) == (pytest.approx(20, abs=1), True)
        await peer.say(f"bet:{question[3]}")


async def test_table_is_told_at_the_port_for_people_alone(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS) as rig:
        peer = Peer(await rig.connect())
        await peer.hear()
        await peer.say("watch")
        await peer.hear_out()
        assert peer.done is not None
        assert "at the port for people alone" in peer.done


async def test_watch_is_said_once(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, page_token=TOKEN) as rig:
        peer = await watching(rig, "watch")
        await peer.hear_out()
        assert peer.done is not None


def test_news_wait_for_no_reader_without_end() -> None:
    """Of a person's program that reads nothing, the dealer keeps some news, and no more."""
    sent: list[bytes] = []

    class Deaf(Seat):
        def _send_some(self) -> bool:
            sent.append(b"")
            return False

    seat = Deaf.__new__(Deaf)
    seat._outgoing = b""
    seat._connection = PeopleConnection(UtfFraming())
    for _ in range(10):
        seat.tell_news("x" * (MOST_NEWS_BYTES // 4))
    assert MOST_NEWS_BYTES <= len(seat._outgoing) < 1.5 * MOST_NEWS_BYTES
    assert len(sent) == 4


async def test_names_of_a_crowd_fit_into_a_message() -> None:
    lobby = Lobby(1000)
    ear = Ear()
    fields = {"watches": True, "tell_news": ear.tell_news, "follows": False}
    for number in range(MOST_NAMED + 1):
        seat = cast(Seat, SimpleNamespace(**(fields if number == MOST_NAMED else {**fields, "watches": False})))
        lobby.admit(Name(f"p{number}", "名" * 27 + f"{number:05}"), None, seat, "")
    told = json.loads(ear.texts[-1])
    assert (len(told["names"]), told["place"], told["count"]) == (MOST_NAMED, MOST_NAMED, MOST_NAMED + 1)
    UtfFraming().encode(f"event:{ear.texts[-1]}")

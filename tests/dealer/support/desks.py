"""A dealer with a desk, served over HTTP, and orders to it."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import trio

from dealer.desk.desk import Desk
from dealer.desk.desk import open_desk as open_dealer_desk
from dealer.desk.token import HostToken
from dealer.feed.port import open_feed
from dealer.journal.writer import Journal
from dealer.settings import Settings
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from dealer.web.admin.host_routes import cockpit_routes
from dealer.web.admin.stream_desk import StreamDesk, open_stream_desk
from dealer.web.board import Board
from dealer.web.link import Place
from tests.bad_bots.peer import Peer
from tests.dealer.support.http_routes import Reply, request, serve_routes
from tests.dealer.support.rig import HOST, Rig, call, good_clients, open_rig
from tests.dealer.support.stage import NearBoard

JSON = "application/json"


@dataclass
class DeskRig:
    """A dealer and its desk.

    Attributes:
        rig: the dealer.
        token: of the desk.
        port: where it takes orders.
        board: of the page.
    """

    rig: Rig
    scene: Scene
    desk: Desk
    token: str
    port: int
    board: Board

    async def order(self, **facts: Any) -> Reply:
        return await self.post(json.dumps(facts).encode())

    async def post(self, body: bytes, headers: Mapping[str, str] | None = None) -> Reply:
        """Send anything, with the right headers unless others are given; an empty one is left out."""
        right = {"authorization": f"Bearer {self.token}", "content-type": JSON, **(headers or {})}
        return await request(self.port, "POST", "/desk", {name: value for name, value in right.items() if value}, body)

    async def done(self, **facts: Any) -> str:
        """Give an order that is obeyed; what the dealer said."""
        reply = await self.order(**facts)
        assert reply.status == 200, reply.facts
        return str(reply.facts["said"])

    async def refused(self, **facts: Any) -> str:
        """Give an order that is refused; why."""
        reply = await self.order(**facts)
        assert reply.status == 409, reply.facts
        assert "\n" not in reply.facts["error"]
        return str(reply.facts["error"])

    def begin(self) -> Tournament:
        """Close the lobby."""
        self.scene.tournament = tournament = self.rig.begin()
        return tournament

    def play(self) -> None:
        """Let the tournament play while the test goes on."""
        assert self.scene.tournament is not None
        self.rig.nursery.start_soon(self.scene.tournament.run)


async def bad_reply(peer: Peer) -> None:
    """A program that answers the first question with nonsense, after which it is out."""
    await peer.log_in("bad:Bad")
    await peer.hear_question()
    await peer.say("bet:all")
    await peer.hear()


@asynccontextmanager
async def open_desk(settings: Settings, journal: Journal | None = None) -> AsyncIterator[DeskRig]:
    """A dealer whose lobby and desk are open."""
    async with open_rig(settings, journal=journal) as rig:
        scene = Scene(rig.opening)
        board = NearBoard(scene)
        async with open_dealer_desk(scene, None) as desk, asked_over_stream(scene, desk) as far:
            async with serve_routes(cockpit_routes(far, HostToken(desk.token.text), board)) as port:
                yield DeskRig(rig, scene, desk, desk.token.text, port, board)


@asynccontextmanager
async def asked_over_stream(scene: Scene, desk: Desk) -> AsyncIterator[StreamDesk]:
    """What a page asks a dealer with."""
    async with open_feed(scene, HOST, None, desk) as feed:
        assert feed.page_place is not None
        async with open_stream_desk(Place(*feed.page_place), desk.token.text) as far:
            yield far


@asynccontextmanager
async def begun_desk(settings: Settings, count: int = 2) -> AsyncIterator[tuple[DeskRig, Tournament]]:
    """A dealer whose lobby is closed, with so many players who call, and its tournament, which has not dealt yet."""
    async with open_desk(settings) as desk:
        await desk.rig.admit(*good_clients(count, call))
        yield desk, desk.begin()


async def until(condition: Callable[[], object]) -> None:
    """Wait until a condition holds, however long the test's clock takes."""
    while not condition():
        await trio.sleep(0.05)


def nothing_happened(desk: DeskRig) -> bool:
    """Whether the tournament of the desk goes on as before."""
    assert desk.scene.tournament is not None
    return not desk.scene.tournament.stopping

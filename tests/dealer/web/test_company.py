"""Who plays with a player, told to the player's own program only as the page tells everybody."""

import pytest
import trio
from trio.testing import MockClock

from dealer.settings import Settings
from dealer.tournament.scene import Scene
from dealer.web.company import company_routes
from protocol.games.stud import StudGame
from tests.bad_bots.peer import Peer
from tests.dealer.support.http_routes import request, serve_routes
from tests.dealer.support.rig import SEED, Rig, open_rig

SETTINGS = Settings(SEED, StudGame(), hands=1)


def port_of(peer: Peer) -> int:
    stream = peer.stream
    assert isinstance(stream, trio.SocketStream)
    return int(stream.socket.getsockname()[1])


async def logged_in(rig: Rig, name: str, source: str = "127.0.0.1") -> Peer:
    peer = Peer(await rig.connect(source))
    before = len(rig.lobby.players)
    await peer.log_in(name)
    while len(rig.lobby.players) == before:
        await rig.lobby.changed()
    return peer


async def test_lobby_and_hand_by_the_address_of_a_connection(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS) as rig:
        scene = Scene(rig.opening, seats=4)
        async with serve_routes(company_routes(scene)) as port:
            one, other = await logged_in(rig, "secret-a:Twin"), await logged_in(rig, "secret-b:Twin")
            far = await logged_in(rig, "secret-c:Far", "127.0.0.2")

            async def told(peer: Peer) -> dict[str, object]:
                reply = await request(port, "GET", f"/company?port={port_of(peer)}")
                assert reply.status == 200
                assert b"secret" not in reply.body
                return dict(reply.facts)

            everybody = ["Twin", "Twin (2)", "Far"]
            assert await told(one) == {"hand": None, "lobby": [everybody, 0, 4], "hurry": None}
            assert await told(other) == {"hand": None, "lobby": [everybody, 1, 4], "hurry": None}
            assert await told(far) == {
                "hand": None,
                "lobby": None,
                "hurry": None,
            }  # it plays from another address than this request
            scene.tournament = tournament = rig.begin()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(tournament.run)
                asked = trio.Event()
                peers = {one: 0, other: 1, far: 2}

                async def fold(peer: Peer) -> None:
                    while await peer.hear_question():
                        if not asked.is_set():
                            asked.set()
                            for player, seat in [*peers.items()][:2]:
                                facts = await told(player)
                                assert facts["lobby"] is None
                                hand = facts["hand"]
                                assert isinstance(hand, list)
                                assert (sorted(hand[0]), hand[0][hand[1]]) == (sorted(everybody), everybody[seat])
                        await peer.say("fold")
                    await peer.stream.aclose()

                for peer in peers:
                    nursery.start_soon(fold, peer)
            assert asked.is_set()


@pytest.mark.parametrize("query", ["", "?port=", "?port=-1", "?port=x", "?port=123456", "?port=%D9%A1"])
async def test_port_is_a_number(query: str, tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS) as rig, serve_routes(company_routes(Scene(rig.opening))) as port:
        assert (await request(port, "GET", f"/company{query}")).status == 400

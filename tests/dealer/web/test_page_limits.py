"""What strangers at the page's port cannot take, and what programs of players are told there."""

import re
import socket
from contextlib import AsyncExitStack, suppress
from dataclasses import replace

import pytest
import trio
from hypothesis import given
from structlog.testing import capture_logs
from trio.testing import MockClock

from dealer.net.limits import FEWEST_DESCRIPTORS, Limits, descriptors_for, fit_descriptors
from dealer.settings import OpenPorts, Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.web import page_server
from dealer.web.page_server import CONNECTIONS, SILENT_SECONDS, Misdirected, PageServer, spoken_by_program, way_to_ports
from dealer.web.serving import RECEIVE_BYTES
from protocol.games.stud import StudGame
from protocol.wire.codec import encode
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.messages import Done, Name
from protocol.wire.wrong_port import Speech
from tests.bad_bots.peer import Peer
from tests.dealer.support.acpc_players import ACPC
from tests.dealer.support.rig import HOST, SEED
from tests.dealer.support.stage import GET, NearBoard, Watch, fetch, open_stage, served
from tests.drills.page_attackers import PREFACE
from tests.protocol.helpers import names

SETTINGS = Settings(SEED, StudGame(), hands=20, table_size=3)
PAGE = "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"


async def test_http2_without_asking_is_refused() -> None:
    async with open_stage(SETTINGS) as stage:
        answer = await fetch(stage.port, PREFACE[:24].decode())
        assert answer.startswith(b"HTTP/1.1 505 ")
        assert answer.endswith(b"this page speaks HTTP/1.1 only\n")


async def test_connections_beyond_the_limit_are_refused_before_hypercorn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_server, "FROM_HERE", Limits(connections=8, per_address=8))
    async with open_stage(SETTINGS) as stage, AsyncExitStack() as stack:
        for _ in range(8):
            stream = await stack.enter_async_context(await trio.open_tcp_stream(HOST, stage.port))
            await stream.send_all(GET)
            assert await stream.receive_some(12) == b"HTTP/1.1 200"
        with capture_logs() as lines:
            answer = await fetch(stage.port, PAGE)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"your address has 8 connections open, as many as it may" in answer
        assert [line["event"] for line in lines] == ["turned away"]
        await stack.aclose()
        while not await served(stage.port):  # until the others count as gone
            pass


async def test_system_keeps_little_of_what_a_flood_sends() -> None:
    async with open_stage(SETTINGS) as stage:
        with socket.socket() as flood:
            flood.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, RECEIVE_BYTES)
            flood.connect((HOST, stage.port))
            flood.setblocking(False)
            sent = 0
            with suppress(BlockingIOError):
                while True:  # nobody reads meanwhile: nothing here lets another task run
                    sent += flood.send(bytes(1000))
            assert sent <= 6 * RECEIVE_BYTES  # in both buffers; the system doubles what was asked for


async def test_idle_connections_are_closed(tcp_clock: MockClock) -> None:
    async with open_stage(SETTINGS) as stage:
        for begin in (b"", b"GET / HT", GET):
            stream = await trio.open_tcp_stream(HOST, stage.port)
            async with stream:
                await stream.send_all(begin)
                async for _ in stream:
                    pass


def test_descriptors_of_the_page_shrink_before_those_of_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.net.limits._promised", {})
    monkeypatch.setattr("dealer.net.limits._raise_limit", lambda wanted: min(wanted, 1000))
    assert fit_descriptors(Limits(connections=512)).connections == 512
    with descriptors_for(300) as page:
        assert page == 300
        with descriptors_for(128) as feed:
            assert feed == 1000 - 300 - 640
            with descriptors_for(128) as other:
                assert other == FEWEST_DESCRIPTORS
    with descriptors_for(400) as page:
        assert page == 360


def test_server_with_few_descriptors_admits_few_connections() -> None:
    async def make() -> tuple[int, int]:
        async def app(*_: object) -> None:
            pass

        few = PageServer(app, Misdirected(str), CONNECTIONS // 4)
        return few._here.limits.connections, few._elsewhere.limits.connections

    assert sum(trio.run(make)) <= CONNECTIONS // 4


@given(names)
def test_login_of_every_player_is_recognised(name: Name) -> None:
    assert spoken_by_program(UtfFraming().encode(encode(name))) is Speech.FRAMES
    assert spoken_by_program(LineFraming().encode(encode(name))) is Speech.LINES


@pytest.mark.parametrize(
    "sent", [b"", b"G", b"GET / HTTP/1.1\r\n", b"GET http://x:80/ HTTP/1.1\r\n", PREFACE, b"\x16\x03\x01", b"\r\nGET /"]
)
def test_browser_is_not_taken_for_a_program(sent: bytes) -> None:
    assert spoken_by_program(sent) is None


async def hears(port: int, framing: Framing, said: bytes) -> tuple[list[str], float]:
    """What a program hears at a port where it says something at once, and the seconds until the connection ends."""
    peer, came = Peer(await trio.open_tcp_stream(HOST, port), framing), trio.current_time()
    async with peer.stream:
        if said:
            await peer.send(said)
        await peer.hear_out()
    return peer.heard, trio.current_time() - came


@pytest.mark.parametrize(
    ("framing", "said"),
    [
        (UtfFraming(), b"\0\x08ks:Steph"),
        (UtfFraming(), b"\0"),
        (LineFraming(), b"ks:Steph\n"),
        (UtfFraming(), b""),
        (LineFraming(), b""),
    ],
)
async def test_program_at_the_page_is_told_in_its_own_framing(
    framing: Framing, said: bytes, tcp_clock: MockClock
) -> None:
    async with open_stage(SETTINGS) as stage:
        stage.scene.ports = OpenPorts(HOST, {"port": stage.rig.listener.port, "line_port": 4001})
        with capture_logs() as lines:
            heard, took = await hears(stage.port, framing, said)
        (failed,) = stage.rig.lobby.failed_logins.latest
        assert heard[-1].rstrip() == encode(Done(failed.reason))
        assert f"writeUTF connect to port {stage.rig.listener.port}" in failed.reason
        assert "lines of text to port 4001" in failed.reason
        assert (failed.kind, failed.port, failed.sent) == ("wrong port", stage.port, said)
        assert failed.host == HOST
        if said:
            assert heard == heard[-1:]
            assert took < SILENT_SECONDS
        else:
            assert SILENT_SECONDS <= took < 2 * SILENT_SECONDS
        assert [line["event"] for line in lines] == ["login failed: wrong port"]
        assert (await fetch(stage.port, PAGE)).startswith(b"HTTP/1.1 200")


async def test_program_of_the_acpc_at_the_page_is_told_in_a_comment(tcp_clock: MockClock) -> None:
    async with open_stage(ACPC) as stage:
        stage.scene.ports = OpenPorts(HOST, {"port": stage.rig.listener.port, "acpc_port": 4103})
        heard, _ = await hears(stage.port, LineFraming(), b"VERSION:2.0.0\r\n")
        assert heard == ["# this is the port of the page for browsers; programs of the ACPC connect to port 4103"]
        (failed,) = stage.rig.lobby.failed_logins.latest
        assert (failed.kind, failed.id) == ("wrong port", None)


async def test_secret_of_a_program_at_the_page_is_not_kept(tcp_clock: MockClock) -> None:
    async with open_stage(replace(SETTINGS, secrets=True)) as stage:
        await hears(stage.port, LineFraming(), b"ks:Steph:pass\n")
        (failed,) = stage.rig.lobby.failed_logins.latest
        assert (failed.id, failed.sent) == ("ks", b"ks:...")


async def test_connection_in_advance_is_unharmed(tcp_clock: MockClock) -> None:
    async with open_stage(SETTINGS) as stage:
        async with await trio.open_tcp_stream(HOST, stage.port) as stream:
            with trio.move_on_after(2.5) as silence:
                await stream.receive_some()
            assert silence.cancelled_caught
            await stream.send_all(PAGE.encode())
            assert (await stream.receive_some(12)) == b"HTTP/1.1 200"
        assert not stage.rig.lobby.failed_logins.latest


async def test_request_found_after_a_stall_is_answered(tcp_clock: MockClock) -> None:
    for _ in range(10):
        async with open_stage(SETTINGS) as stage:
            async with await trio.open_tcp_stream(HOST, stage.port) as stream:
                await trio.sleep(1.0)
                tcp_clock.jump(10 * SILENT_SECONDS)
                await stream.send_all(PAGE.encode())
                assert (await stream.receive_some(12)) == b"HTTP/1.1 200"


async def test_silent_connection_of_a_viewer_is_no_news(tcp_clock: MockClock, watch: Watch) -> None:
    async with open_stage(SETTINGS) as stage:
        await (await watch(stage.port)).until_named("scene")
        heard, _ = await hears(stage.port, UtfFraming(), b"")
        assert re.match("done:this is the port of the page", heard[-1])
        assert not stage.rig.lobby.failed_logins.latest


async def test_league_program_is_told_that_it_has_a_port_of_its_own() -> None:
    reason = way_to_ports(NearBoard(Scene(NewTournament(SETTINGS, 2))), None)
    assert "the programs of a league connect to the port that each was started with" in reason
    assert Done(reason).reason == reason

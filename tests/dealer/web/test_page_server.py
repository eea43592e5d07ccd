"""The page over real sockets: what viewers are sent, and that no viewer and no aborted request does harm."""

import gzip
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from dealer.cli.flag_types import PAGE_PORT
from dealer.errors import PortError
from dealer.feed import public_facts
from dealer.net.limits import Limits
from dealer.settings import Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.web import page_server, serving
from dealer.web.app import STYLES, page_files
from dealer.web.board import VIEWERS, VIEWERS_PER_ADDRESS, Board
from dealer.web.serving import PagePlace
from protocol.games.stud import StudGame
from tests.bad_bots import replies
from tests.dealer.support.feeds import open_feed_rig
from tests.dealer.support.rig import HOST, SEED, Client, Rig, Thinker, call, good_clients, open_rig
from tests.dealer.support.stage import GET, NearBoard, Stage, Watch, fetch, open_page, open_stage, served
from tests.dealer.web.test_page_secrets import parts
from tests.patience import PATIENCE

SETTINGS = Settings(SEED, StudGame(), hands=20, table_size=3, limit=30.0)

PAGE = "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"


async def test_a_lobby_shows_who_comes_and_where_to_connect(watch: Watch) -> None:
    async with open_stage(SETTINGS) as stage:
        viewer = await watch(stage.port)
        facts = await viewer.until_named("scene")
        assert (facts["phase"], facts["players"]) == ("lobby", [])
        assert facts["addresses"] == [HOST]
        assert (facts["ports"][0]["name"], facts["ports"][0]["number"]) == ("port", stage.rig.listener.port)
        await stage.rig.admit(*good_clients(2))
        await viewer.until(lambda name, facts: name == "scene" and facts["players"] == ["Good 1", "Good 2"])


async def test_code_of_the_address_is_served_where_others_reach_it() -> None:
    async with open_stage(SETTINGS) as stage:
        ask_for_code = PAGE.replace("GET / ", "GET /qr.svg ")
        assert b" 404 " in await fetch(stage.port, ask_for_code)
        stage.board.pages = ("http://127.0.0.1:8080/", "http://192.168.1.20:8080/", "http://192.168.1.21:8080/")
        answer = await fetch(stage.port, ask_for_code)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"content-type: image/svg+xml" in answer
    assert b"<svg" in answer
    assert stage.board.page_address == "http://192.168.1.20:8080/"


async def test_lobby_counts_down_to_its_start(watch: Watch, autojump_clock: object) -> None:
    async with open_stage(SETTINGS) as stage:
        stage.scene.lobby.seats, stage.scene.starts_at = 7, trio.current_time() + 90
        viewer = await watch(stage.port)
        assert (await viewer.until_named("scene"))["seats"] == 7
        await viewer.until(lambda name, facts: name == "lobby" and facts["startsIn"] < 80)


async def play_to_the_end(stage: Stage) -> None:
    stage.begin()
    assert stage.scene.tournament is not None
    await stage.scene.tournament.run()


async def test_late_viewer_is_sent_everything(watch: Watch) -> None:
    async with open_stage(SETTINGS) as stage:
        await stage.rig.admit(*good_clients(4), replies.bets_too_much)
        await play_to_the_end(stage)
        viewer = await watch(stage.port)
        events = dict(await viewer.next_events())
    assert set(events) == {"scene", "curves", "board", "news", "moments", "table"}
    assert events["scene"]["phase"] == "over"
    assert events["curves"]["hands"][0] == 0
    assert events["curves"]["hands"][-1] == 20
    assert [row["place"] for row in events["board"]["rows"]] == sorted(row["place"] for row in events["board"]["rows"])
    assert events["news"]["out"][-1][2] == "illegal"
    assert events["table"]["over"]


async def test_viewer_may_choose_any_table_number(watch: Watch) -> None:
    async with open_stage(SETTINGS) as stage:
        await stage.rig.admit(*good_clients(4))
        await play_to_the_end(stage)
        for number in (0, 1):
            table = await (await watch(stage.port, number)).until_named("table")
            assert (table["table"], table["auto"], len(table["seats"])) == (number, False, 2)
        assert (await (await watch(stage.port, 7)).until_named("table"))["closed"]


async def test_stream_ends_with_podium_and_bye(watch: Watch) -> None:
    async with open_stage(SETTINGS) as stage:
        await stage.rig.admit(*good_clients(2))
        viewer = await watch(stage.port)
        assert (await viewer.until_named("scene"))["seed"] is None
        await play_to_the_end(stage)
    await viewer.until_named("bye")
    last = dict(viewer.events)
    assert (last["scene"]["phase"], last["scene"]["seed"]) == ("over", SEED.hex())
    assert last["board"]["hand"] == 20


async def test_hand_in_which_somebody_thinks_is_shown_while_it_is_played(tcp_clock: MockClock) -> None:
    """The hands before it were too fast to be told action by action."""
    async with open_feed_rig(Settings(SEED, StudGame(), hands=5, limit=600)) as dealer, trio.open_nursery() as nursery:
        board = NearBoard(dealer.scene)
        await dealer.rig.start(Thinker(hand=3, seconds=20))
        while not dealer.rig.lobby.players:
            await dealer.rig.lobby.changed()
        await dealer.rig.admit(*good_clients(2, call))
        tournament = dealer.begin()
        board.look()
        nursery.start_soon(tournament.run)
        lines = set()
        with board.watched(0, HOST):
            while tournament.hands_finished < 3:
                await trio.sleep(0.3)
                board.look()
                table = parts(board.since(0, 0))["table"]
                if table.get("hand") == 3 and not table["over"]:
                    lines.add(len(table["log"]))
        assert len(lines) == 2, "it is asked twice in the hand, and thinks each time"
        nursery.cancel_scope.cancel()


def swollen(facts: dict[str, Any], counter: list[int]) -> dict[str, Any]:
    counter[0] += 1
    return {**facts, "number": counter[0], "filler": "x" * 8_000_000}


def watch_and_never_read(port: int) -> socket.socket:
    """A viewer whose buffers are small, and which reads nothing."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.connect((HOST, port))
    sock.sendall(b"GET /events HTTP/1.1\r\nHost: here\r\n\r\n")
    return sock


async def test_viewer_that_never_reads_delays_nobody(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "STALLED_MILLISECONDS", int(10_000 * PATIENCE))  # until the system gives it up
    plain, counter = public_facts.scene_facts, [0]
    monkeypatch.setattr(public_facts, "scene_facts", lambda scene: swollen(plain(scene), counter))
    async with open_stage(SETTINGS) as stage:
        with watch_and_never_read(stage.port):
            reader = await watch(stage.port)
            await reader.until(lambda name, facts: name == "scene" and facts["number"] > 3)
            monkeypatch.setattr(public_facts, "scene_facts", plain)
            viewers = [reader] + [await watch(stage.port) for _ in range(48)]
            for viewer in viewers:
                await viewer.until(lambda name, facts: name == "scene" and "filler" not in facts)
            assert stage.board.viewers == 50
            await stage.close_page()
    for viewer in viewers:
        await viewer.until_named("bye")


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("GET /events?table=x", 400),
        ("GET /events?table=-1", 400),
        ("GET /events?table=99999999999", 400),
        ("GET /events?table=%D9%A1", 400),
        ("POST /events", 405),
        ("POST /", 405),
        ("GET /none", 404),
        ("GET /../scene.py", 404),
        ("GET /%2e%2e%2fscene.py", 404),
        ("GET /..%2f..%2f..%2fetc%2fpasswd", 404),
        ("GET //etc/passwd", 404),
        ("GET /page.css/../../board.py", 404),
        ("GET /__init__.py", 404),
    ],
)
async def test_other_requests_are_refused(request_line: str, status: int) -> None:
    async with open_stage(SETTINGS) as stage:
        answer = await fetch(stage.port, f"{request_line} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
    assert answer.startswith(f"HTTP/1.1 {status}".encode())
    assert b"root:" not in answer
    assert b"content-security-policy: default-src 'none'" in answer


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" * 100,
        b"GET / HTTP/1.1\r\nHost: here\r\n" + b"X: " + b"x" * 100_000,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 100,
        b"GET / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /events HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
        b"GET /events HTTP/1.1\r\nHost: here\r\nUpgrade: h2c\r\nConnection: upgrade\r\nHTTP2-Settings: !!\r\n\r\n",
        b"login:\r\n\r\n",
    ],
)
async def test_page_survives_malformed_requests(data: bytes) -> None:
    async with open_stage(SETTINGS) as stage:
        async with await trio.open_tcp_stream(HOST, stage.port) as stream:
            with suppress(trio.BrokenResourceError):  # it may be closed before all of a long request was taken
                await stream.send_all(data)
                await stream.receive_some()
        await still_served(stage.port)


async def still_served(port: int) -> None:
    """Wait until the page is served, also by a server that had to be started again."""
    while not (await fetch(port, PAGE)).startswith(b"HTTP/1.1 200"):
        await trio.lowlevel.checkpoint()


async def test_every_file_of_the_page_is_served_with_strict_headers() -> None:
    async with open_stage(SETTINGS) as stage:
        page = (await fetch(stage.port, PAGE)).decode()
        assert "script-src 'self'" in page
        assert "no-referrer" in page
        for name, kind in (("frame.css", "text/css"), ("page.js", "text/javascript"), ("icon.svg", "image/svg+xml")):
            answer = (await fetch(stage.port, PAGE.replace("/", f"/{name}", 1))).decode()
            assert f"content-type: {kind}" in answer.lower()
            assert "nosniff" in answer


async def test_files_are_compressed_for_those_who_take_that() -> None:
    async with open_stage(SETTINGS) as stage:
        request = PAGE.replace("/", "/page.css", 1)
        _, plain = (await fetch(stage.port, request)).split(b"\r\n\r\n", 1)
        packed = request.replace("\r\n", "\r\nAccept-Encoding: gzip, br\r\n", 1)
        head, body = (await fetch(stage.port, packed)).split(b"\r\n\r\n", 1)
    assert b"content-encoding: gzip" in head
    assert gzip.decompress(body) == plain
    assert plain == b"\n".join(page_files()[name] for name in STYLES)


def test_page_asks_for_every_script_at_once() -> None:
    scripts = {name for name in page_files() if name.endswith(".js")}
    text = page_files()["index.html"].decode()
    assert {name for name in scripts if f'href="{name}"' in text or f'src="{name}"' in text} == scripts


async def test_limits_of_viewers() -> None:
    board = NearBoard(Scene(NewTournament(SETTINGS, 2)))
    with ExitStack() as watching:
        for network in range(VIEWERS // VIEWERS_PER_ADDRESS + 1):
            address = f"192.168.1.{network}"
            while board.has_room(address):
                watching.enter_context(board.watched(None, address))
            assert board.viewers == min(VIEWERS_PER_ADDRESS * (network + 1), VIEWERS)
        assert not board.has_room("192.168.1.99")
        assert board.has_room("127.0.0.1")
        assert board.has_room("::1")
    assert board.has_room("192.168.1.0")


async def test_viewer_without_room_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Board, "has_room", lambda *_: False)
    async with open_stage(SETTINGS) as stage:
        assert b"503" in await fetch(stage.port, PAGE.replace("/", "/events", 1))


async def test_a_page_that_fails_does_not_end_the_tournament(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_facts, "news_facts", lambda *_: 1 / 0)
    async with open_stage(SETTINGS) as stage:
        viewer = await watch(stage.port)
        await viewer.until_named("scene")
        await stage.rig.admit(*good_clients(2))
        await play_to_the_end(stage)
        assert stage.scene.tournament is not None
        assert stage.scene.tournament.ended


@asynccontextmanager
async def page_of(rig: Rig, port: int | None, said: list[str], usual: int = PAGE_PORT) -> AsyncIterator[int]:
    scene = Scene(rig.opening)
    async with open_page(scene, PagePlace(HOST, port, usual), said.append):
        assert scene.page_port is not None
        yield scene.page_port


async def test_given_port_must_be_free() -> None:
    said: list[str] = []
    async with open_rig(SETTINGS) as rig, page_of(rig, 0, said) as taken:
        with pytest.RaisesGroup(pytest.RaisesExc(PortError, match=rf"^cannot serve the page on port {taken} of")):
            async with trio.open_nursery(), page_of(rig, taken, said):
                pass
        assert not said
        async with page_of(rig, None, said, taken) as other:
            assert other != taken
            await still_served(other)
    assert said == [f"Port {taken} is taken, so the page for browsers is at port {other}."]


async def test_a_viewer_changes_nothing_for_the_players(watch: Watch) -> None:
    async def play(watching: int) -> list[Client]:
        clients = good_clients(4)
        async with open_stage(SETTINGS) as stage:
            await stage.rig.admit(*clients)
            for _ in range(watching):
                await watch(stage.port)
            await play_to_the_end(stage)
        return clients

    alone, watched = [[client.heard for client in await play(count)] for count in (0, 5)]
    assert alone == watched


TWENTY_HANDS = Settings(SEED, StudGame(), hands=20, table_size=3)
STREAM = GET.replace(b"/", b"/events", 1)
LENGTH = b"\r\nContent-Length: 1000\r\n\r\nabc"
CHUNKS = b"\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 30

#: What a browser has sent when it aborts, by a name for the test.
ABORTED = {
    "connection in advance": b"",
    "head": GET[:20],
    "request": GET,
    "requests": 20 * GET,
    "body": GET.replace(b"\r\n\r\n", LENGTH),
    "body of an order": b"POST /desk HTTP/1.1\r\nHost: here" + LENGTH,
    "chunks": GET.replace(b"\r\n\r\n", CHUNKS),
    "stream": STREAM,
    "stream and part of a request": STREAM + GET[:20],
    "body of a stream": STREAM.replace(b"\r\n\r\n", LENGTH),
    "chunks of a stream": STREAM.replace(b"\r\n\r\n", CHUNKS),
}


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize("sent", ABORTED.values(), ids=ABORTED.keys())
async def test_place_of_an_aborted_request_is_free_soon(
    sent: bytes, reset: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_server, "FROM_HERE", Limits(connections=1, per_address=1))
    async with open_stage(TWENTY_HANDS) as stage:
        stream = await trio.open_tcp_stream(HOST, stage.port)
        if sent:
            await stream.send_all(sent)
        if sent in (GET, STREAM):
            await stream.receive_some(12)
        if reset:
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        await stream.aclose()
        while not await served(stage.port):
            pass

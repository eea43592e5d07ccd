"""The desk of a dealer that is reached over its stream: files, a dealer that is gone, and how often it is asked."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import h11
import pytest
import trio
from trio.testing import MockClock

from dealer.desk.desk import open_desk as open_dealer_desk
from dealer.desk.orders import Order, Wanted
from dealer.desk.token import HostToken
from dealer.desk.view import DeskView
from dealer.errors import BadOrderError, StreamError
from dealer.feed import host
from dealer.feed.port import open_feed
from dealer.feed.subscriber import pack
from dealer.feed.told import MisdirectedProgram
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.lobby.failed_logins import RefusalKind
from dealer.settings import Settings
from dealer.tournament.scene import Scene
from dealer.web.admin.host_routes import LOOK_SECONDS, cockpit_routes
from dealer.web.admin.stream_desk import MISDIRECTED, Found, StreamDesk, open_stream_desk
from dealer.web.board import Board
from dealer.web.link import Place
from dealer.web.serving import PagePlace, listen, serve_board
from protocol.games.stud import StudGame
from tests.dealer.support.desks import DeskRig, until
from tests.dealer.support.feeds import FeedRig, open_feed_rig
from tests.dealer.support.host_pages import HostPage, told
from tests.dealer.support.http_routes import serve_routes
from tests.dealer.support.recorded import clients_by_chance
from tests.dealer.support.rig import HOST, SEED, call, good_clients, open_rig
from tests.dealer.support.stage import NearBoard

SETTINGS = Settings(SEED, StudGame(500), hands=30)
SHOW = {"command": "show"}


@dataclass
class Cockpit:
    """What ``casino page`` serves for the host of a dealer that can go and come again."""

    desk: DeskRig
    page: HostPage
    open_feed: Callable[[], Any]


@asynccontextmanager
async def open_cockpit() -> AsyncIterator[Cockpit]:
    async with open_rig(SETTINGS) as rig:
        scene = Scene(rig.opening)
        board = NearBoard(scene)
        async with open_dealer_desk(scene, None) as desk:
            async with open_feed(scene, HOST, 0, desk) as (_, feed, _):
                assert feed is not None
            async with open_stream_desk(Place(HOST, feed), desk.token.text) as far:
                async with serve_routes(cockpit_routes(far, HostToken(desk.token.text), board)) as port:
                    one = DeskRig(rig, scene, desk, desk.token.text, port, board)
                    yield Cockpit(one, HostPage(port, desk.token.text), partial(open_feed, scene, HOST, feed, desk))


async def test_a_dealer_that_is_gone_is_told_in_words_and_found_again(tcp_clock: MockClock) -> None:
    async with open_cockpit() as cockpit:
        desk, page = cockpit.desk, cockpit.page
        for _ in range(2):
            async with cockpit.open_feed():
                assert (await page.log_in()).status == 200
                assert (await desk.order(**SHOW)).facts["state"]["phase"] == "lobby"
                async with page.followed() as lines:
                    assert await told(lines, "players") == []
            await trio.sleep(LOOK_SECONDS)  # for so long pages are told what was seen last
            for path, facts in {"/host/orders": SHOW, "/host/events": {}, "/host/files": {"file": "journal"}}.items():
                reply = await page.post(path, facts)
                assert reply.status == 503
                assert reply.facts["error"].startswith("there is no dealer at 127.0.0.1:")
            assert (await desk.order(**SHOW)).status == 503
            await trio.sleep(LOOK_SECONDS)  # and for so long that the dealer is gone


async def test_the_page_is_not_told_good_bye_when_the_dealer_is_gone(tcp_clock: MockClock) -> None:
    """It asks again then."""
    async with open_cockpit() as cockpit, AsyncExitStack() as stack:
        async with cockpit.open_feed():
            await cockpit.page.log_in()
            lines = await stack.enter_async_context(cockpit.page.followed())
            await told(lines, "logins")
        assert {"bye": True} not in [facts async for facts in lines]


@asynccontextmanager
async def stream_desk(dealer: FeedRig) -> AsyncIterator[StreamDesk]:
    assert dealer.desk is not None
    async with open_stream_desk(Place(HOST, dealer.port), dealer.desk.token.text) as desk:
        yield desk


async def read(found: Found) -> bytes:
    data = b""
    async with found.source:
        while piece := await found.read():
            data += piece
    return data


async def test_an_order_does_not_wait_for_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock
) -> None:
    monkeypatch.setattr(host, "PIECE_BYTES", 100)
    async with (
        open_journal(AppendFile.create(tmp_path / "a.journal")) as journal,
        open_feed_rig(SETTINGS, journal, desk=True) as dealer,
        stream_desk(dealer) as desk,
    ):
        await dealer.rig.admit(*clients_by_chance(3))
        tournament = dealer.begin()
        tournament.begin_with = lambda: tournament.set_pace(1.0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            await until(lambda: tournament.hands_finished > 3)
            found = await desk.take(Wanted("journal"))
            assert isinstance(found, Found)
            assert "said" in await desk.obey(Order("end"))
            assert (await desk.look())["phase"] in ("ending", "over")
        data = await read(found)
        assert found.name == "a-so-far.journal"
        assert len(data) > 500
        assert (tmp_path / "a.journal").read_bytes().startswith(data)


async def test_a_report_is_asked_for_until_it_is_there(tmp_path: Path) -> None:
    async with (
        open_journal(AppendFile.create(tmp_path / "a.journal")) as journal,
        open_feed_rig(SETTINGS, journal, desk=True) as dealer,
        stream_desk(dealer) as desk,
    ):
        await dealer.rig.admit(*good_clients(2, call))
        await dealer.begin().run()
        while not isinstance(found := await desk.take(Wanted("grades", 1)), Found):
            assert found.keys() == {"seconds", "share"}
            await trio.sleep(0.1)
        assert (await read(found)).startswith(b"\xef\xbb\xbfid,name,avatar,")
        assert not dealer.feed.subscribers, "who asks is told answers alone"
        await until(lambda: not dealer.feed.everybody)  # no connection outlives its request


async def test_what_cannot_be_sent_is_no_order(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, stream_desk(dealer) as desk:
        for order in (Order("pace", seconds=10**400), Order("readmit", player="\ud800")):
            with pytest.raises(BadOrderError, match="this cannot be sent to the dealer"):
                await desk.obey(order)
        assert "said" in await desk.obey(Order("pause"))


async def test_programs_at_the_page_are_told_to_the_dealers_host(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, stream_desk(dealer) as desk:
        for number in range(MISDIRECTED + 5):  # of a flood as many as there is room for
            desk.note(
                MisdirectedProgram(f"10.0.0.{number}:5000", 8080, RefusalKind.WRONG_PORT, "go away", b"\0\x07ks:S")
            )
        failed = dealer.rig.lobby.failed_logins
        await until(lambda: len(failed.latest) == MISDIRECTED)
        first = failed.latest[0]
        assert (first.address, first.port, first.kind, first.id) == ("10.0.0.0:5000", 8080, "wrong port", "ks")


async def test_a_host_that_tells_nonsense_of_a_program_is_answered(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, dealer.host() as reader:
        program = {"peer": "1.2.3.4:5", "port": 1, "kind": "wrong port", "reason": "", "sent": b""}
        wrong = {"kind": "Invalid enum value 'x'", "peer": "matching regex"}
        for number, (name, words) in enumerate(wrong.items()):
            answer = await reader.ask(number, type="misdirected", **{**program, name: "x"})
            assert words in answer["error"]
        assert not dealer.rig.lobby.failed_logins.latest


async def test_pages_share_one_look_and_none_is_taken_for_nobody(
    monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock
) -> None:
    looks = 0
    look = DeskView.look

    def counted(view: DeskView, *command: Any) -> Any:
        nonlocal looks
        looks += 1
        return look(view, *command)

    monkeypatch.setattr(DeskView, "look", counted)
    async with open_cockpit() as cockpit, cockpit.open_feed(), trio.open_nursery() as nursery:
        await cockpit.page.log_in()
        await trio.sleep(20)
        assert looks == 0

        async def follow() -> None:
            async with cockpit.page.followed() as lines:
                await told(lines, "bye")

        for _ in range(6):
            nursery.start_soon(follow)
        await until(lambda: cockpit.desk.board.viewers == 6)
        before = looks
        await trio.sleep(20)
        assert 10 <= looks - before <= 41
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def foreign_dealer(*answers: bytes) -> AsyncIterator[StreamDesk]:
    """A desk whose dealer says this to whoever connects, and is gone then."""

    async def speak(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.send_all(b"".join(answers))
        await stream.send_eof()
        while await stream.receive_some():
            pass

    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, speak, 0, host=HOST))
        async with open_stream_desk(Place(HOST, listener.socket.getsockname()[1]), "x") as desk:
            yield desk
        nursery.cancel_scope.cancel()


async def test_a_file_whose_end_is_missing_does_not_pass_for_whole() -> None:
    file, piece = {"type": "file", "id": 1, "name": "a", "bytes": 10}, {"type": "piece", "id": 1, "data": b"1234"}
    async with foreign_dealer(pack(file), pack(piece)) as desk:
        board = Board(lambda _: StudGame())
        routes = cockpit_routes(desk, HostToken("x"), board)
        sock = await listen(PagePlace(HOST, 0), print)
        async with serve_board(board, sock, lambda *_: None, routes):
            page = HostPage(sock.getsockname()[1], "x")
            await page.log_in()
            with pytest.raises(h11.RemoteProtocolError):
                await page.post("/host/files", {"file": "journal"})


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (pack({"type": "refused", "reason": "come back later"}), "refuses this page: come back later"),
        (b"\0\0\0\1x", "is no dealer of this version"),
        (b"", "did not answer; whether it did what was asked is not known"),
    ],
)
async def test_whatever_else_answers_is_named(said: bytes, words: str) -> None:
    async with foreign_dealer(said) as desk:
        with pytest.raises(StreamError, match=words):
            await desk.obey(Order("pause"))

"""A page that follows a dealer over its stream: what it is told, refused, and may order at the desk."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import h11
import pytest
import trio
from trio.testing import MockClock

from dealer.desk.desk import open_desk
from dealer.desk.desk import open_desk as open_dealer_desk
from dealer.desk.orders import Order, Wanted
from dealer.desk.token import HostToken
from dealer.desk.view import DeskView
from dealer.errors import BadOrderError, StreamError
from dealer.feed import host, page_stream
from dealer.feed import port as feed_port
from dealer.feed.port import open_feed
from dealer.feed.subscriber import pack
from dealer.feed.told import MisdirectedProgram, Opened
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal, open_journal
from dealer.lobby.failed_logins import RefusalKind
from dealer.settings import Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.web.admin.host_routes import LOOK_SECONDS, cockpit_routes
from dealer.web.admin.stream_desk import MISDIRECTED, Found, StreamDesk, open_stream_desk
from dealer.web.board import Board
from dealer.web.link import MESSAGE_BYTES, DealerLink, Place, game_of
from dealer.web.serving import PagePlace, listen, serve_board
from protocol.games.stud import StudGame
from tests.dealer.support.desks import DeskRig, until
from tests.dealer.support.feeds import FeedRig, open_feed_rig
from tests.dealer.support.host_pages import HostPage, told
from tests.dealer.support.http_routes import serve_routes
from tests.dealer.support.recorded import clients_by_chance
from tests.dealer.support.rig import HOST, SEED, by_chance, call, good_clients, open_rig
from tests.dealer.support.stage import NearBoard
from tests.dealer.web.test_page_secrets import parts

SETTINGS = Settings(SEED, StudGame(), hands=20)


@dataclass
class LinkedPage:
    """A page that follows, and what its user was told."""

    link: DealerLink
    board: Board
    said: list[str] = field(default_factory=list)

    def seen(self) -> dict[str, Any]:
        """What a viewer is shown who comes now."""
        with self.board.watched(None, HOST):
            return parts(self.board.since(0, None))

    async def until(self, part: str, name: str, wanted: Any) -> dict[str, Any]:
        """Wait until a viewer sees a fact; all that it sees."""
        while (seen := self.seen()).get(part, {}).get(name) != wanted:
            await trio.sleep(0.1)
        return seen

    @asynccontextmanager
    async def following(self) -> AsyncIterator[None]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.link.follow, await self.link.connect())
            yield
            nursery.cancel_scope.cancel()


def page_for(port: int, token: str) -> LinkedPage:
    said: list[str] = []
    board = Board(game_of)
    return LinkedPage(DealerLink(Place(HOST, port), token, board, said.append), board, said)


def token_of(dealer: FeedRig) -> str:
    assert dealer.desk is not None
    return dealer.desk.token.text


async def test_page_shows_lobby_play_and_end(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer:
        page = page_for(dealer.port, token_of(dealer))
        async with page.following():
            assert (await page.until("scene", "phase", "lobby"))["lobby"] == {"startsIn": None}
            await dealer.rig.admit(*good_clients(3, by_chance(1)))
            await page.until("scene", "players", ["Good 1", "Good 2", "Good 3"])
            tournament = dealer.begin()
            await tournament.run()
            seen = await page.until("scene", "phase", "over")
    assert seen["curves"]["hands"][0] == 0
    assert seen["table"]["over"]
    assert len(seen["board"]["rows"]) == 3
    assert seen["board"]["honours"]["pot"] is not None


async def test_page_that_comes_again_knows_all_from_the_first_hand(tcp_clock: MockClock) -> None:
    """As one does that was killed: the table as it stands, and the curves from the beginning."""
    async with open_feed_rig(SETTINGS, desk=True) as dealer, trio.open_nursery() as nursery:
        await dealer.rig.admit(*good_clients(3, by_chance(1)))
        tournament = dealer.begin()
        tournament.begin_with = lambda: tournament.set_pace(2.5)
        nursery.start_soon(tournament.run)
        for hands in (2, 4):
            while tournament.hands_finished < hands:
                await trio.sleep(0.1)
            page = page_for(dealer.port, token_of(dealer))
            async with page.following():
                seen = await page.until("table", "hand", tournament.hand_number)
                assert seen["curves"]["hands"][0] == 0
                assert seen["curves"]["hands"][-1] >= hands
        assert not page.said
        nursery.cancel_scope.cancel()


async def test_public_events_before_the_state_are_not_for_the_page(tcp_clock: MockClock) -> None:
    """A program is told what all are told until its token is taken, and states for others may delay that."""
    async with open_feed_rig(SETTINGS, desk=True) as dealer, trio.open_nursery() as nursery:
        await dealer.rig.admit(*good_clients(3, by_chance(1)))
        tournament = dealer.begin()
        tournament.begin_with = lambda: tournament.set_pace(1.5)
        nursery.start_soon(tournament.run)
        while tournament.hands_finished < 1:
            await trio.sleep(0.1)
        dealer.feed._host_turns._next = trio.current_time() + 5
        page = page_for(dealer.port, token_of(dealer))
        async with page.following():
            seen = await page.until("scene", "phase", "play")
            assert seen["table"]["hand"] == tournament.hand_number
        nursery.cancel_scope.cancel()


async def test_late_page_knows_the_honours_of_the_whole_tournament(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, trio.open_nursery() as nursery:
        here = NearBoard(dealer.scene)
        await dealer.rig.admit(*good_clients(3, by_chance(1)))
        tournament = dealer.begin()
        tournament.begin_with = lambda: tournament.set_pace(1.5)
        nursery.start_soon(tournament.run)
        page = page_for(dealer.port, token_of(dealer))
        async with page.following():
            await page.until("scene", "phase", "play")
            here.look()
            while tournament.hands_finished < 16:
                await trio.sleep(0.1)
        page = page_for(dealer.port, token_of(dealer))
        async with page.following():
            seen = await page.until("scene", "phase", "over")
        with here.watched(None, HOST):
            told = parts(here.since(0, None))
        assert seen["board"]["honours"] == told["board"]["honours"]
        assert told["board"]["honours"]["pot"][2] < 16, "the seed is to give the largest pot before the page comes"


async def test_page_stays_when_its_token_is_not_taken_any_more(tcp_clock: MockClock) -> None:
    """As that of a dealer that was started again."""
    async with open_feed_rig(SETTINGS, desk=True) as dealer:
        page = page_for(dealer.port, token_of(dealer))
        async with page.following():
            await page.until("scene", "phase", "lobby")
            page.link._token = "that of the dealer before"
            for subscriber in dealer.feed.pages.pages:
                subscriber.close()
            while len(page.said) < 2:
                await trio.sleep(0.1)
            assert page.seen()["scene"]["phase"] == "lobby"
            await trio.sleep(200)
            assert len(page.said) == 2, "the same refusal is said once"
    assert "is gone; the page shows what it told last" in page.said[0]
    assert "refuses the page: this is not the token" in page.said[1]


async def test_dealer_that_says_nothing_is_given_up(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, lambda _: trio.sleep_forever(), 0, host=HOST))
        assert "ends without a word of a dealer" in await refusal(listener.socket.getsockname()[1])
        nursery.cancel_scope.cancel()


async def refusal(port: int, token: str = "x") -> str:
    page = page_for(port, token)
    with pytest.RaisesGroup(StreamError, flatten_subgroups=True) as error:
        async with page.following():
            await trio.sleep_forever()
    return str(error.value.exceptions[0])


async def test_wrong_token_is_refused(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer:
        assert "this is not the token that the dealer's terminal shows" in await refusal(dealer.port)


async def test_dealer_without_a_desk_refuses_pages(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS) as dealer:
        assert "the dealer was started without --desk" in await refusal(dealer.port)


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n" * 100, "is no dealer"),
        (pack({"type": "figures", "rows": 1}), "is no dealer of this version"),
        ((MESSAGE_BYTES + 1).to_bytes(4, "big"), "it says that a message has 16777217 bytes"),
    ],
)
async def test_whatever_else_is_there_is_named(sent: bytes, words: str) -> None:
    async def speak(stream: trio.SocketStream) -> None:
        await stream.send_all(sent)
        await trio.sleep_forever()

    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, speak, 0, host=HOST))
        assert words in await refusal(listener.socket.getsockname()[1])
        nursery.cancel_scope.cancel()


async def test_nobody_there_is_told() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host=HOST)
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    with pytest.raises(StreamError, match=rf"^there is no dealer at 127.0.0.1:{port}: "):
        await page_for(port, "x").link.connect()


def test_game_that_is_not_installed_is_told() -> None:
    with pytest.raises(StreamError, match="plays a game that this machine does not know: there is no game 'canasta'"):
        game_of(Opened("canasta", {}, False, False))


async def test_page_shows_the_next_tournament_of_its_dealer(tcp_clock: MockClock) -> None:
    """The stream stays open between two tournaments, at the podium, too."""
    async with open_feed_rig(SETTINGS, desk=True, telling=False) as dealer:
        page = page_for(dealer.port, token_of(dealer))
        async with page.following():
            async with dealer.feed.telling(dealer.rig.journal):
                await dealer.rig.admit(*good_clients(2))
                await dealer.begin().run()
            await page.until("scene", "phase", "over")
            async with dealer.next_tournament(NewTournament(SETTINGS, 9)):
                seen = await page.until("scene", "capacity", 9)
                assert seen["scene"]["phase"] == "lobby"
    assert not page.said


async def test_page_finds_its_dealer_again(tcp_clock: MockClock) -> None:
    """After a lost connection, for one: what it was told last stays until then."""
    async with open_rig(SETTINGS) as rig:
        scene = Scene(rig.opening, journal=Journal(None))
        async with open_desk(scene, None) as desk, trio.open_nursery() as nursery:
            async with open_feed(scene, HOST, 0, desk) as (_, port, _):
                assert port is not None
                page = page_for(port, desk.token.text)
                nursery.start_soon(page.link.follow, await page.link.connect())
                await page.until("scene", "phase", "lobby")
            while not page.said:
                await trio.sleep(0.1)
            assert page.seen()["scene"]["phase"] == "lobby"
            async with open_feed(scene, HOST, port, desk):
                while len(page.said) < 2:
                    await trio.sleep(0.1)
                await rig.admit(*good_clients(2))
                await page.until("scene", "players", ["Good 1", "Good 2"])
                nursery.cancel_scope.cancel()
    assert [words.split(";")[0].rsplit(maxsplit=1)[-1] for words in page.said] == ["gone", "again."]


async def test_page_that_reads_too_slowly_gets_the_state(monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock) -> None:
    monkeypatch.setattr(page_stream, "ROOM_BYTES", 20_000)
    monkeypatch.setattr(feed_port, "SYSTEM_BYTES", 8192)
    async with open_feed_rig(Settings(SEED, StudGame(stack=5000), hands=400), desk=True) as dealer:
        page = page_for(dealer.port, token_of(dealer))
        stream = await page.link.connect()
        await dealer.rig.admit(*good_clients(3, by_chance(1)))
        tournament = dealer.begin()
        await tournament.run()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(page.link.follow, stream)
            seen = await page.until("scene", "phase", "over")
            nursery.cancel_scope.cancel()
    assert seen["curves"]["hands"][-1] == tournament.hands_finished
    assert seen["table"]["over"]


# The desk of a dealer that is reached over its stream: files, a dealer that is gone, and how often it is asked.

DESK_SETTINGS = Settings(SEED, StudGame(500), hands=30)
SHOW = {"command": "show"}


@dataclass
class Cockpit:
    """What ``casino page`` serves for the host of a dealer that can go and come again."""

    desk: DeskRig
    page: HostPage
    open_feed: Callable[[], Any]


@asynccontextmanager
async def open_cockpit() -> AsyncIterator[Cockpit]:
    async with open_rig(DESK_SETTINGS) as rig:
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
        open_feed_rig(DESK_SETTINGS, journal, desk=True) as dealer,
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
        open_feed_rig(DESK_SETTINGS, journal, desk=True) as dealer,
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
    async with open_feed_rig(DESK_SETTINGS, desk=True) as dealer, stream_desk(dealer) as desk:
        for order in (Order("pace", seconds=10**400), Order("readmit", player="\ud800")):
            with pytest.raises(BadOrderError, match="this cannot be sent to the dealer"):
                await desk.obey(order)
        assert "said" in await desk.obey(Order("pause"))


async def test_programs_at_the_page_are_told_to_the_dealers_host(tcp_clock: MockClock) -> None:
    async with open_feed_rig(DESK_SETTINGS, desk=True) as dealer, stream_desk(dealer) as desk:
        for number in range(MISDIRECTED + 5):  # of a flood as many as there is room for
            desk.note(
                MisdirectedProgram(f"10.0.0.{number}:5000", 8080, RefusalKind.WRONG_PORT, "go away", b"\0\x07ks:S")
            )
        failed = dealer.rig.lobby.failed_logins
        await until(lambda: len(failed.latest) == MISDIRECTED)
        first = failed.latest[0]
        assert (first.address, first.port, first.kind, first.id) == ("10.0.0.0:5000", 8080, "wrong port", "ks")


async def test_a_host_that_tells_nonsense_of_a_program_is_answered(tcp_clock: MockClock) -> None:
    async with open_feed_rig(DESK_SETTINGS, desk=True) as dealer, dealer.host() as reader:
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

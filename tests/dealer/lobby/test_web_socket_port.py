"""The port for programs that speak WebSocket, over real sockets: play, and every mistake."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock
from wsproto.events import BytesMessage, CloseConnection, Ping, TextMessage

from dealer.net.limits import USUAL, Limits
from dealer.net.ports import FRAMES, LINES, WEB_SOCKET, directions
from dealer.settings import Settings
from protocol.games.stud import StudGame
from protocol.wire.codec import encode
from protocol.wire.framing import LineFraming, UtfFraming
from protocol.wire.messages import Done, Name
from protocol.wire.web_socket import is_near
from protocol.wire.wrong_port import Speech
from tests.bad_bots.peer import Peer
from tests.dealer.support.rig import SEED, Client, Rig, call, open_rig
from tests.dealer.support.web_peer import WebPeer, web_peer

SETTINGS = Settings(SEED, StudGame(), hands=5)

UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: dealer\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def opened(
    settings: Settings = SETTINGS, limits: Limits = USUAL, capacity: int = 9
) -> AbstractAsyncContextManager[Rig]:
    return open_rig(settings, limits=limits, capacity=capacity, kind=WEB_SOCKET)


async def in_lobby(rig: Rig, count: int) -> None:
    while len(rig.lobby.players) != count:
        await rig.lobby.changed()


async def played(settings: Settings, mistake: Callable[[WebPeer], Awaitable[None]]) -> tuple[list[str], WebPeer]:
    """The faults of a program that does something else at its first question, and its end."""
    async with opened(settings) as rig:
        one, other = await web_peer(rig), await web_peer(rig)
        await one.log_in("one:One")
        await in_lobby(rig, 1)
        await other.log_in("other:Other")
        await in_lobby(rig, 2)
        tournament = rig.begin()

        async def play_wrongly() -> None:
            assert await one.hear_question() is not None
            await mistake(one)
            await one.play_out()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            nursery.start_soon(other.play_out)
            nursery.start_soon(play_wrongly)
        assert not tournament.players[1].faults
        return [f"{fault.kind.value}: {fault.reason}" for fault in tournament.players[0].faults], one


async def test_programs_play_to_the_end(tcp_clock: MockClock) -> None:
    faults, peer = await played(SETTINGS, lambda peer: peer.say("fold"))
    assert faults == []
    assert (peer.heard[0], peer.code) == ("login", 1000)
    assert peer.heard[-1].startswith("done:the tournament is over; you are number ")


async def in_parts(peer: WebPeer) -> None:
    """A message in three frames, with a ping between them; the bytes come one by one."""
    parts = [
        TextMessage("fo", message_finished=False),
        TextMessage("", message_finished=False),
        Ping(b"are you there"),
        TextMessage("ld"),
    ]
    for byte in b"".join(peer.socket.send(part) for part in parts):
        await peer.stream.send_all(bytes([byte]))


async def test_parts_of_messages_and_pings_between_them(tcp_clock: MockClock) -> None:
    faults, peer = await played(SETTINGS, in_parts)
    assert faults == []
    assert peer.pongs == [b"are you there"]


async def test_ping_is_answered_in_the_lobby(tcp_clock: MockClock) -> None:
    async with opened() as rig:
        peer = await web_peer(rig)
        await peer.log_in("one:One")
        await in_lobby(rig, 1)
        await peer.send(Ping(b"x"))
        with trio.move_on_after(0.5):
            await peer.hear()
        assert peer.pongs == [b"x"]
        assert len(rig.lobby.players) == 1


def unmasked(opcode: int, body: bytes) -> bytes:
    return bytes([0x80 | opcode, len(body)]) + body


def masked(opcode: int, body: bytes) -> bytes:
    return bytes([0x80 | opcode, 0x80 | len(body)]) + bytes(4) + body


@pytest.mark.parametrize(
    ("mistake", "fault", "code"),
    [
        (BytesMessage(b"fold"), "malformed: a binary message came; send each reply as text", 1000),
        (TextMessage("fold\n"), "malformed: ", 1000),
        (TextMessage("x" * 600), "oversized: a message of more than the 512 bytes accepted", 1009),
        (TextMessage("x" * 600, message_finished=False), "oversized: a message of more than the 512 bytes", 1009),
        (masked(1, b"\xff"), "malformed: this is no WebSocket: ", 1007),
        (unmasked(1, b"fold"), "malformed: this is no WebSocket: ", 1002),
        (masked(3, b"fold"), "malformed: this is no WebSocket: ", 1002),
        (b"fold\n", "malformed: this is no WebSocket: ", 1002),
        (CloseConnection(1001), "gone: the program closed the connection", 1001),
        (CloseConnection(1000, "a reason"), "gone: the program closed the connection", 1000),
    ],
    ids=["binary", "newline", "large", "large part", "utf", "unmasked", "opcode", "line", "close", "reason"],
)
async def test_mistake_is_a_fault(mistake: object, fault: str, code: int, tcp_clock: MockClock) -> None:
    async def send(peer: WebPeer) -> None:
        await (peer.stream.send_all(mistake) if isinstance(mistake, bytes) else peer.send(mistake))

    faults, peer = await played(SETTINGS, send)
    (told,) = faults
    assert told.startswith(fault)
    assert peer.code == code
    if not isinstance(mistake, CloseConnection):
        done = encode(Done(f"you are out: {told.partition(': ')[2]}"))
        assert peer.heard[-1] == done


async def test_binary_message_costs_one_life(tcp_clock: MockClock) -> None:
    faults, peer = await played(replace(SETTINGS, lives=2), lambda peer: peer.send(BytesMessage(b"fold")))
    assert len(faults) == 1
    assert peer.heard[-1].startswith("done:the tournament is over")


async def test_part_of_a_message_that_nobody_asked_for_is_unasked(tcp_clock: MockClock) -> None:
    async def send(peer: WebPeer) -> None:
        await peer.send(TextMessage("fold"), TextMessage("fo", message_finished=False))

    faults, _ = await played(SETTINGS, send)
    assert [fault.partition(":")[0] for fault in faults] == ["unasked"]


async def test_pings_without_end_are_a_flood(tcp_clock: MockClock) -> None:
    async def send(peer: WebPeer) -> None:
        await peer.stream.send_all(masked(9, b"") * (USUAL.frames_per_second + 1))

    faults, _ = await played(SETTINGS, send)
    assert [fault.partition(":")[0] for fault in faults] == ["flood"]


async def test_reply_before_the_end_counts(tcp_clock: MockClock) -> None:
    """The next question finds nobody, at once."""

    async def send(peer: WebPeer) -> None:
        await peer.send(TextMessage("fold"), CloseConnection(1001))

    faults, peer = await played(SETTINGS, send)
    assert faults == ["gone: the program closed the connection"]
    assert peer.code == 1001


async def test_half_closed_connection_is_a_lost_one(tcp_clock: MockClock) -> None:
    faults, peer = await played(SETTINGS, lambda peer: peer.stream.send_eof())
    assert faults == ["gone: the program closed the connection"]
    assert peer.heard[-1].endswith("the program closed the connection")


async def test_program_that_says_nothing_more_is_late(tcp_clock: MockClock) -> None:
    async def stay_silent(peer: WebPeer) -> None:
        await peer.hear_out()

    faults, _ = await played(SETTINGS, stay_silent)
    assert [fault.partition(":")[0] for fault in faults] == ["late"]


async def test_program_that_closes_leaves_the_lobby_and_may_come_again(tcp_clock: MockClock) -> None:
    async with opened() as rig:
        for _ in range(2):
            peer = await web_peer(rig)
            await peer.log_in("one:One")
            await in_lobby(rig, 1)
            await peer.send(CloseConnection(1001))
            await peer.hear_out()
            assert peer.code == 1001
            await in_lobby(rig, 0)


async def test_program_comes_back_after_it_has_closed(tcp_clock: MockClock) -> None:
    async with opened(replace(SETTINGS, rejoin=50.0)) as rig:
        one, other = await web_peer(rig), await web_peer(rig)
        await one.log_in("one:One")
        await in_lobby(rig, 1)
        await other.log_in("other:Other")
        await in_lobby(rig, 2)
        tournament = rig.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            nursery.start_soon(other.play_out)
            await one.hear_question()
            await one.send(CloseConnection(1001))
            await one.hear_out()
            again = await web_peer(rig)
            await again.log_in("one:One")
            await again.play_out()
    assert again.heard[-1].startswith("done:the tournament is over")


@pytest.mark.parametrize("said", [b"", b"ks:Steph\n", b"k", b"\0\x08ks:Steph", b"\x16\x03\x01\x02"])
async def test_program_that_speaks_no_http_is_told(said: bytes, tcp_clock: MockClock) -> None:
    """In both framings, since nobody knows which one it reads."""
    async with opened() as rig:
        for framing in (LineFraming(), UtfFraming()):
            async with await rig.connect() as stream:
                peer = Peer(stream, framing)
                if said:
                    await peer.send(said)
                await peer.hear_out()
                assert "this port expects WebSocket" in (peer.heard[-1] if peer.heard else "")
        assert {failed.kind for failed in rig.lobby.failed_logins.latest} == {"wrong port" if said else "late"}


async def test_program_of_the_acpc_is_told_in_a_comment(tcp_clock: MockClock) -> None:
    async with opened() as rig:
        async with await rig.connect() as stream:
            peer = Peer(stream, LineFraming())
            await peer.send(b"VERSION:2.0.0\r\n")
            await peer.hear_out()
    assert peer.heard[-1] == "# this port expects WebSocket, and the text of the ACPC came"


@pytest.mark.parametrize(
    ("sent", "status", "told"),
    [
        (b"GET / HTTP/1.1\r\nHost: dealer\r\n\r\n", b"400", "Missing header, 'Connection: Upgrade'"),
        (UPGRADE.replace(b"GET", b"POST"), b"400", "Request method must be GET"),
        (UPGRADE.replace(b": 13", b": 8"), b"426", "Missing header, 'Sec-WebSocket-Version'"),
        (UPGRADE.replace(b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", b""), b"400", "'Sec-WebSocket-Key'"),
        (UPGRADE.replace(b"Upgrade: websocket", b"Upgrade: h2c"), b"400", "'Upgrade: websocket'"),
        (UPGRADE.replace(b"HTTP/1.1", b"HTTP/x"), b"400", "Bad HTTP message"),
        (UPGRADE.replace(b"dealer", b"\xff\xfe"), b"400", "no request for WebSocket"),
        (UPGRADE.replace(b"Connection: Upgrade", b"Connection: \xff"), b"400", "no request for WebSocket"),
        (UPGRADE.replace(b"Host: dealer\r\n", b""), b"400", "no request for WebSocket"),
        (UPGRADE[:-4] + b"\r\nCookie: " + b"x" * 20_000, b"503", "a request of more than the 16384 bytes accepted"),
        (UPGRADE[:-2], b"503", "no complete reply came in 1."),
        (b"GET", b"503", "no complete reply came in 1."),
    ],
)
async def test_wrong_request_is_answered_by_http(sent: bytes, status: bytes, told: str, tcp_clock: MockClock) -> None:
    async with opened() as rig:
        async with await rig.connect() as stream:
            await stream.send_all(sent)
            answer = b""
            while data := await stream.receive_some():
                answer += data
        head, _, body = answer.partition(b"\r\n\r\n")
        if sent == b"GET":  # perhaps the beginning of a line
            assert b"this port expects WebSocket" in answer
        else:
            assert head.startswith(b"HTTP/1.1 " + status)
            assert told.replace(":", ";") in body.decode()
            if status == b"426":
                assert b"Sec-WebSocket-Version: 13" in head
        (failed,) = rig.lobby.failed_logins.latest
        assert told in failed.reason or failed.kind == "wrong port"
        assert not rig.lobby.players


async def test_frames_behind_the_request_are_not_lost(tcp_clock: MockClock) -> None:
    """A login that was not asked for is unasked, as at every port, and not swallowed."""
    async with opened() as rig:
        async with await rig.connect() as stream:
            await stream.send_all(UPGRADE + masked(1, b"ks:Steph"))
            answer = b""
            while data := await stream.receive_some():
                answer += data
        assert answer.startswith(b"HTTP/1.1 101")
        assert b"done:a reply came although nothing was asked" in answer


async def test_login_is_due_in_time(tcp_clock: MockClock) -> None:
    async with opened(limits=replace(USUAL, login_limit=3.0)) as rig:
        peer, came = await web_peer(rig), trio.current_time()
        await peer.upgrade()
        await peer.hear_out()
        assert peer.heard[-1].startswith("done:no complete reply to log-in came in 3.")
        assert 3.0 <= trio.current_time() - came < 4.0


async def test_refused_login_is_told_and_its_secret_not_kept(tcp_clock: MockClock) -> None:
    async with opened(replace(SETTINGS, secrets=True)) as rig:
        for login, told in (("one:One:first", None), ("one:One:other", "is already seated"), (":", "")):
            peer = await web_peer(rig)
            await peer.upgrade()
            assert (await peer.hear() or "").startswith("login")
            await peer.say(login)
            if told is None:
                await in_lobby(rig, 1)
            else:
                await peer.hear_out()
                assert told in peer.heard[-1]
        first, second = rig.lobby.failed_logins.latest
        assert (first.kind, first.id, first.sent) == ("duplicate", "one", b"one:...")
        assert (second.kind, second.sent) == ("malformed", b":")


async def test_full_lobby_is_told_in_a_message(tcp_clock: MockClock) -> None:
    async with opened(capacity=1) as rig:
        await (await web_peer(rig)).log_in("one:One")
        await in_lobby(rig, 1)
        peer = await web_peer(rig)
        await peer.upgrade()
        await peer.hear_out()
        assert peer.heard == ["done:all 1 seats are taken; come back for the next tournament"]


async def test_connection_too_many_is_told_by_http(tcp_clock: MockClock) -> None:
    async with opened(limits=replace(USUAL, per_address=1)) as rig:
        await (await web_peer(rig)).log_in("one:One")
        await in_lobby(rig, 1)
        async with await rig.connect() as stream:
            answer = await stream.receive_some()
        assert answer.startswith(b"HTTP/1.1 503")
        assert b"your address has 1 connections open, as many as it may" in answer


@pytest.mark.parametrize(
    ("origin", "near"),
    [
        ("http://localhost:8000", True),
        ("http://127.0.0.1", True),
        ("http://[::1]:80", True),
        ("https://192.168.1.20:8080", True),
        ("file://", False),
        ("null", False),
        ("", False),
        ("http://8.8.8.8", False),
        ("http://[::ffff:8.8.8.8]", False),
        ("http://localhost.example.org", False),
        ("https://192.168.1.20.example.org", False),
        ("http://[", False),
    ],
)
def test_page_of_the_internet_is_not_near(origin: str, near: bool) -> None:
    assert is_near(origin) == near


@pytest.mark.parametrize("origins", [["null"], ["https://example.org"], ["http://localhost", "https://example.org"]])
async def test_page_of_the_internet_may_not_play(origins: list[str], tcp_clock: MockClock) -> None:
    async with opened() as rig:
        peer = await web_peer(rig)
        await peer.upgrade(origins)
        await peer.hear_out()
        place = "an unknown place, such as a file," if origins == ["null"] else "example.org"
        told = f"a page of {place} may not play here"
        assert (peer.heard[-1].startswith(f"done:{told}"), peer.code) == (True, 1008)
        (failed,) = rig.lobby.failed_logins.latest
        assert failed.reason.startswith(told)


async def test_page_of_this_machine_may_play(tcp_clock: MockClock) -> None:
    async with opened() as rig:
        peer = await web_peer(rig)
        await peer.upgrade(["http://localhost:8000"])
        assert await peer.hear() == "login"


async def test_program_of_frames_sits_beside_one_of_web_socket(tcp_clock: MockClock) -> None:
    """Both are asked and told the same, each in its own way."""
    async with opened() as rig:
        peer, client = await web_peer(rig), Client(Name("text", "Text"), call)
        await peer.log_in("one:One")
        await in_lobby(rig, 1)
        tcp = await open_frames(rig, client)
        await in_lobby(rig, 2)
        tournament = rig.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            nursery.start_soon(peer.play_out)
        assert not any(player.faults for player in tournament.players)
        assert len(client.statuses) == len([text for text in peer.heard if text.startswith("status")])
        await tcp.aclose()


async def open_frames(rig: Rig, client: Client) -> trio.SocketStream:
    """Let a program in at a port for frames of the same lobby."""
    from dealer.lobby.listener import accept_players, open_listener  # noqa: PLC0415

    listener = await open_listener("127.0.0.1", 0, SETTINGS.limit, FRAMES)
    rig.nursery.start_soon(accept_players, listener, rig.lobby, rig.watchdog)
    stream = await trio.open_tcp_stream("127.0.0.1", listener.port)
    rig.nursery.start_soon(client.play, stream)
    return stream


@pytest.mark.parametrize(
    ("here", "spoken", "told"),
    [
        (FRAMES, Speech.HTTP, "programs that speak WebSocket connect to port 4003"),
        (FRAMES, Speech.LINES, "programs that send lines of text connect to port 4001"),
        (FRAMES, None, "programs that send lines of text connect to port 4001"),
        (WEB_SOCKET, Speech.FRAMES, "programs that use frames of writeUTF connect to port 4000"),
        (
            WEB_SOCKET,
            None,
            "programs that use frames of writeUTF connect to port 4000, programs that send lines of text to port 4001",
        ),
    ],
)
def test_directions(here: object, spoken: Speech | None, told: str) -> None:
    numbers = {FRAMES.name: 4000, LINES.name: 4001, WEB_SOCKET.name: 4003}
    kind = FRAMES if here is FRAMES else WEB_SOCKET
    assert directions(numbers, "stud", kind, spoken) == f"; {told}"

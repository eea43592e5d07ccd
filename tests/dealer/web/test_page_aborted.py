"""Browsers that abort a request: the place of their connection is free at once, whatever they had sent."""

import socket

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from dealer.net.limits import Limits
from dealer.settings import Settings
from dealer.web import page_server
from dealer.web.http_connection import PacedStream
from dealer.web.work_budget import REQUEST, WorkBudget
from protocol.games.stud import StudGame
from tests.dealer.support.rig import HOST, SEED
from tests.dealer.support.stage import GET, open_stage, served

SETTINGS = Settings(SEED, StudGame(), hands=20, table_size=3)
NEVER = 10.0**6

#: Bytes that no pair of sockets takes before they are read.
MORE_THAN_A_SOCKET_HOLDS = 10_000_000

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


async def _turn_when_idle(_: WorkBudget, address: str, seconds: float) -> None:
    """Answer a request only when all that was sent with it has been read, as on a busy dealer."""
    if seconds == REQUEST:
        await wait_all_tasks_blocked()


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize("sent", ABORTED.values(), ids=ABORTED.keys())
async def test_place_of_an_aborted_request_is_free_at_once(
    sent: bytes, reset: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_server, "FROM_HERE", Limits(connections=1, per_address=1))
    monkeypatch.setattr(page_server, "IDLE_SECONDS", NEVER)
    monkeypatch.setattr(page_server, "SILENT_SECONDS", NEVER)
    monkeypatch.setattr(WorkBudget, "turn", _turn_when_idle)
    async with open_stage(SETTINGS) as stage:
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


async def test_nothing_is_sent_after_another_task_has_ended_the_connection() -> None:
    ours, peer = socket.socketpair()
    with peer:
        stream = PacedStream(ours, HOST, WorkBudget())
        await stream.send_eof()
        with pytest.raises(trio.ClosedResourceError):
            await stream.send_all(b"late")
        await stream.aclose()


async def test_sending_to_a_peer_that_does_not_read_ends_with_the_connection() -> None:
    ours, peer = socket.socketpair()
    with peer:
        stream = PacedStream(ours, HOST, WorkBudget())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_sending_fails, stream)
            await wait_all_tasks_blocked()
            await stream.send_eof()
            await stream.aclose()


async def _sending_fails(stream: PacedStream) -> None:
    with pytest.raises(trio.ClosedResourceError):
        await stream.send_all(bytes(MORE_THAN_A_SOCKET_HOLDS))


async def test_all_bytes_come_although_the_peer_reads_slowly() -> None:
    ours, peer = socket.socketpair()
    stream, sent = PacedStream(ours, HOST, WorkBudget()), b"0123456789" * (MORE_THAN_A_SOCKET_HOLDS // 10)
    async with trio.SocketStream(trio.socket.from_stdlib_socket(peer)) as reader, trio.open_nursery() as nursery:
        nursery.start_soon(stream.send_all, sent)
        await wait_all_tasks_blocked()
        came = b""
        while len(came) < len(sent):
            came += await reader.receive_some(1 << 20)
        assert came == sent
    await stream.aclose()


async def test_sending_lets_no_other_task_run_where_nothing_is_to_be_waited_for() -> None:
    """A person would hear of the dealer only after the hands of all tables had gone on."""
    ran = trio.Event()

    async def other() -> None:
        ran.set()

    ours, peer = socket.socketpair()
    with peer:
        stream = PacedStream(ours, HOST, WorkBudget())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(other)
            await stream.send_all(b"now")
            assert not ran.is_set()
        assert peer.recv(8) == b"now"
        await stream.aclose()

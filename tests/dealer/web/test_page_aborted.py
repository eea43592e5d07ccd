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


async def test_nothing_is_sent_while_another_task_ends_the_connection() -> None:
    """Else trio raises an error that is meant for mistakes, and the page logs a traceback."""
    for _ in range(20):  # trio runs the two tasks in any order
        ours, peer = socket.socketpair()
        with peer:
            async with (
                trio.SocketStream(trio.socket.from_stdlib_socket(ours)) as stream,
                trio.open_nursery() as nursery,
            ):
                paced = PacedStream(stream, HOST, WorkBudget())
                nursery.start_soon(paced.send_eof)
                while not paced._ended:
                    await trio.lowlevel.checkpoint()
                with pytest.raises(trio.ClosedResourceError):
                    await paced.send_all(b"late")

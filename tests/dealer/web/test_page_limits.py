"""What strangers at the page's port cannot take: connections beyond the limits, HTTP/2, and the time of the tables."""

import socket
from collections import Counter
from contextlib import AsyncExitStack, suppress

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from dealer.net.limits import FEWEST_DESCRIPTORS, Limits, descriptors_for, fit_descriptors
from dealer.settings import Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.web import page_server
from dealer.web.misdirected import Misdirected
from dealer.web.page_server import CONNECTIONS, PageServer
from dealer.web.serving import RECEIVE_BYTES
from dealer.web.work_budget import (
    LATE_SECONDS,
    LEAST,
    MOST,
    MOST_FOR_ONE,
    PAUSE_SECONDS,
    REQUEST,
    SAVED_SECONDS,
    WorkBudget,
)
from protocol.games.stud import StudGame
from tests.dealer.support.rig import HOST, SEED
from tests.dealer.support.stage import GET, fetch, open_stage, served
from tests.drills.page_attackers import PREFACE, UPGRADE

SETTINGS = Settings(SEED, StudGame(), hands=20, table_size=3)
#: Connections of a flood that wait at the same time.
FLOODERS = 100
PAGE = "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"


async def test_http2_without_asking_is_refused() -> None:
    async with open_stage(SETTINGS) as stage:
        answer = await fetch(stage.port, PREFACE[:24].decode())
        assert answer.startswith(b"HTTP/1.1 505 ")
        assert answer.endswith(b"this page speaks HTTP/1.1 only\n")


async def test_upgrade_to_http2_is_ignored() -> None:
    head, _, _ = UPGRADE.partition(PREFACE)
    async with open_stage(SETTINGS) as stage:
        stream = await trio.open_tcp_stream(HOST, stage.port)
        async with stream:
            await stream.send_all(head)
            assert (await stream.receive_some()).startswith(b"HTTP/1.1 200 ")


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

        few = PageServer(app, Misdirected(Scene(NewTournament(SETTINGS, 2))), CONNECTIONS // 4)
        return few._here.limits.connections, few._elsewhere.limits.connections

    assert sum(trio.run(make)) <= CONNECTIONS // 4


async def worked(
    budget: WorkBudget, clock: MockClock, seconds: float, late: float = 0.0, viewers: int = 1
) -> Counter[str]:
    """How many requests of a flood from one address, and of so many honest viewers, got their turn in some seconds."""
    done = Counter[str]()

    async def ask(address: str) -> None:
        while True:
            await budget.turn(address, REQUEST)
            done[address] += 1
            clock.jump(late)
            await trio.lowlevel.checkpoint()

    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(budget.give_turns)
            for _ in range(100):
                nursery.start_soon(ask, "flood")
            for number in range(viewers):
                nursery.start_soon(ask, f"viewer {number}")
    return done


@pytest.mark.parametrize("viewers", [0, 1, 9])
async def test_page_works_for_a_part_of_the_time_that_depends_on_addresses(
    viewers: int, jumping_clock: MockClock
) -> None:
    done = await worked(WorkBudget(), jumping_clock, 10.0, viewers=viewers)
    share = min(MOST, MOST_FOR_ONE * (1 + viewers))
    assert sum(done.values()) * REQUEST == pytest.approx(10.0 * share + SAVED_SECONDS, rel=0.05)
    assert all(done[f"viewer {number}"] >= 0.6 / (1 + viewers) * sum(done.values()) for number in range(viewers))


async def test_viewer_is_served_before_most_of_a_flood_from_another_address(tcp_clock: MockClock) -> None:
    served_to_flood, flooding = 0, trio.Event()

    async def flood(port: int) -> None:
        nonlocal served_to_flood
        async with await trio.open_tcp_stream(HOST, port) as stream:
            await stream.send_all(GET)
            assert await stream.receive_some(12) == b"HTTP/1.1 200"
            served_to_flood += 1
            flooding.set()
            await trio.sleep_forever()

    async with open_stage(SETTINGS) as stage, trio.open_nursery() as nursery:
        for _ in range(FLOODERS):
            nursery.start_soon(flood, stage.port)
        await flooding.wait()
        async with await trio.open_tcp_stream(HOST, stage.port, local_address="127.0.0.2") as viewer:
            await viewer.send_all(GET)
            assert await viewer.receive_some(12) == b"HTTP/1.1 200"
        assert served_to_flood < FLOODERS // 2
        nursery.cancel_scope.cancel()


async def test_page_works_little_while_the_loop_is_late(jumping_clock: MockClock) -> None:
    done = await worked(WorkBudget(), jumping_clock, 100.0, late=2 * LATE_SECONDS + PAUSE_SECONDS)
    assert sum(done.values()) * REQUEST <= SAVED_SECONDS + 100.0 * 2 * LEAST


async def test_turn_given_up_is_nobodys(jumping_clock: MockClock) -> None:
    budget = WorkBudget()
    await budget.turn("a", 2 * SAVED_SECONDS)
    with trio.move_on_after(0.1):
        await budget.turn("a", REQUEST)
    assert budget._waiting == {}

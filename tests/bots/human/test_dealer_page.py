"""Names from the page of a dealer, for a person in a terminal at its table."""

import asyncio
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import Thread

import pytest
import trio
from rich.cells import cell_len

from bots.human.commands import PAGE_PORT
from bots.human.dealer_page import Around, DealerPage, NoPageError, PageWatch, Seen
from bots.human.panes import History
from bots.human.person_app import Casino
from bots.human.remote_table import RemoteGame
from bots.human.seat_names import InLobby
from bots.human.table_screen import PageSaid
from bots.human.waiting_list import SEATED, waiting_lines
from dealer.web.serving import DEFAULT_PORT
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Name
from tests.bad_bots.peer import Peer
from tests.bots.human.person import Person
from tests.end_to_end.casino import Running, start
from tests.end_to_end.hosted import fold_to_the_end, open_peer
from tests.patience import PATIENCE

UTF = UtfFraming()
WIDE = "名" * 31 + "🃏"


async def page_port(dealer: Running) -> int:
    line = await dealer.line_with("For browsers")
    return int(line.rsplit(":", 1)[1].rstrip("/"))


async def call_to_the_end(peer: Peer) -> None:
    while question := await peer.hear_question():
        await peer.say(f"bet:{question[3]}")
    await peer.stream.aclose()


class Watched:
    """A person at a dealer, and what the test does when the person is seen to wait or to play."""

    def __init__(self, people: int, page: int, size: tuple[int, int]) -> None:
        self._people = people
        self._page = page
        self._size = size
        self.waits = trio.Event()
        self.history = ""
        self._loop = trio.lowlevel.current_trio_token()

    def play(self) -> None:
        """Wait for the others, play until the end by calling, and keep the history; in a thread of its own."""
        asyncio.run(self._play())

    async def _play(self) -> None:
        sock = socket.create_connection(("127.0.0.1", self._people))
        join = ("Dealer", partial(RemoteGame, sock, UTF, Name("ada", "Twin")))
        app = Casino(join=join, page=DealerPage(sock, self._page))
        async with app.run_test(size=self._size) as pilot:
            person = Person(app, pilot)
            await person.sees(SEATED, "1 of 3 players are here:", "Twin (you)")
            self._loop.run_sync_soon(self.waits.set)
            while not person.ended:
                await person.until(lambda: person.ended or person.table.asked is not None)
                if not person.ended:
                    await person.sees("▶ you", "Twin (2)", "名名")
                    await person.press("f3")
            self.history = "\n".join(person.table.query_one(History).lines)


@pytest.mark.parametrize("size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.slow)])
async def test_names_and_the_waiting_list_at_a_real_dealer(size: tuple[int, int]) -> None:
    ports = ("--host", "127.0.0.1", "--port", "0", "--line-port", "0", "--people-port", "0", "--page-port", "0")
    words = ("serve", "stud", *ports, "--fast", "--limit", "60", "--seats", "3", "--hands", "2", "--no-journal")
    async with start(*words, stdin=subprocess.DEVNULL) as dealer:
        port, people = await dealer.port("address 127.0.0.1"), await dealer.port("people at")
        watched = Watched(people, await page_port(dealer), size)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.to_thread.run_sync, watched.play)
            await watched.waits.wait()
            async with open_peer(port, "b:Twin") as twin, open_peer(port, f"c:{WIDE}") as wide:
                async with trio.open_nursery() as bots:
                    bots.start_soon(fold_to_the_end, twin)
                    bots.start_soon(call_to_the_end, wide)
        assert (await dealer.ended()).code == 0
    assert "Twin (2) has folded." in watched.history
    assert "seat " not in watched.history


@contextmanager
def served(status: int, body: bytes) -> Iterator[int]:
    """A server that gives one request this answer; its port."""

    head = f"HTTP/1.1 {status} told\r\nconnection: close\r\n\r\n".encode()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            with listener.accept()[0] as client:
                client.recv(4096)
                client.sendall(head + body)

        thread = Thread(target=answer)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(PATIENCE)


@contextmanager
def connected_pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """The dealer's end and the person's end of a connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        with socket.create_connection(listener.getsockname()) as person, listener.accept()[0] as dealer:
            yield dealer, person


@contextmanager
def connected() -> Iterator[socket.socket]:
    """The person's end of a connection."""
    with connected_pair() as (_, person):
        yield person


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, b"{}"),
        (200, b"<html>"),
        (200, b"[]"),
        (200, b'{"hand": 7, "lobby": null, "hurry": null}'),
        (302, b""),
        (200, b"\xff"),
    ],
)
def test_another_page_at_that_port_is_left_alone(status: int, body: bytes) -> None:
    with connected() as sock, served(status, body) as port, pytest.raises(NoPageError):
        DealerPage(sock, port).look()


def test_usual_port_is_that_of_the_dealer() -> None:
    assert PAGE_PORT == DEFAULT_PORT


def test_names_that_could_move_the_cursor_lose_that() -> None:
    with (
        connected() as sock,
        served(200, b'{"hand": null, "lobby": [["A\\u001b[2J", "B"], 1, null], "hurry": null}') as port,
    ):
        assert DealerPage(sock, port).look() == Around(None, InLobby(["A[2J", "B"], 1, None))


def test_watch_without_a_page_ends_by_itself() -> None:
    with connected() as sock:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        said: list[Seen] = []
        watch = PageWatch(DealerPage(sock, port), said.append)
        for number in range(1, 4):
            watch.ask(number)
        watch.start()
        watch.thread.join(PATIENCE)
        assert not watch.thread.is_alive()
        assert said == []


def test_waiting_list_fits_and_names_the_person_first() -> None:
    lobby = InLobby(["Bo", WIDE, "Ada"], 2, 4)
    assert waiting_lines(lobby, 100, 10)[:2] == [SEATED, "3 of 4 players are here:"]
    assert waiting_lines(lobby, 78, 10)[2].split() == ["Ada", "(you)", "Bo"]
    assert waiting_lines(InLobby(["Ada"], 0, None), 78, 10)[1:] == ["You are the first:", "Ada (you)"]
    crowd = InLobby([f"{WIDE}{number}" for number in range(200)], 150, None)
    lines = waiting_lines(crowd, 78, 13)
    assert len(lines) == 13
    assert all(cell_len(line) <= 78 for line in lines)
    assert lines[2].endswith("…") or "(you)" in lines[2]
    assert lines[-1] == "and 180 more"


def test_screen_tells_once_that_the_dealer_stops() -> None:
    async def play() -> None:
        with connected_pair() as (dealer, sock):
            app = Casino(join=("Dealer", partial(RemoteGame, sock, UTF, Name("ada", "Ada"))))
            async with app.run_test(size=(80, 24)) as pilot:
                person = Person(app, pilot)
                dealer.sendall(UTF.encode("login") + UTF.encode("bet1:499:2:0:KS:10D:up:8H:10D"))
                await person.asked()
                for number in (0, 1, 1):  # before the question, and twice while it is open
                    person.table.post_message(PageSaid(Seen(number, Around(hurry=9.5))))
                await person.reads("The dealer stops: answer within 10 seconds, or your hand is folded.")
                lines = person.table.query_one(History).lines
                assert sum("The dealer stops" in line for line in lines) == 1

    asyncio.run(play())

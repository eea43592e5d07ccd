"""Names from the page of a dealer, for a person in a terminal at its table."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import Thread

import pytest
from rich.cells import cell_len

from bots.human.commands import PAGE_PORT
from bots.human.dealer_page import DealerPage, NoPageError, PageWatch, Seen
from bots.human.panes import History
from bots.human.person_app import Casino
from bots.human.remote_table import RemoteGame
from bots.human.seat_names import Around, InLobby
from bots.human.table_picture import SEATED, waiting_lines
from dealer.web.serving import DEFAULT_PORT
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Name
from tests.bots.human.person import Person, on_asyncio
from tests.patience import PATIENCE

UTF = UtfFraming()
WIDE = "名" * 31 + "🃏"


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


@on_asyncio
async def test_screen_tells_once_that_the_dealer_stops() -> None:
    with connected_pair() as (dealer, sock):
        app = Casino(join=("Dealer", partial(RemoteGame, sock, UTF, Name("ada", "Ada"))))
        async with app.run_test(size=(80, 24)) as pilot:
            person = Person(app, pilot)
            dealer.sendall(UTF.encode("login") + UTF.encode("bet1:499:2:0:KS:10D:up:8H:10D"))
            await person.asked()
            for number in (0, 1, 1):  # before the question, and twice while it is open
                person.table.call_later(person.table._learn, Seen(number, Around(hurry=9.5)))
            await person.reads("The dealer stops: answer within 10 seconds, or your hand is folded.")
            lines = person.table.query_one(History).lines
            assert sum("The dealer stops" in line for line in lines) == 1

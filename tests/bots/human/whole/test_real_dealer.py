"""A person at a dealer's table: what the dealer tells is shown, and no more."""

import asyncio
import socket
import subprocess
from functools import partial

import pytest
import trio

from bots.human.dealer_seat import DealerSeat
from bots.human.panes import History
from bots.human.person_app import Casino
from bots.human.table_picture import SEATED
from protocol.wire.messages import Name
from tests.bad_bots.peer import Peer
from tests.bots.human.person import Person
from tests.bots.human.test_remote import ADA, UTF, WIDE
from tests.end_to_end.casino import Running, casino, start
from tests.end_to_end.hosted import fold_to_the_end, open_peer


@pytest.mark.parametrize(("game", "first"), [("stud", 500), ("blockhead", 1000), ("holdem", 1000)])
async def test_person_at_a_real_dealer(game: str, first: int) -> None:
    words = ("serve", game, "--host", "127.0.0.1", "--port", "0", "--line-port", "0", "--people-port", "0", "--fast")
    async with start(*words, "--limit", "30", "--seats", "2", "--hands", "3", stdin=subprocess.DEVNULL) as dealer:
        port, people = await dealer.port(), await dealer.port("people at")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(caller_comes_second, dealer, port)
            farewell = await trio.to_thread.run_sync(play_by_keys, people)
        outcome = await dealer.ended()
    assert outcome.code == 0
    assert "Ada" in outcome.out.rsplit("The tournament starts", 1)[1]
    assert farewell[0] == "Dealer"
    assert farewell[1].startswith("the tournament is over; you are number")
    assert farewell[2].startswith(f"3 hands: {first} chips at first")


async def caller_comes_second(dealer: Running, port: int) -> None:
    """Who comes first has the button in hold'em."""
    await dealer.line_with("+ Ada")
    await trio.run_process(casino("bot", "caller", "127.0.0.1", str(port)), capture_stdout=True)


def play_by_keys(port: int) -> list[str]:
    """Join that dealer, check and call through three hands; what is said at the end."""

    async def play() -> list[str]:
        sock = socket.create_connection(("127.0.0.1", port))
        app = Casino(join=("Dealer", partial(DealerSeat, sock, UTF, ADA, watches=True)))
        async with app.run_test(size=(80, 24)) as pilot:
            person = Person(app, pilot)
            while not person.ended:
                await person.until(lambda: person.ended or person.table.asked is not None)
                if not person.ended:
                    await person.sees("▶ you", "caller")
                    await person.press("f3")
            await person.press("enter")
        return app.closing_lines

    return asyncio.run(play())


async def call_to_the_end(peer: Peer) -> None:
    while question := await peer.hear_question():
        await peer.say(f"bet:{question[3]}")
    await peer.stream.aclose()


class Watched:
    """A person at a dealer, and what the test does when the person is seen to wait or to play."""

    def __init__(self, people: int, size: tuple[int, int]) -> None:
        self._people = people
        self._size = size
        self.waits = trio.Event()
        self.history = ""
        self._loop = trio.lowlevel.current_trio_token()

    def play(self) -> None:
        """Wait for the others, play until the end by calling, and keep the history; in a thread of its own."""
        asyncio.run(self._play())

    async def _play(self) -> None:
        sock = socket.create_connection(("127.0.0.1", self._people))
        app = Casino(join=("Dealer", partial(DealerSeat, sock, UTF, Name("ada", "Twin"), watches=True)))
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


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_names_and_the_waiting_list_at_a_real_dealer(size: tuple[int, int]) -> None:
    ports = ("--host", "127.0.0.1", "--port", "0", "--line-port", "0", "--people-port", "0")
    words = ("serve", "stud", *ports, "--fast", "--limit", "60", "--seats", "3", "--hands", "2", "--no-journal")
    async with start(*words, stdin=subprocess.DEVNULL) as dealer:
        port, people = await dealer.port("address 127.0.0.1"), await dealer.port("people at")
        watched = Watched(people, size)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.to_thread.run_sync, watched.play)
            await watched.waits.wait()
            async with open_peer(port, "b:Twin") as twin, open_peer(port, f"c:{WIDE}") as wide:
                async with trio.open_nursery() as bots:
                    bots.start_soon(fold_to_the_end, twin)
                    bots.start_soon(call_to_the_end, wide)
        assert (await dealer.ended()).code == 0
    assert "Twin (2) folds." in watched.history

"""A person at a dealer's table: what the wire tells is shown, and no more."""

import asyncio
import socket
import subprocess
from functools import partial

import pytest
import trio

from bots.human.person_app import Casino
from bots.human.remote_table import RemoteGame
from tests.bots.human.person import Person
from tests.bots.human.test_remote import ADA, UTF
from tests.end_to_end.casino import Running, casino, start


@pytest.mark.parametrize(("game", "first"), [("stud", 499), ("blockhead", 990), ("holdem", 995)])
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
    assert farewell[2].startswith(f"3 hands: {first} chips at the first question")


async def caller_comes_second(dealer: Running, port: int) -> None:
    """Who comes first has the button in hold'em."""
    await dealer.line_with("+ Ada")
    await trio.run_process(casino("bot", "caller", "127.0.0.1", str(port)), capture_stdout=True)


def play_by_keys(port: int) -> list[str]:
    """Join that dealer, check and call through three hands; what is said at the end."""

    async def play() -> list[str]:
        sock = socket.create_connection(("127.0.0.1", port))
        app = Casino(join=("Dealer", partial(RemoteGame, sock, UTF, ADA)))
        async with app.run_test(size=(80, 24)) as pilot:
            person = Person(app, pilot)
            while not person.ended:
                await person.until(lambda: person.ended or person.table.asked is not None)
                if not person.ended:
                    await person.sees("▶ you", "seat ")
                    await person.press("f3")
            await person.press("enter")
        return app.closing_lines

    return asyncio.run(play())

"""``casino bot``: how the process of a house bot ends."""

import socket
import subprocess

import trio

from tests.end_to_end.casino import Outcome, run, start
from tests.end_to_end.hosted import SERVE, open_peer


async def test_bot_prints_reason_and_exits_with_0_at_the_end() -> None:
    outcomes: list[Outcome] = []

    async def play(*words: str) -> None:
        outcomes.append(await run("bot", *words))

    async with start(*SERVE, "--seats", "2", stdin=subprocess.DEVNULL) as dealer, trio.open_nursery() as nursery:
        port, line_port = await dealer.port(), await dealer.port("lines of text")
        nursery.start_soon(play, "caller", "127.0.0.1", str(port))
        nursery.start_soon(play, "tight", "127.0.0.1", str(line_port), "--lines", "--id", "t", "--avatar", "T")
        assert (await dealer.ended()).code == 0
    assert [outcome.code for outcome in outcomes] == [0, 0]
    assert all("the tournament is over; you are number" in outcome.out for outcome in outcomes)


async def test_a_bot_that_is_refused_prints_the_reason() -> None:
    async with start(*SERVE, "--seats", "2", stdin=subprocess.DEVNULL) as dealer:
        port = await dealer.port()
        async with open_peer(port, "caller:The first"):
            await dealer.line_with("(1 here)")
            outcome = await run("bot", "caller", "127.0.0.1", str(port))
    assert outcome.code == 0
    assert "the id 'caller' is already seated" in outcome.out


async def test_a_bot_without_a_dealer_or_a_name_says_so() -> None:
    with socket.socket() as closed:  # nobody else gets this port, and connections to it are refused
        closed.bind(("127.0.0.1", 0))
        port = str(closed.getsockname()[1])
        nobody = await run("bot", "caller", "127.0.0.1", port, "--patience", "0")
    assert nobody.code == 1
    assert "no dealer at 127.0.0.1" in nobody.complaint[0]
    for words in (["no-such-bot"], ["caller", "--id", "no id"], ["caller", "--avatar", "x" * 33]):
        name, *flags = words
        outcome = await run("bot", name, "127.0.0.1", port, *flags)
        assert outcome.code == 2
        assert len(outcome.complaint) == 1

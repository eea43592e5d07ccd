"""``--people-port``: a page elsewhere speaks for a person with the host's token, breaks, and comes back."""

import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from tests.bad_bots.peer import Peer
from tests.end_to_end.casino import run, start
from tests.end_to_end.hosted import PORTS, finish, first_asked, open_peer

BROWSER = "10.1.2.3"


@asynccontextmanager
async def page(port: int, token: str, name: str) -> AsyncIterator[Peer]:
    """A connection of a page, at which a person has said a name."""
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        peer = Peer(stream)
        await peer.log_in(f"page {token} 4711 {BROWSER}")
        await peer.log_in(name)
        yield peer


async def test_person_comes_back_by_the_page_and_the_journal_is_right(tmp_path: Path) -> None:
    journal = tmp_path / "people.journal"
    opened = (*PORTS, "--people-port", "0", "--page-port", "0", "--desk")
    agreed = ("--fast", "--limit", "600", "--hands", "5", "--seats", "2", "--journal", journal)
    async with start("serve", "stud", *opened, *agreed, stdin=subprocess.DEVNULL) as running:
        token = (await running.line_with("desk token")).split()[-1]
        port, people = await running.port(), await running.port("people at")
        async with page(people, "guess", "ada:Ada") as stranger:
            await stranger.hear_out()
            assert stranger.done is not None
            assert stranger.done.startswith("this is not the host's token")
        async with open_peer(port, "good:Good") as good:
            await running.line_with("(1 here)")
            async with page(people, token, "ada:Ada") as ada:
                while await first_asked(ada, good) is good:
                    await good.say("bet:1")
                asked = ada.heard[-1]
                await ada.reset()
            async with page(people, token, "ada:Ada") as ada:
                await ada.hear_question()
                assert ada.heard[-1] == asked
                await ada.say("fold")
                await finish(running, ada, good)
        told = "\n".join(running.out)
        complaints = running.err.decode()
    assert told.count(token) == 1
    assert "event=kept player=ada" in complaints
    assert "login failed: token" in complaints
    assert token not in complaints
    assert token.encode() not in journal.read_bytes()
    verdict = await run("verify", journal)
    assert (verdict.code, verdict.complaint) == (0, [])
    assert "2 players, 1000 chips" in verdict.out

"""``casino page``: a page of its own, which follows a dealer, is killed, and comes again."""

import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from tests.dealer.support.host_pages import HostPage, told
from tests.dealer.support.stage import Watch
from tests.end_to_end.casino import Running, run, start
from tests.end_to_end.hosted import PORTS, finish, first_asked, fold_all, open_peer
from tests.end_to_end.test_desk_command import order
from tests.end_to_end.test_feed_port import feed_port

PAGE_TOLD = "For browsers, such as the projector's: "


@asynccontextmanager
async def page_of(feed: int, token: str) -> AsyncIterator[tuple[Running, int]]:
    """The process of a page, and its port."""
    words = ("page", f"127.0.0.1:{feed}", "--page-port", "0")
    async with start(*words, stdin=subprocess.DEVNULL, CASINO_TOKEN=token) as page:
        told = await page.line_with(PAGE_TOLD)
        yield page, int(told.rstrip("/").rpartition(":")[2])


async def test_page_is_killed_in_a_show_and_comes_again(tmp_path: Path) -> None:
    flags = ("--page-port", "0", "--desk", "--feed-port", "0", "--fast", "--limit", "600", "--hands", "5")
    words = ("serve", "stud", *PORTS, *flags, "--seats", "2", "--journal", tmp_path / "a.journal")
    watch = Watch()
    async with start(*words, stdin=subprocess.DEVNULL) as dealer:
        token = (await dealer.line_with("desk token")).split()[-1]
        feed, port = await feed_port(dealer, on_stderr=False), await dealer.port()
        async with open_peer(port, "a:A") as a:
            async with page_of(feed, token) as (page, page_port):
                viewer = await watch(page_port)
                await viewer.until(lambda name, facts: name == "scene" and facts["players"] == ["A"])
                async with open_peer(port, "b:B") as b:
                    await viewer.until(lambda name, facts: name == "table" and facts.get("hand") == 1)
                    page.process.kill()
                    await page.ended()
                    async with page_of(feed, token) as (again, again_port):
                        viewer = await watch(again_port)
                        seen = await viewer.until(lambda name, facts: name == "table" and "seats" in facts)
                        assert (seen["hand"], len(seen["seats"]), seen["over"]) == (1, 2, False)
                        async with trio.open_nursery() as nursery:
                            nursery.start_soon(finish, dealer, a, b)
                            over = await viewer.until(lambda name, facts: name == "scene" and facts["phase"] == "over")
                        assert over["seed"] is not None
                        assert await again.line_with("is gone; the page shows what it told last")
                        again.process.terminate()
                        assert (await again.ended()).code == 0
    await watch.close()


async def test_host_pauses_and_fetches_the_journal_through_the_page_of_another_machine(tmp_path: Path) -> None:
    """What a program says to the page's port is told to the dealer's host, too."""
    flags = ("--page-port", "0", "--desk", "--feed-port", "0", "--fast", "--limit", "600", "--hands", "5")
    journal, fetched = tmp_path / "a.journal", tmp_path / "fetched.journal"
    words = ("serve", "stud", *PORTS, *flags, "--seats", "2", "--journal", journal)
    async with start(*words, stdin=subprocess.DEVNULL) as dealer:
        token = (await dealer.line_with("desk token")).split()[-1]
        feed, port = await feed_port(dealer, on_stderr=False), await dealer.port()
        async with open_peer(port, "a:A") as a, page_of(feed, token) as (page, page_port):
            address = f"http://127.0.0.1:{page_port}"
            assert await page.line_with(f"For the host:  {address}/host")
            async with await trio.open_tcp_stream("127.0.0.1", page_port) as lost:
                await lost.send_all(b"\x00\x03b:B")
                assert b"this is the port of the page for browsers" in await lost.receive_some()
            async with open_peer(port, "b:B") as b:
                asked = await first_asked(a, b)
                host = HostPage(page_port, token)
                await host.log_in()
                paused = await host.post("/host/orders", {"command": "pause"})
                assert (paused.status, paused.facts["state"]["paused"]) == (200, True)
                (failed,) = paused.facts["state"]["failed_logins"]
                assert (failed["port"], failed["id"]) == (page_port, "b")
                async with host.followed() as lines:
                    assert (await told(lines, "state"))["paused"]
                taken = await host.post("/host/files", {"file": "journal"})
                assert taken.headers["content-disposition"] == 'attachment; filename="a-so-far.journal"'
                assert taken.status == 200
                assert journal.read_bytes().startswith(taken.body)
                shown = json.loads((await order(address, token, "show", "--json")).out)
                assert (shown["state"]["paused"], shown["state"]["phase"]) == (True, "playing")
                assert (await order(address, "wrong", "end", "--yes")).code == 1
                done = await order(address, token, "download", "journal", str(fetched))
                assert done.out == f"The journal is in {fetched}.\n"
                assert (await order(address, token, "resume", "--yes")).code == 0
                await asked.say("fold")
                await fold_all(a, b)
            await dealer.ended()
            gone = await order(address, token, "show")
            assert gone.complaint == [f"casino: there is no dealer at 127.0.0.1:{feed}: it does not answer"]
    assert (await run("verify", fetched)).code == 0


@pytest.mark.parametrize(
    ("words", "token", "code", "told"),
    [
        (("127.0.0.1",), "x", 2, "expected an address and port such as 192.168.1.20:9000"),
        (("127.0.0.1:1",), "", 2, "a token has letters, digits"),
        (("127.0.0.1:1",), "x", 1, "there is no dealer at 127.0.0.1:1: "),
    ],
)
async def test_mistakes_are_told_in_a_line(words: tuple[str, ...], token: str, code: int, told: str) -> None:
    outcome = await run("page", *words, CASINO_TOKEN=token)
    (line,) = outcome.complaint
    assert outcome.code == code
    assert told in line


async def test_wrong_token_is_told_in_a_line(tmp_path: Path) -> None:
    flags = ("--page-port", "0", "--desk", "--feed-port", "0", "--journal", tmp_path / "a.journal")
    async with start("serve", "stud", *PORTS, *flags, stdin=subprocess.DEVNULL) as dealer:
        feed = await feed_port(dealer, on_stderr=False)
        outcome = await run("page", f"127.0.0.1:{feed}", "--page-port", "0", CASINO_TOKEN="wrong")
    assert outcome.code == 1
    assert "refuses the page: this is not the token" in outcome.complaint[-1]

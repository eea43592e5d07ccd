"""Programs that follow a dealer from elsewhere: pages, those that listen to its feed, and pages that people play on."""

import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from tests.bad_bots.peer import Peer
from tests.dealer.support.feeds import Reader
from tests.dealer.support.host_pages import HostPage, told
from tests.dealer.support.raw_records import FOR_THE_HOST, read_raw
from tests.dealer.support.stage import Watch
from tests.end_to_end.casino import Running, run, start
from tests.end_to_end.hosted import PORTS, SERVE, finish, first_asked, fold_all, open_peer, serve
from tests.end_to_end.test_hosting import order


async def feed_port(running: Running, *, on_stderr: bool) -> int:
    told = "The spectator feed for programs: port"
    if on_stderr:
        await running.complaint_with(told)
        return int(running.err.decode().split(told, 1)[1].split()[0])
    return int((await running.line_with(told)).split()[-1])


async def test_feed_tells_hosted_tournament_from_lobby_to_seed(tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    words = (*SERVE, "--seats", "2", "--feed-port", "0", "--journal", journal)
    async with start(*words, stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        stream = await trio.open_tcp_stream("127.0.0.1", await feed_port(running, on_stderr=False))
        async with stream, open_peer(port, "a:A") as a:
            reader = Reader(stream)
            assert (await reader.until("lobby"))["players"] == ["A"]
            async with open_peer(port, "b:B") as b:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(reader.read_all)
                    await finish(running, a, b)
    records = list(read_raw(journal))
    live = ("hello", "lobby", "dealt", "street", "acted", "figures")  # no records of their own
    assert [event["type"] for event in reader.events if event["type"] not in live] == [
        record["type"] for record in records if record["type"] not in FOR_THE_HOST
    ]
    assert reader.events[-1]["seed"] == records[0]["seed"].hex()


async def test_a_host_starts_and_ends_a_tournament_and_fetches_its_journal(tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    page = ("--page-port", "0", "--desk", "--feed-port", "0", "--fast")
    words = ("serve", "stud", *PORTS, *page, "--limit", "600", "--hands", "1000", "--journal", journal)
    async with start(*words, stdin=subprocess.DEVNULL) as running:
        token = (await running.line_with("desk token")).split()[-1]
        feed, port = await feed_port(running, on_stderr=False), await running.port()
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            # Nobody plays yet, so the dealer waits while the host orders and fetches.
            async with await trio.open_tcp_stream("127.0.0.1", feed) as stream:
                host = Reader(stream)
                await host.send(type="host", token=token)
                await running.line_with("(2 here)")
                assert (await host.ask(1, type="order", command="start"))["said"].startswith("The tournament starts")
                assert all(len(cards) == 1 for cards in (await host.until("dealt"))["holes"])
                await host.send(type="file", id=2, file="journal")
                file, piece = await host.until("file"), await host.until("piece")
                assert (file["name"], len(piece["data"])) == ("a-so-far.journal", file["bytes"])
                assert journal.read_bytes().startswith(piece["data"])
                assert "said" in await host.ask(3, type="order", command="end")
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(host.read_all)
                    await finish(running, a, b)
    assert host.events[-1]["type"] == "end"
    assert token.encode() not in journal.read_bytes()


async def test_a_league_has_one_too() -> None:
    words = ("league", "stud", "tight", "caller", "--hands", "30", "--limit", "60", "--feed-port", "0")
    async with start(*words, stdin=subprocess.DEVNULL) as running:
        port = await feed_port(running, on_stderr=True)
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            reader = Reader(stream)
            await reader.read_all()
        assert (await running.ended()).code == 0
    assert reader.events[0]["type"] == "hello"
    assert reader.events[-1]["type"] == "end"


async def test_a_port_that_is_taken_is_told_in_a_line() -> None:
    async with serve("--feed-port", "0", "--no-journal") as running:
        port = await feed_port(running, on_stderr=False)
        outcome = await run(*SERVE, "--seats", "2", "--no-journal", "--feed-port", str(port))
    assert outcome.code == 1
    (line,) = outcome.complaint
    assert line.startswith(f"casino: cannot serve the feed on port {port} of 127.0.0.1: Address already in use; ")
    assert line.endswith("--feed-port (0 takes any free one)")


# ``casino page``: a page of its own, which follows a dealer, is killed, and comes again.

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


# ``--people-port``: a page elsewhere speaks for a person with the host's token, breaks, and comes back.

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

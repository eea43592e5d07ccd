"""``--feed-port``: the feed of a league and of a hosted tournament, as a program hears it."""

import subprocess
from pathlib import Path

import trio

from tests.dealer.support.feeds import Reader
from tests.dealer.support.raw_records import FOR_THE_HOST, read_raw
from tests.end_to_end.casino import Running, run, start
from tests.end_to_end.hosted import PORTS, SERVE, finish, open_peer, serve


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

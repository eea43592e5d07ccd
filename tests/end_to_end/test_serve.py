"""``casino serve``: from the announcement to the standings, and every way to start."""

import json
import signal
import subprocess
from pathlib import Path

import trio

from protocol.wire.framing import LineFraming
from tests.bad_bots.peer import Peer
from tests.dealer.support.rig import Client, good_clients
from tests.dealer.support.stage import fetch
from tests.end_to_end.casino import casino, run, start
from tests.end_to_end.hosted import SERVE, finish, open_peer


async def play(client: Client, port: int) -> None:
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await client.play(stream)


async def fold_by_lines(port: int) -> None:
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        peer = Peer(stream, LineFraming())
        await peer.log_in("liner:Liner")
        while await peer.hear_question():
            await peer.say("fold")
        assert peer.done is not None
        assert peer.done.startswith("the tournament is over")


async def test_a_tournament_is_announced_filled_played_and_won() -> None:
    (client,) = good_clients(1)
    async with start(*SERVE, "--seats", "2", stdin=subprocess.DEVNULL) as running:
        port, line_port = await running.port("address 127.0.0.1"), await running.port("lines of text")
        await running.line_with("The tournament starts when 2 players are here.")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, client, port)
            await running.line_with("+ Good 1 (1 here), id good-1")
            nursery.start_soon(fold_by_lines, line_port)
            await running.line_with("+ Liner (2 here)")
        outcome = await running.ended()
    assert (outcome.code, outcome.err) == (0, "")
    assert len(client.statuses) == 5
    assert "Standings" in outcome.out
    assert max(len(line) for line in outcome.out.splitlines() if ".journal" not in line) <= 80
    assert client.done == "the tournament is over; you are number 1 of 2 with 505 chips"


async def test_with_json_standard_output_holds_nothing_else() -> None:
    clients = good_clients(2)
    async with start(*SERVE, "--seats", "2", "--json", stdin=subprocess.DEVNULL) as running:
        await running.complaint_with("lines of text")
        (line,) = (line for line in running.err.decode().splitlines() if "address" in line)
        async with trio.open_nursery() as nursery:
            for client in clients:
                nursery.start_soon(play, client, int(line.split()[-1]))
        outcome = await running.ended()
    facts = json.loads(outcome.out)
    assert outcome.code == 0
    assert sum(standing["chips"] for standing in facts["standings"]) == 1000
    assert {standing["id"] for standing in facts["standings"]} == {"good-1", "good-2"}


async def test_start_after_the_wait_with_the_players_in_the_lobby() -> None:
    async with start(*SERVE, "--wait", "1", stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        await running.line_with("The tournament starts after 1 s.")
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b, open_peer(port, "c:C") as c:
            here = (await running.line_with("The tournament starts with ")).split()[4]
            assert here == ("3" if any("(3 here)" in line for line in running.out) else "2")  # C may come too late
            await finish(running, a, b, c)


async def test_after_the_wait_it_starts_as_soon_as_two_are_here() -> None:
    async with start(*SERVE, "--wait", "0.01", stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        await running.line_with("The wait is over; the tournament starts as soon as two players are here.")
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            await finish(running, a, b)


async def test_a_line_of_input_starts_it_when_two_are_here() -> None:
    async with start(*SERVE) as running:
        port = await running.port()
        await running.line_with("The tournament starts on a line of input.")
        assert running.process.stdin is not None
        async with open_peer(port, "a:A") as a:
            await running.line_with("+ A (1 here)")
            await running.process.stdin.send_all(b"\n")
            await running.line_with("Not before 2 players are here.")
            async with open_peer(port, "b:B") as b:
                await running.line_with("+ B (2 here)")
                await running.process.stdin.send_all(b"\n")
                await finish(running, a, b)


async def test_without_input_seats_or_wait_nothing_could_start_it() -> None:
    outcome = await run(*SERVE)
    assert outcome.code == 2
    assert outcome.complaint == [
        "casino: nobody can press Enter here (standard input is closed): give --seats or --wait"
    ]


async def test_closed_standard_input_counts_as_no_input() -> None:
    async with start(command=["sh", "-c", 'exec "$@" <&-', "sh", *casino(*SERVE)]) as running:
        outcome = await running.ended()
    assert outcome.code == 2
    (line,) = outcome.complaint
    assert "standard input is closed" in line


async def test_without_input_the_number_of_seats_starts_it() -> None:
    async with start(command=["sh", "-c", 'exec "$@" <&-', "sh", *casino(*SERVE, "--seats", "2")]) as running:
        port = await running.port()
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            await finish(running, a, b)


async def test_player_may_leave_the_lobby_and_return() -> None:
    async with start(*SERVE, "--seats", "2", stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        async with open_peer(port, "a:A"):
            await running.line_with("+ A (1 here)")
        await running.line_with("- A left (0 here)")
        async with open_peer(port, "a:A again") as a:
            await running.line_with("+ A again (1 here)")
            async with open_peer(port, "b:B") as b:
                await finish(running, a, b)


async def test_second_program_with_the_same_id_is_refused() -> None:
    async with start(*SERVE, "--seats", "2", stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        async with open_peer(port, "a:A") as a:
            await running.line_with("+ A (1 here)")
            async with open_peer(port, "a:Copy") as copy:
                await copy.hear_out()
            assert copy.done == "the id 'a' is already seated; is another copy of your program running?"
            async with open_peer(port, "b:B") as b:
                await finish(running, a, b)


async def test_only_who_is_on_the_roster_may_play(tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name\na,Ada\nb,Bob\n", "utf-8-sig")
    async with start(*SERVE, "--seats", "2", "--roster", roster, stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        async with open_peer(port, "c:C") as stranger:
            await stranger.hear_out()
        assert stranger.done == "the id 'c' is not on the roster; ask the instructor which id is yours"
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            await finish(running, a, b)


async def test_the_page_is_announced_and_can_be_left_out() -> None:
    words = tuple(word for word in SERVE if word != "--no-page")
    async with start(*words, "--fast", "--page-port", "0", "--seats", "2", stdin=subprocess.DEVNULL) as running:
        line = await running.line_with("For browsers")
        port = int(line.split(":")[-1].strip("/\n"))
        taken = await run(*words, "--page-port", str(port), "--seats", "2")
        (line,) = taken.complaint
        assert taken.code == 1
        assert line.startswith(f"casino: cannot serve the page on port {port} of 127.0.0.1: Address already in use; ")
        assert line.endswith("or choose another port with --page-port (0 takes any free one)")
        assert (await fetch(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).startswith(b"HTTP/1.1 200")
    async with start(*SERVE, "--seats", "2", stdin=subprocess.DEVNULL) as running:
        await running.line_with("The tournament starts")
        assert not any("browsers" in line for line in running.out)


async def test_an_interrupt_in_the_lobby_ends_the_page_too() -> None:
    words = tuple(word for word in SERVE if word != "--no-page")
    async with start(*words, "--fast", "--page-port", "0", "--seats", "2", stdin=subprocess.DEVNULL) as running:
        await running.line_with("For browsers")
        running.process.send_signal(signal.SIGINT)
        outcome = await running.ended()
    assert (outcome.code, outcome.complaint) == (1, ["casino: the lobby was closed before the tournament started"])

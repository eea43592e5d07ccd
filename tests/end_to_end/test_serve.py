"""``casino serve``: every way to start, people, limits, and all from the announcement to the standings.

Then latecomers, interrupts, and what cannot be opened or used.
"""

import json
import os
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
import trio

from dealer.cli.flags import PortFlags
from dealer.net.acceptor import program_at
from dealer.settings import OpenPorts
from protocol.wire.framing import LineFraming
from tests.bad_bots.peer import Peer
from tests.dealer.support.raw_records import play_of
from tests.dealer.support.rig import Client, good_clients
from tests.dealer.support.stage import fetch
from tests.end_to_end.casino import casino, run, start
from tests.end_to_end.hosted import (
    SERVE,
    finish,
    first_asked,
    fold_to_the_end,
    held_ports,
    open_peer,
    serve,
    two_players,
)


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
    async with serve() as running:
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
    async with serve("--json") as running:
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
        await running.line_with("The wait is over; the tournament starts as soon as two players are here.")
        async with two_players(running) as (a, b):
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


@pytest.mark.parametrize("input_", ["</dev/null", "<&-"], ids=["empty", "closed"])
async def test_without_input_seats_or_wait_nothing_could_start_it(input_: str) -> None:
    async with start(command=["sh", "-c", f'exec "$@" {input_}', "sh", *casino(*SERVE)]) as running:
        outcome = await running.ended()
    assert (outcome.code, outcome.complaint) == (
        2,
        ["casino: nobody can press Enter here (standard input is closed): give --seats or --wait"],
    )


async def test_without_input_the_number_of_seats_starts_it() -> None:
    async with start(command=["sh", "-c", 'exec "$@" <&-', "sh", *casino(*SERVE, "--seats", "2")]) as running:
        async with two_players(running) as (a, b):
            await finish(running, a, b)


async def test_player_may_leave_the_lobby_and_return() -> None:
    async with serve() as running:
        port = await running.port()
        async with open_peer(port, "a:A"):
            await running.line_with("+ A (1 here)")
        await running.line_with("- A left (0 here)")
        async with open_peer(port, "a:A again") as a:
            await running.line_with("+ A again (1 here)")
            async with open_peer(port, "b:B") as b:
                await finish(running, a, b)


async def test_only_who_is_on_the_roster_may_play(tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name\na,Ada\nb,Bob\n", "utf-8-sig")
    async with serve("--roster", roster) as running:
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
    async with serve() as running:
        await running.line_with("The tournament starts")
        assert not any("browsers" in line for line in running.out)


HERE = ("--host", "127.0.0.1", "--port", "0", "--line-port", "0")


async def test_people_and_programs_have_separate_time_limits() -> None:
    words = ("serve", "stud", *HERE, "--people", "0.1", "--people-port", "0", "--limit", "0.5", "--no-journal")
    async with start(*words, "--seats", "3", "--login-limit", "30", stdin=subprocess.DEVNULL) as running:
        port, people = await running.port("address 127.0.0.1"), await running.port("people at")
        async with (
            open_peer(port, "program:Program") as program,
            open_peer(people, "person:Person") as person,
            open_peer(people, "c:C") as other,  # has time enough to fold
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(fold_to_the_end, other)
            nursery.start_soon(program.hear_out)
            await person.hear_out()
        assert (await running.ended()).code == 0
    assert "every reply is due within 0.5 s" in (program.done or "")
    assert "every reply is due within 6 s" in (person.done or "")


async def test_resumed_dealer_listens_again(tmp_path: Path) -> None:
    journal = tmp_path / "people.journal"
    words = ("serve", "stud", "--host", "127.0.0.1", "--limit", "30", "--journal", journal, "--seats", "2")
    with held_ports("--port", "--line-port", "--people-port") as ports:
        async with start(*words, *ports, stdin=subprocess.DEVNULL) as running:
            port, people = await running.port("address 127.0.0.1"), await running.port("people at")
            assert "with 3 min a reply" in await running.line_with("people at")
            async with open_peer(port, "a:A") as a, open_peer(people, "b:B") as b:
                await first_asked(a, b)
                running.process.kill()
                await running.process.wait()
        async with start("resume", journal, stdin=subprocess.DEVNULL) as resumed:
            assert await resumed.port("people at") == people
            assert "with 3 min a reply" in await resumed.line_with("people at")


@pytest.mark.parametrize(
    ("flags", "ports"),
    [
        ({}, OpenPorts("0.0.0.0", {"port": 4000, "line_port": 4001})),
        ({"people": 5}, OpenPorts("0.0.0.0", {"port": 4000, "line_port": 4001, "people_port": 4002}, 300)),
        ({"people_port": 0}, OpenPorts("0.0.0.0", {"port": 4000, "line_port": 4001, "people_port": 0}, 180)),
    ],
)
def test_either_flag_opens_the_port(flags: Any, ports: OpenPorts) -> None:
    assert PortFlags(**flags).open_ports() == ports


@pytest.mark.skipif(os.name != "posix", reason="needs more than one loopback address")
async def test_refused_connection_is_told_why_and_host_sees_it() -> None:
    async with serve("--per-address", "1") as running:
        port, line_port = await running.port("address 127.0.0.1"), await running.port("lines of text")
        async with open_peer(port, "a:A") as a:
            await running.line_with("+ A (1 here)")
            async with await trio.open_tcp_stream("127.0.0.1", line_port) as stream:
                peer = Peer(stream, LineFraming())
                await peer.hear_out()
            assert peer.heard == ["done:your address has 1 connections open, as many as it may; close one first"]
            await running.complaint_with('event="turned away" address=127.0.0.1 reason="your address has 1')
            async with await trio.open_tcp_stream("127.0.0.1", port, local_address="127.0.0.2") as stream:
                b = Peer(stream)
                await b.log_in("b:B")
                await finish(running, a, b)


@pytest.mark.skipif(os.name != "posix", reason="only there descriptors are limited")
@pytest.mark.parametrize(("limit", "fewer"), [("-n 150", True), ("-Sn 64", False)], ids=["hard", "soft"])
async def test_few_descriptors_allow_fewer_connections_unless_the_limit_can_be_raised(limit: str, fewer: bool) -> None:
    command = ["sh", "-c", f'ulimit {limit}; exec "$@"', "sh", *casino(*SERVE, "--seats", "2")]
    async with start(command=command, stdin=subprocess.DEVNULL) as running, two_players(running) as (a, b):
        if fewer:
            await running.complaint_with('event="fewer connections" connections=22 wanted=512')
            await running.complaint_with("the system lets this process open 150 files; raise that with ulimit -n")
        await finish(running, a, b)
        assert (b"fewer connections" in running.err) == fewer


STRANGE = ("[bold red]Bo[/bold red]", "<img src=x onerror=alert(1)>", ":smile: $(id) %s {0}", "'; DROP TABLE a; --")


async def test_strange_avatar_is_shown_unchanged() -> None:
    words = (*SERVE, "--seats", "2", "--log-level", "info")
    for first, second in zip(STRANGE[::2], STRANGE[1::2], strict=True):
        async with start(*words, stdin=subprocess.DEVNULL) as running:
            port = await running.port()
            async with open_peer(port, f"a:{first}") as a:
                await running.line_with(f"+ {first} (1 here)")
                async with open_peer(port, f"b:{second}") as b:
                    await finish(running, a, b)
            await running.complaint_with(f'avatar="{first}"')
            standings = "\n".join(running.out).split("Standings")[1]
            assert first[:5] in standings
            assert second[:4] in standings


UNPRINTABLE = ("\x1b[2J", "\x1b]0;owned\x07", "a\u202eb", "a\x00b", "a\nb", "\x9b2J", "\u2066a", "\u200ba")


async def test_unprintable_avatar_is_refused_and_not_repeated() -> None:
    words = (*SERVE, "--seats", "2", "--log-level", "debug")
    async with start(*words, stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        for text in UNPRINTABLE:
            for name in (f"a:x{text}x", f"{text}:A", f"{text} without a colon", text * 20):
                async with open_peer(port, name) as peer:
                    await peer.hear_out()
                    assert peer.done is not None
                    assert peer.done.isprintable()
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            await finish(running, a, b)
    said = "\n".join(running.out) + running.err.decode()
    assert not [char for char in said if not char.isprintable() and char != "\n"]
    assert "owned" not in "\n".join(running.out)


SIGNALS = pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=lambda stop: stop.name)


async def test_latecomer_is_told_progress_and_when_to_return() -> None:
    async with serve() as running:
        port = await running.port()
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            asked = await first_asked(a, b)
            async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                late = b"".join([bytes(data) async for data in stream])
            await asked.say("fold")
            await finish(running, a, b)
    assert late[2:].startswith(b"done:the tournament is at hand 1 of 5; come back for the next one, in ")
    assert late.endswith(b" s at the latest")


@SIGNALS
async def test_an_interrupt_in_the_lobby_sends_everybody_home(stop: signal.Signals) -> None:
    async with start(*SERVE, "--seats", "3", stdin=subprocess.DEVNULL) as running, two_players(running) as (a, b):
        await running.line_with("(2 here)")
        running.process.send_signal(stop)
        for peer in (a, b):
            await peer.hear_out()
            assert peer.done == "the dealer closed the lobby before the tournament started"
            await peer.stream.aclose()
        outcome = await running.ended()
    assert outcome.code == 1
    assert outcome.complaint == ["casino: the lobby was closed before the tournament started"]


@SIGNALS
async def test_second_interrupt_prints_standings_at_once(stop: signal.Signals, tmp_path: Path) -> None:
    journal = tmp_path / "cut.journal"
    async with serve("--journal", journal) as running, two_players(running) as (a, b):
        await first_asked(a, b)
        running.process.send_signal(stop)
        await running.line_with("interrupt again")
        running.process.send_signal(stop)
        outcome = await running.ended()
    assert outcome.code == 130
    assert "Standings" in outcome.out
    assert "the same cards again" not in outcome.out
    assert f"play on with: casino resume {journal}" in outcome.out
    assert [record["type"] for record in play_of(journal)] == ["start", "services", "game", "desk"]


async def test_second_interrupt_with_a_lost_journal_promises_no_file(tmp_path: Path) -> None:
    journal = tmp_path / "lost.journal"
    async with serve("--journal", journal) as running, two_players(running) as (a, b):
        asked = await first_asked(a, b)
        journal.unlink()
        await running.line_with("No more hands for now: the journal was deleted or moved away.")
        await asked.say("fold")
        running.process.send_signal(signal.SIGTERM)
        await running.line_with("Stopping as soon as the journal can be written; interrupt again to stop at once.")
        running.process.send_signal(signal.SIGTERM)
        outcome = await running.ended()
    assert outcome.code == 130
    assert "Standings" in outcome.out
    assert f"casino resume {journal}" not in outcome.out
    assert "casino resume plays on with the journal as it was before it was lost" in " ".join(outcome.out.split())
    assert "is there and counts" not in outcome.err


async def test_interrupt_while_closing_still_prints_results(tmp_path: Path) -> None:
    """The end is on the disk by then, so there is nothing to be played on, and no reason to keep the seed."""
    journal = tmp_path / "goodbye.journal"
    words = (*SERVE[:-2], "--hands", "1", "--seats", "2", "--journal", journal)
    async with start(*words, stdin=subprocess.DEVNULL) as running, two_players(running) as (a, b):
        await (await first_asked(a, b)).say("fold")
        while not (a.done and b.done):
            await a.hear()
            await b.hear()
        running.process.send_signal(signal.SIGINT)
        await running.line_with("interrupt again")
        running.process.send_signal(signal.SIGINT)
        outcome = await running.ended()
    assert outcome.code == 0
    assert "the same cards again" in outcome.out
    assert "casino resume" not in outcome.out
    assert [record["type"] for record in play_of(journal)] == ["start", "services", "game", "hand", "end"]


async def test_a_port_in_use_is_told_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        outcome = await run("serve", "stud", "--no-page", "--host", "127.0.0.1", "--port", str(port), "--seats", "2")
        user = program_at(port)
    assert user is not None
    assert user.endswith(f" (process {os.getpid()})")
    assert outcome.code == 1
    assert outcome.complaint == [
        f"casino: cannot listen on port {port} of 127.0.0.1: Address already in use; "
        f"stop {user}, or choose another port with --port (0 takes any free one)"
    ]


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "x" * 70])
async def test_an_address_of_no_use_is_told_in_one_line(host: str) -> None:
    outcome = await run("serve", "stud", "--no-page", "--host", host, "--port", "0", "--seats", "2")
    assert outcome.code == 1
    (line,) = outcome.complaint
    assert line.startswith(f"casino: cannot listen on port 0 of {host}: ")


async def test_more_seats_than_the_roster_has_players_are_refused(tmp_path: Path) -> None:
    roster = tmp_path / "class.csv"
    roster.write_text("id,name\na,Ada\nb,Bob\n")
    outcome = await run("serve", "stud", "--no-page", "--no-journal", "--seats", "3", "--roster", roster)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.complaint == [f"casino: --seats 3 waits for more players than the 2 of {roster}"]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
async def test_avatar_is_shown_as_far_as_the_terminal_can(encoding: str, tmp_path: Path) -> None:
    avatars = ["[red]x[/red]", ":pizza:", "[/]", "שלום עולם", "👩\u200d💻 Ada"]
    async with start(
        *SERVE, "--seats", str(len(avatars)), stdin=subprocess.DEVNULL, PYTHONIOENCODING=encoding
    ) as running:
        port = await running.port()
        async with trio.open_nursery() as nursery:
            for number, avatar in enumerate(avatars):
                nursery.start_soon(fold_until_over, port, f"p{number}:{avatar}")
            outcome = await running.ended()
    assert outcome.code == 0
    for avatar in avatars:
        shown = avatar.encode(encoding, "replace").decode(encoding)
        assert f"  + {shown} (" in outcome.out
        assert shown in outcome.out.split("Place")[1]


async def fold_until_over(port: int, name: str) -> None:
    async with open_peer(port, name) as peer:
        await fold_to_the_end(peer)

"""``casino serve``: latecomers, interrupts, and what cannot be opened or used."""

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest
import trio

from dealer.net.acceptor import program_at
from tests.closings import play_of
from tests.end_to_end.casino import run, start
from tests.end_to_end.hosted import SERVE, finish, first_asked, fold_to_the_end, open_peer, serve, two_players

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
async def test_an_interrupt_in_an_empty_lobby_ends_it(stop: signal.Signals) -> None:
    async with serve() as running:
        await running.line_with("The tournament starts when 2 players are here.")
        running.process.send_signal(stop)
        assert (await running.ended()).code == 1


@SIGNALS
async def test_first_interrupt_ends_tournament_after_the_hand(stop: signal.Signals, tmp_path: Path) -> None:
    journal = tmp_path / "stopped.journal"
    async with serve("--journal", journal) as running, two_players(running) as (a, b):
        asked = await first_asked(a, b)
        running.process.send_signal(stop)
        await running.line_with("Stopping after this hand; interrupt again to stop at once.")
        await asked.say("fold")
        await finish(running, a, b)
    assert [record["type"] for record in play_of(journal)] == ["start", "services", "game", "desk", "hand", "end"]
    assert a.done is not None
    assert a.done.startswith("the tournament is over")


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

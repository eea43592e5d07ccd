"""``casino resume`` opens what was open, with the pace and the pause that the host had set."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import trio

from tests.dealer.support.raw_records import read_raw
from tests.end_to_end.casino import Running, start
from tests.end_to_end.guest import call, open_guest
from tests.end_to_end.hosted import first_asked, fold_all, held_ports, open_peer, two_players
from tests.end_to_end.test_desk_command import order

if sys.platform == "win32":
    pytest.skip("no such terminals there", allow_module_level=True)

from tests.end_to_end.terminal import open_terminal

SERVE = ("serve", "stud", "--host", "127.0.0.1", "--limit", "60", "--hands", "5", "--seats", "2", "--desk", "--fast")
EXTRA_PORTS = ("--feed-port", "--people-port")


@pytest.fixture
def ports() -> Iterator[list[str]]:
    """Flags with a port for everything that a dealer can open."""
    with held_ports("--port", "--line-port", "--page-port", *EXTRA_PORTS) as held:
        yield held


@pytest.fixture
def few_ports(ports: list[str]) -> list[str]:
    """The same, but for nothing that only some hosts open."""
    return ports[: -2 * len(EXTRA_PORTS)]


async def opened(running: Running) -> list[str]:
    """What the dealer says it has opened, in its own order."""
    await running.line_with("Write on the board")
    await running.line_with("The tournament ")
    return [line for line in running.out if "port " in line or "For browsers" in line]


async def killed_in_pause(journal: Path, *words: str) -> list[str]:
    """Play until the host has paused and set a pace, and kill the dealer; what it had opened."""
    async with start(*SERVE, *words, "--journal", journal, stdin=subprocess.DEVNULL) as running:
        told = await opened(running)
        token = (await running.line_with("desk token")).split()[-1]
        place = (await running.line_with("For browsers")).split()[-1]
        async with two_players(running) as (a, b):
            await first_asked(a, b)
            for said in (("pace", "0.5"), ("pause",)):
                assert (await order(place, token, *said, "--yes")).code == 0
            running.process.kill()
            await running.process.wait()
    return told


async def test_everything_is_open_again_and_paused(ports: list[str], tmp_path: Path) -> None:
    journal = tmp_path / "j"
    told = await killed_in_pause(journal, *ports, "--people", "3")
    async with start("resume", journal, stdin=subprocess.DEVNULL) as running:
        assert await opened(running) == told
        token = (await running.line_with("desk token (a new one; the one from before no longer works)")).split()[-1]
        place = (await running.line_with("For browsers")).split()[-1]
        async with two_players(running) as (a, b):
            await running.line_with("The tournament is paused, as it was when its dealer stopped.")
            shown = await order(place, token, "show")
            assert shown.out.startswith("playing, paused; pace: at least 0.5 s a hand")
            running.process.kill()
            await running.process.wait()
            assert {a.done, b.done} == {None}
    services = [record for record in read_raw(journal) if record["type"] == "services"]
    assert len(services) == 2
    assert services[0] == services[1]


async def test_flags_override_what_was_open(ports: list[str], tmp_path: Path) -> None:
    journal = tmp_path / "j"
    await killed_in_pause(journal, *ports, "--people", "3")
    words = ("--no-page", "--people", "5")
    async with start("resume", journal, *words, stdin=subprocess.DEVNULL) as running:
        told = await opened(running)
        assert [line for line in told if "browsers" in line] == []
        assert "with 5 min a reply" in "".join(told)
        async with two_players(running) as (a, b):
            await fold_all(a, b)
            assert (await running.ended()).code == 0


@pytest.mark.parametrize("terminal", [True, False])
async def test_pause_without_a_desk(terminal: bool, few_ports: list[str], tmp_path: Path) -> None:
    """At a terminal the host is asked; where nobody can say a word, the tournament goes on."""
    journal = tmp_path / "j"
    await killed_in_pause(journal, *few_ports)
    if not terminal:
        async with start("resume", journal, "--no-page", stdin=subprocess.DEVNULL) as running:
            async with two_players(running) as (a, b):
                await running.line_with("The tournament was paused, and goes on")
                await fold_all(a, b)
                assert (await running.ended()).code == 0
        return
    async with open_terminal("resume", journal, "--no-page") as host:
        port = await host.port()
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            await host.until("The tournament is paused, as it was when its dealer stopped.")
            await host.until("What now? ")
            await host.press(b"g\n")
            await host.until("The tournament goes on.")
            await fold_all(a, b)
        await host.until("n and Enter opens the lobby for the next tournament")
        await host.press(b"\n")
        assert await host.ended() == 0


async def test_league_obeys_flags_and_leaves_a_page_port_that_is_taken(ports: list[str], tmp_path: Path) -> None:
    journal = tmp_path / "j"
    page_port = int(ports[ports.index("--page-port") + 1])
    agreed = ("--hands", "5", "--limit", "60", "--journal", journal)
    words = ("league", "stud", "caller", *agreed, "--page-port", str(page_port))
    async with open_guest() as guest:
        async with start(*words, "--bot-cmd", guest.command, stdin=subprocess.DEVNULL) as league:
            peer = await guest.log_in()
            await call(peer, questions=3)
            league.process.kill()
            await league.process.wait()
            await guest.end()
        orders = ("--show", "0.05")
        while True:  # the page ends a moment after its dealer
            with suppress(OSError), socket.create_server(("0.0.0.0", page_port)):
                break
            await trio.sleep(0.01)
        with socket.create_server(("0.0.0.0", page_port)):
            async with start("resume", journal, *orders, stdin=subprocess.DEVNULL) as again:
                await again.line_with(f"Port {page_port} is taken, so the page for browsers is at port ")
                await guest.call_to_the_end()
                assert (await again.ended()).code == 0
    orders_given = [record["command"] for record in read_raw(journal) if record["type"] == "desk"]
    assert orders_given == ["length"]


@pytest.mark.parametrize(("flag", "record"), [("--port", "port"), ("--feed-port", "feed_port")])
async def test_program_at_a_port_from_before_is_named(flag: str, record: str, ports: list[str], tmp_path: Path) -> None:
    journal = tmp_path / "j"
    await killed_in_pause(journal, *ports, "--people", "3")
    services = next(told for told in read_raw(journal) if told["type"] == "services")
    port = services[record] if record in services else services["ports"]["numbers"][record]
    with socket.create_server(("127.0.0.1", port)):
        async with start("resume", journal, stdin=subprocess.DEVNULL) as running:
            outcome = await running.ended()
    assert outcome.code == 1
    (line,) = outcome.complaint
    assert f"on port {port} of 127.0.0.1: Address already in use; stop " in line
    assert f"(process {os.getpid()}), or choose another port with {flag} (0 takes any free one)" in line


async def test_lobby_that_closes_says_that_the_tournament_can_be_resumed_again(
    few_ports: list[str], tmp_path: Path
) -> None:
    journal = tmp_path / "j"
    await killed_in_pause(journal, *few_ports)
    async with start("resume", journal, stdin=subprocess.DEVNULL) as running:
        async with open_peer(await running.port(), "a:A") as a:
            await running.line_with("(1 here)")
            running.process.send_signal(signal.SIGINT)
            await a.hear_out()
            await a.stream.aclose()
            outcome = await running.ended()
    reason = "the dealer closed the lobby before play went on; the tournament can be resumed again"
    assert a.done == reason
    assert outcome.code == 1
    assert "before play went on; nothing is lost, the journal can be resumed again" in outcome.err

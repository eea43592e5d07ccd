"""Hosted tournaments: orders from another terminal, output that is lost, and what `casino resume` opens again."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio

from dealer.errors import TornError
from tests.dealer.support.raw_records import play_of, read_raw
from tests.docs.pages import assert_keys
from tests.end_to_end.casino import ENVIRONMENT, Outcome, Running, casino, run, start, without_stalls
from tests.end_to_end.forked import run_forked
from tests.end_to_end.guest import call, open_guest
from tests.end_to_end.hosted import PORTS, SERVE, first_asked, fold_all, held_ports, open_peer, two_players
from tests.end_to_end.terminal import open_terminal
from tests.patience import PATIENCE

#: What is told of each program of the ACPC, where its time is limited.
ACPC_TIME = {"state.players[].seconds_used", "state.players[].seconds_allowed"}

#: What is told of each failed login, where there was one.
FAILED_LOGIN = {
    f"state.failed_logins[].{name}" for name in ("time", "times", "address", "port", "kind", "reason", "id", "sent")
}

#: What is told of each fault, where there was one.
INCIDENT = {
    f"state.incidents[].{name}"
    for name in ("time", "times", "id", "avatar", "hand", "kind", "reason", "sent", "effect")
}

WITH_DESK = ("serve", "stud", *PORTS, "--page-port", "0", "--limit", "30", "--hands", "1000", "--desk", "--fast")


@asynccontextmanager
async def hosted(*words: str | Path) -> AsyncIterator[tuple[Running, str, str]]:
    """A dealer with a desk: its process, where the desk is, and the token."""
    async with start(*WITH_DESK, *words, stdin=subprocess.DEVNULL) as running:
        token = (await running.line_with("desk token")).split()[-1]
        place = (await running.line_with("For browsers")).split()[-1]
        yield running, place, token


async def order(place: str, token: str | None, *words: str, folder: Path | None = None) -> Outcome:
    """Run ``casino desk`` to its end, without a terminal, in a folder of its own if one is given."""
    variables = {} if token is None else {"CASINO_TOKEN": token}
    with trio.fail_after(PATIENCE):
        done = await run_forked(["desk", place, *words], b"", ENVIRONMENT, folder, variables)
    outcome = Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert token is None or token not in outcome.out + outcome.err
    return outcome


async def test_desk_starts_and_ends_a_tournament_remotely(tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    async with hosted("--journal", journal) as (running, place, token):
        refused = await order(place, token, "start", "--yes")
        assert (refused.code, refused.out) == (1, "")
        assert refused.complaint == ["casino: nobody is here, and it takes 2 to start"]
        port = await running.port()
        async with open_peer(port, "a:Amit"), open_peer(port, "b:Brian"):
            await running.line_with("(2 here)")
            shown = await order(place, token, "show")
            assert shown.out.splitlines() == [
                "lobby; pace: as fast as it goes", "  Amit (id=a)", "  Brian (id=b)"
            ]  # fmt: skip
            started = await order(place.removeprefix("http://").strip("/"), token, "start", "--yes")
            assert (started.code, started.out) == (0, "The tournament starts with 2 players.\n")
            await running.line_with("The tournament starts with 2 players.")
            told = await order(place, token, "pace", "2.5", "--yes", "--json")
            facts = json.loads(told.out)
            assert_keys(
                "## casino desk",
                facts,
                absent={"error", "state.least", "state.awaited", "file", "bytes", *ACPC_TIME, *INCIDENT, *FAILED_LOGIN},
            )
            assert facts["said"] == "A hand now takes at least 2.5 s."
            assert facts["state"]["pace"] == 2.5
            removed = await order(place, token, "remove", "Amit", "two", "programs", "--yes")
            assert removed.out == "Amit is out after the hand under way at its table.\n"
            ended = await order(place, token, "end", "--yes")
            assert ended.code == 0
        outcome = await running.ended()
    assert outcome.code == 0
    assert token not in outcome.err
    assert outcome.out.count(token) == 1
    assert token.encode() not in journal.read_bytes()
    orders = [told["command"] for told in read_raw(journal) if told["type"] == "desk"]
    assert orders == ["pace", "remove", "end"]
    assert (await run("verify", journal)).code == 0


async def test_desk_order_that_is_refused_prints_one_line() -> None:
    async with hosted("--no-journal") as (_, place, token):
        wrong = await order(place, "wrong", "show")
        assert (wrong.code, wrong.complaint) == (1, ["casino: this is not the token that the dealer's terminal shows"])
        nobody = await order(place, token, "end")
        assert nobody.code == 2
        assert nobody.complaint == ["casino: there is no terminal to confirm this at: give --yes"]
        no_token = await order(place, None, "show")
        assert no_token.code == 2
        assert no_token.complaint == [
            "casino: no token: put the one that the dealer's terminal shows into CASINO_TOKEN"
        ]


USAGE = {
    "ftp://1.2.3.4": ("show",),
    "http://1.2.3.4/x": ("show",),
    "1.2.3.4:99999": ("show",),
    "1.2.3.4": ("pace",),
    "1.2.3.5": ("pace", "fast"),
    "1.2.3.6": ("remove", "Steph"),
    "1.2.3.7": ("end", "now"),
    "1.2.3.8": ("readmit",),
}


@pytest.mark.parametrize(("place", "words"), USAGE.items(), ids=[" ".join(words) for words in USAGE.values()])
async def test_desk_order_that_is_wrong_is_refused_before_sending(place: str, words: tuple[str, ...]) -> None:
    outcome = await order(place, "a-token", *words, "--yes")
    assert outcome.code == 2
    (line,) = outcome.complaint
    assert line.startswith("casino: ")


async def test_desk_without_dealer_prints_one_line() -> None:
    outcome = await order("127.0.0.1:1", "x", "show")
    assert outcome.code == 1
    assert outcome.complaint == ["casino: no answer from 127.0.0.1:1: Connection refused"]


async def test_a_page_without_a_desk_says_so() -> None:
    async with start(
        "serve", "stud", *PORTS, "--page-port", "0", "--no-journal", "--wait", "1000", stdin=subprocess.DEVNULL
    ) as running:
        place = (await running.line_with("For browsers")).split()[-1]
        outcome = await order(place, "x", "show")
    assert outcome.code == 1
    assert "its dealer must be started with --desk" in outcome.err


@pytest.mark.parametrize(("typed", "code"), [("yes", 0), ("no", 1), ("", 1)])
async def test_at_a_terminal_the_token_and_a_yes_are_asked_for(typed: str, code: int) -> None:
    async with hosted("--no-journal") as (running, place, token):
        port = await running.port()
        async with open_peer(port, "a:Amit"), open_peer(port, "b:Brian"):
            await running.line_with("(2 here)")
            async with open_terminal("desk", place, "start") as host:
                while "yes or no: " not in host.seen:
                    await host.read_more()
                await host.press(f"{typed}\n".encode())
                if code == 0:
                    while "token: " not in host.seen:
                        await host.read_more()
                    await host.press(f"{token}\n".encode())
                assert await host.ended() == code
    assert "Start the tournament with everybody who is here" in host.seen
    assert token not in host.seen
    assert ("nothing was done" in host.seen) == (code == 1)


# A tournament whose output can no longer be written is played to its end.

LEAGUE = ("league", "stud", "caller", "tight", "--hands", "3", "--limit", "60", "--journal")


def shell(words: list[str], rest: str) -> subprocess.CompletedProcess[str]:
    """Run a command line with redirections."""
    script = f'"$@" {rest}'
    command = ["sh", "-c", script, "sh", *words]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    done.stderr = without_stalls(done.stderr)
    return done


def types(journal: Path) -> list[str]:
    try:
        return [record["type"] for record in play_of(journal)]
    except TornError:  # a batch is being written
        return []


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ("2>/dev/full", 0),
        ("2>&-", 0),
        (">&-", 0),
        (">&- 2>&- <&-", 0),
        (">/dev/full", 1),
        (">/dev/full 2>/dev/full", 1),
        ("--json >/dev/full", 1),
    ],
)
def test_league_is_played_to_its_end(rest: str, code: int, tmp_path: Path) -> None:
    journal = tmp_path / "j"
    done = shell(casino(*LEAGUE, journal), rest)
    assert done.returncode == code
    assert types(journal)[-1] == "end"
    assert "Traceback" not in done.stderr
    if code and "2>" not in rest:
        why = "standard output cannot be written (No space left on device)"
        assert done.stderr.splitlines() == [
            f"casino: {why}; the tournament goes on without it",
            f"casino: the results are lost: {why}",
        ]


def test_closed_descriptors_are_taken_by_nothing_else(tmp_path: Path) -> None:
    """Else the journal or a connection would be standard error."""
    watch = "import os,sys; from dealer.cli.streams import open_standard_streams as o; o(); print(os.open('/', 0))"
    done = shell([sys.executable, "-c", watch], "<&- 2>&-")
    assert int(done.stdout) > 2


@pytest.mark.parametrize("words", [["bots"], ["--version"], ["verify", "--help"]])
def test_other_commands_end_with_a_sentence(words: list[str]) -> None:
    done = shell(casino(*words), ">/dev/full")
    assert (done.returncode, done.stderr) == (1, "casino: cannot write the output: No space left on device\n")


#: A program that ends before it connects. Its exit code must reach ``set -o pipefail; casino check ... | head``.
FAILING = ["--", "false", "{port}"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["bots"], 0),
        (["bots", "--json"], 0),
        (["--version"], 0),
        (["league", "--help"], 0),
        (["check", "stud", *FAILING], 1),
        (["check", "stud", "--json", *FAILING], 1),
    ],
)
def test_reader_that_has_seen_enough_is_no_error_and_hides_none(words: list[str], code: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        casino(*words), stdout=writer, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False, timeout=PATIENCE
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (code, b"")


async def test_readers_gone_in_play_end_nothing(tmp_path: Path) -> None:
    """Both pipes lose their readers while a hand is played; faults are logged and hands finished after that."""
    journal = tmp_path / "j"
    process = await trio.lowlevel.open_process(
        casino(*SERVE, "--seats", "3", "--journal", journal),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    text = b""
    while b"The tournament starts when" not in text:
        text += await process.stdout.receive_some()
    port = int(text.split(b"port ")[1].split()[0])
    async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b, open_peer(port, "c:C") as c:
        asked = await first_asked(a, b, c)
        await process.stdout.aclose()
        await process.stderr.aclose()
        await asked.say("nonsense")
        await fold_all(a, b, c)
    assert await process.wait() == 1  # the results could not be printed
    assert "end" in types(journal)


async def test_reader_that_stands_still_does_not_stop_the_tables(tmp_path: Path) -> None:
    """The pipe is full before the dealer starts, and is read when the tournament is over."""
    journal = tmp_path / "j"
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while os.write(writing, b"." * 4096):
            pass
    os.set_blocking(writing, True)
    process = await trio.lowlevel.open_process(
        casino(*LEAGUE, journal), stdin=subprocess.DEVNULL, stdout=writing, stderr=writing, env=ENVIRONMENT
    )
    os.close(writing)
    async with trio.lowlevel.FdStream(reading) as stream:
        with trio.fail_after(PATIENCE):
            while not journal.exists() or "end" not in types(journal):
                await trio.sleep(0.05)  # the journal is a file of another process, which tells nobody
        text = b"".join([bytes(data) async for data in stream])
    assert await process.wait() == 0
    assert "Standings" in text.decode()


# ``casino resume`` opens what was open, with the pace and the pause that the host had set.


OPEN = ("serve", "stud", "--host", "127.0.0.1", "--limit", "60", "--hands", "5", "--seats", "2", "--desk", "--fast")
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
    async with start(*OPEN, *words, "--journal", journal, stdin=subprocess.DEVNULL) as running:
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

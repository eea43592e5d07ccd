"""``casino desk`` against ``casino serve --desk``: orders from another terminal, and what cannot be ordered."""

import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from tests.dealer.support.raw_records import read_raw
from tests.docs.pages import assert_keys
from tests.end_to_end.casino import ENVIRONMENT, Outcome, Running, run, start
from tests.end_to_end.forked import run_forked
from tests.end_to_end.hosted import PORTS, open_peer
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

SERVE = ("serve", "stud", *PORTS, "--page-port", "0", "--limit", "30", "--hands", "1000", "--desk", "--fast")


@asynccontextmanager
async def hosted(*words: str | Path) -> AsyncIterator[tuple[Running, str, str]]:
    """A dealer with a desk: its process, where the desk is, and the token."""
    async with start(*SERVE, *words, stdin=subprocess.DEVNULL) as running:
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

"""Two tournaments in a row with the same page, ports and players, and what the host takes home of each."""

import json
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest
import trio

from dealer.journal.records import read_journal
from tests.bad_bots.peer import Peer
from tests.end_to_end.casino import Running, run, start
from tests.end_to_end.hosted import PORTS, fold_to_the_end, open_peer
from tests.end_to_end.terminal import CTRL_C, open_terminal
from tests.end_to_end.test_desk_command import order

FAST = ("--fast", "--limit", "60", "--hands", "2", "--seats", "2")
SERVE = ("serve", "stud", *PORTS, "--page-port", "0", *FAST)


async def fold(*peers: Peer) -> None:
    """Fold until the tournament is over."""
    async with trio.open_nursery() as nursery:
        for peer in peers:
            nursery.start_soon(fold_to_the_end, peer)


async def lines_with(running: Running, text: str, count: int) -> None:
    """Wait until so many lines hold a text."""
    while sum(text in line for line in running.out) < count:
        await running._more.wait()


def players_of(journal: Path) -> list[tuple[str, str]]:
    """Ids and avatars in the start record."""
    first = next(iter(read_journal(journal)))
    return [(player["id"], player["avatar"]) for player in first["players"]]


@pytest.mark.slow
async def test_desk_hosts_a_second_tournament_and_takes_both_home(tmp_path: Path) -> None:
    journal, second = tmp_path / "friday.journal", tmp_path / "friday-2.journal"
    words = ("--desk", "--feed-port", "0", "--seed", "monday", "--journal", journal)
    async with start(*SERVE, *words) as running:
        token = (await running.line_with("desk token")).split()[-1]
        place = (await running.line_with("For browsers")).split()[-1]
        port = await running.port()
        early = await order(place, token, "next", "--yes")
        assert early.complaint == [
            "casino: the tournament has not started yet; start it, and ask for the next one then"
        ]
        none = await order(place, token, "download", "report")
        assert none.complaint == ["casino: the tournament has not started yet"]
        async with open_peer(port, "a:Steph") as a, open_peer(port, "b:Steph") as b:
            await running.line_with("The tournament starts with 2 players.")
            told = await order(place, token, "next", "--yes")
            assert told.out.startswith("The lobby opens again as soon as this tournament is over")
            again = await order(place, token, "next", "--yes")
            assert again.complaint == ["casino: the next tournament is asked for already"]
            await fold(a, b)
        await lines_with(running, f"port {port}", 2)  # the lobby is open again
        await running.line_with(str(second))
        shown = await order(place, token, "show", "--json")
        state = json.loads(shown.out)["state"]
        assert (state["phase"], state["tournament"]) == ("lobby", 2)
        assert state["awaited"] == ["Steph (id=a)", "Steph (2) (id=b)"]
        health = json.loads(await trio.to_thread.run_sync(lambda: urlopen(f"{place}healthz").read()))
        assert health == {"status": "ok", "phase": "lobby", "tournament": 2}
        await take_home(place, token, tmp_path)
        async with open_peer(port, "b:Steph") as b, open_peer(port, "a:Steph") as a:
            await lines_with(running, "The tournament starts with 2 players.", 2)
            so_far = await order(place, token, "download", "journal", str(tmp_path / "so-far"))
            assert so_far.code == 0
            await fold(a, b)
        outcome = await running.ended()
    assert outcome.code == 0
    assert players_of(journal) == players_of(second) == [("a", "Steph"), ("b", "Steph (2)")]
    seeds = [next(iter(read_journal(path)))["seed_text"] for path in (journal, second)]
    assert seeds == ["monday", "monday-2"]
    for path in (journal, second):
        assert (await run("verify", path)).code == 0


async def take_home(place: str, token: str, folder: Path) -> None:
    """Fetch all that there is of the first tournament."""
    fetched = {name: folder / f"taken.{name}" for name in ("journal", "report", "grades")}
    for name, path in fetched.items():
        done = await order(place, token, "download", name, str(path), "--tournament", "1")
        assert done.code == 0, done.err
        assert str(path) in done.out
    assert fetched["journal"].read_bytes() == (folder / "friday.journal").read_bytes()
    with zipfile.ZipFile(fetched["report"]) as packed:
        assert packed.read("friday/grades.csv") == fetched["grades"].read_bytes()
        assert "friday/index.html" in packed.namelist()
    assert b"Steph (2)" in fetched["grades"].read_bytes()
    again = await order(place, token, "download", "grades", str(fetched["grades"]))
    assert again.complaint[0].startswith(f"casino: {fetched['grades']} exists already")
    wrong = await order(place, token, "download", "grades", "--tournament", "2")
    assert wrong.complaint == ["casino: there is no tournament 2; they have the numbers 1 to 1"]


@pytest.mark.slow
async def test_host_at_the_terminal_asks_for_the_next_tournament(tmp_path: Path) -> None:
    async with open_terminal(*SERVE, "--journal", tmp_path / "a") as terminal:
        port = await terminal.port()
        for _ in range(2):
            async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
                await fold(a, b)
            await terminal.until("n and Enter opens the lobby for the next tournament")
            await terminal.press(b"n\n")
            await terminal.until("Players who are expected back: A (id a), B (id b).")
            await terminal.until("? lists the keys")
        await terminal.press(CTRL_C)
        await terminal.until("Closing the lobby: nothing has been played yet, and no player is here.")
        assert await terminal.ended() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a-2"]

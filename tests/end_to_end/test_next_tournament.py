"""Two tournaments in a row with the same page, ports and players, and what the host takes home of each."""

import json
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest
import trio

from dealer.hosting.series import next_journal
from tests.dealer.support.feeds import Event, Reader
from tests.dealer.support.raw_records import read_raw
from tests.end_to_end.casino import Running, run, start
from tests.end_to_end.hosted import PORTS, first_asked, fold_all, held_ports, open_peer
from tests.end_to_end.terminal import CTRL_C, Terminal, open_terminal
from tests.end_to_end.test_hosting import order

FAST = ("--fast", "--limit", "60", "--hands", "2", "--seats", "2")
SERVE = ("serve", "stud", *PORTS, "--page-port", "0", *FAST)
NO_PAGE = ("serve", "stud", *PORTS, "--no-page", *FAST)
ASKED = "n and Enter opens the lobby for the next tournament; Enter alone, or Ctrl-C, ends the dealer."


async def lines_with(running: Running, text: str, count: int) -> None:
    """Wait until so many lines hold a text."""
    while sum(text in line for line in running.out) < count:
        await running._more.wait()


def players_of(journal: Path) -> list[tuple[str, str]]:
    """Ids and avatars in the start record."""
    first = next(iter(read_raw(journal)))
    return [(player["id"], player["avatar"]) for player in first["players"]]


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
            await fold_all(a, b)
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
            await fold_all(a, b)
        outcome = await running.ended()
    assert outcome.code == 0
    assert players_of(journal) == players_of(second) == [("a", "Steph"), ("b", "Steph (2)")]
    seeds = [next(iter(read_raw(path)))["seed_text"] for path in (journal, second)]
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


async def test_host_at_the_terminal_asks_for_the_next_tournament(tmp_path: Path) -> None:
    async with open_terminal(*SERVE, "--journal", tmp_path / "a") as terminal:
        port = await terminal.port()
        for _ in range(2):
            async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
                await fold_all(a, b)
            await terminal.until("n and Enter opens the lobby for the next tournament")
            await terminal.press(b"n\n")
            await terminal.until("Players who are expected back: A (id a), B (id b).")
            await terminal.until("? lists the keys")
        await terminal.press(CTRL_C)
        await terminal.until("Closing the lobby: nothing has been played yet, and no player is here.")
        assert await terminal.ended() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a-2"]


async def play(terminal: Terminal, port: int) -> None:
    """Play a tournament of two at a dealer without a page, until the host is asked for another one."""
    async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
        await fold_all(a, b)
    await terminal.until(ASKED)


async def test_terminal_without_a_page_has_a_next_tournament_and_its_own_journal(tmp_path: Path) -> None:
    first, taken, third = (tmp_path / name for name in ("friday.journal", "friday-2.journal", "friday-3.journal"))
    taken.write_bytes(b"of last week")
    async with open_terminal(*NO_PAGE, "--journal", first, "--seed", "monday") as terminal:
        port = await terminal.port()
        await play(terminal, port)
        kept = first.read_bytes()
        await terminal.press(b"n\n")
        await terminal.until(f"journal: {third}")
        await terminal.until("Players who are expected back: A (id a), B (id b).")
        await play(terminal, port)
        await terminal.press(b"\n")
        assert await terminal.ended() == 0
    assert (first.read_bytes(), taken.read_bytes()) == (kept, b"of last week")
    assert [next(iter(read_raw(path)))["seed_text"] for path in (first, third)] == ["monday", "monday-2"]


@pytest.mark.parametrize("answer", [CTRL_C, b"\x04", b"no\n"], ids=["Ctrl-C", "end of input", "another answer"])
async def test_a_dealer_without_a_page_ends_unless_the_host_wants_more(answer: bytes) -> None:
    async with open_terminal(*NO_PAGE, "--no-journal") as terminal:
        await play(terminal, await terminal.port())
        await terminal.press(answer)
        assert await terminal.ended() == 0
        assert "Write on the board" not in terminal.seen


def numbered(reader: Reader) -> tuple[int, list[Event]]:
    """The tournament that a connection to the feed told, and its events, whose numbers have no gap."""
    hello, *events = reader.events
    assert [event["n"] for event in events] == [hello["n"] + count for count in range(1, len(events) + 1)]
    return hello["tournament"], events


async def test_feed_tells_each_of_two_tournaments_from_its_lobby_to_its_end() -> None:
    async with open_terminal(*NO_PAGE, "--no-journal", "--feed-port", "0") as terminal:
        await terminal.until("The spectator feed for programs: port ")
        while "\n" not in terminal.seen:
            await terminal.read_more()
        feed, port = int(terminal.seen.split()[0]), await terminal.port()
        whole = [await listen_while_played(terminal, feed, port)]
        async with await trio.open_tcp_stream("127.0.0.1", feed) as early:
            early_reader = Reader(early)
            await terminal.press(b"n\n")
            await terminal.until("? lists the keys")
            await early_reader.until("hello")  # which comes when the lobby opens
            async with open_peer(port, "b:B") as b, open_peer(port, "a:A") as a:
                asked = await first_asked(a, b)
                await early_reader.until("start")
                async with await trio.open_tcp_stream("127.0.0.1", feed) as late:
                    late_reader = Reader(late)
                    await late_reader.until("hello")
                    await early.aclose()  # and connects again, in the middle of the tournament
                    async with await trio.open_tcp_stream("127.0.0.1", feed) as again:
                        back = Reader(again)
                        await back.until("hello")
                        await asked.say("fold")
                        async with trio.open_nursery() as nursery:
                            for reader in (late_reader, back):
                                nursery.start_soon(reader.read_all)
                            await fold_all(a, b)
        await terminal.until(ASKED)
        await terminal.press(b"\n")
        assert await terminal.ended() == 0
    whole.append(back)
    (first, told), (second, later) = map(numbered, whole)
    assert (first, second) == (1, 2)
    assert early_reader.events[0]["n"] == 0, "the numbers begin anew with the lobby"
    assert early_reader.events[-1]["n"] <= back.events[0]["n"], "what was told before, and from there on"
    assert numbered(late_reader) == (second, later)
    assert told[-1]["type"] == later[-1]["type"] == "end"
    commitments = [reader.events[0]["commitment"] for reader in (whole[0], early_reader, back)]
    assert commitments[0] != commitments[1] == commitments[2]


async def listen_while_played(terminal: Terminal, feed: int, port: int) -> Reader:
    """What a program hears that listens to a tournament from its lobby on."""
    async with await trio.open_tcp_stream("127.0.0.1", feed) as stream:
        reader = Reader(stream)
        await reader.until("hello")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(reader.read_all)
            await play(terminal, port)
    return reader


async def test_a_suspended_tournament_is_resumed_and_followed_by_another(tmp_path: Path) -> None:
    journal, second = tmp_path / "j", tmp_path / "j-2"
    with held_ports("--port", "--line-port") as ports:
        words: list[str | Path] = ["--host", "127.0.0.1", *ports, "--no-page", *FAST, "--journal", journal]
        async with open_terminal("serve", "stud", *words) as terminal:
            port = await terminal.port()
            async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
                asked = await first_asked(a, b)
                await terminal.press(CTRL_C)
                await terminal.until("What now? ")
                await terminal.press(b"s\n")
                await terminal.until("Suspending after this hand.")
                await asked.say("fold")
                await fold_all(a, b)
            assert await terminal.ended() == 0, "a tournament that goes on another day has no next one"
            assert ASKED not in terminal.seen
        async with open_terminal("resume", journal, "--no-page") as terminal:
            await play(terminal, await terminal.port())
            await terminal.press(b"n\n")
            await terminal.until(f"journal: {second}")
            await terminal.until("Players who are expected back: A (id a), B (id b).")
            await play(terminal, port)
            await terminal.press(b"\n")
            assert await terminal.ended() == 0
    assert players_of(journal) == players_of(second)
    for path in (journal, second):
        assert [record["type"] for record in read_raw(path)].count("start") == 1
        assert (await run("verify", path)).code == 0


def test_journals_of_a_series_are_numbered_on(tmp_path: Path) -> None:
    (tmp_path / "friday.journal").touch()
    (tmp_path / "friday-2.journal").touch()
    assert next_journal(tmp_path / "friday.journal", 2).name == "friday-3.journal"
    assert next_journal(tmp_path / "friday-2.journal", 2).name == "friday-3.journal", "resumed, and followed by another"
    assert next_journal(tmp_path / "2026-11-24.journal", 2).name == "2026-11-24-2.journal", "a date is no number"

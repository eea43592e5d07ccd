"""Leagues of hold'em in real processes: presets, limits, and many tables with blinds that rise."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
import trio

from dealer.errors import JournalError
from protocol.games.base import Action
from protocol.games.holdem_turn import HoldemTurn
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.recorded import read_records
from tests.dealer.support.rig import Client, Decide, call, good_clients
from tests.end_to_end.casino import run, start, verified_league
from tests.end_to_end.guest import Guest, open_guest


@pytest.mark.parametrize(
    "flags",
    [
        ("--preset", "royale"),
        ("--preset", "cornell", "--hands", "20"),
        ("--betting", "fixed-limit", "--hands", "20", "--ante", "1"),
        ("--betting", "pot-limit", "--hands", "20", "--straddle", "20"),
    ],
)
async def test_a_league_is_played_and_verified(flags: tuple[str, ...], tmp_path: Path) -> None:
    facts = await verified_league(tmp_path / "j", "holdem", "simple", "caller", "sklansky", *flags)
    assert sum(standing["chips"] for standing in facts["standings"]) == 3 * facts["agreed"]["stack"]
    assert not any(standing["faults"] for standing in facts["standings"])


async def test_many_tables_come_down_to_one_player_with_all_chips(tmp_path: Path) -> None:
    """Players move between tables, some of them to a seat where they wait for a hand."""
    bots = [bot for bot in ("caller", "random", "simple") for _ in range(4)]
    facts = await verified_league(tmp_path / "j", "holdem", *bots, "--table-size", "4", "--levels", "15")
    assert [standing["chips"] for standing in facts["standings"]] == [12_000] + [0] * 11
    types = Counter(record["type"] for record in read_records(tmp_path / "j"))
    assert (types["out"], types["move"] > 0, types["level"] > 0) == (11, True, True)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
async def test_a_league_killed_at_a_level_of_a_table_goes_on_with_its_stakes(tmp_path: Path) -> None:
    """The journal alone knows the table: its file is gone when the league is resumed."""
    path, levels = tmp_path / "j", tmp_path / "levels.toml"
    table = [(10, 5, 10, 0), (10, 7, 14, 2), (200, 20, 40, 9), (10, 300, 600, 0), (1, 1000, 3000, 500)]
    levels.write_text(
        "".join(
            f"[[level]]\nhands = {hands}\nsmall_blind = {small}\nbig_blind = {big}\nante = {ante}\n"
            for hands, small, big, ante in table
        )
    )

    def kill_at_level_3(turn: HoldemTurn) -> Action:
        """No table plays a hand without replies of the test, so each is in its first hand of level 3, or before it."""
        if len(of_type(path, "level")) == 2:
            running.process.kill()
        return call(turn)

    async with AsyncExitStack() as stack:
        guests = [await stack.enter_async_context(open_guest()) for _ in range(9)]
        flags = ["--betting", "fixed-limit", "--stack", "5000", "--table-size", "3", "--level-table", str(levels)]
        words = ["league", "holdem", *(f"--bot-cmd={guest.command}" for guest in guests), *flags]
        words += ["--seed", "x", "--limit", "60", "--journal", str(path)]
        async with start(*words, stdin=subprocess.DEVNULL) as running:
            await play_all(guests, kill_at_level_3)
            await running.process.wait()
        levels.unlink()
        before = of_type(path, "hand")
        assert len(before) > 20
        assert max(hand["level"] for hand in before) <= 3
        async with start("resume", path, stdin=subprocess.DEVNULL) as running:
            await play_all(guests, call)
            resumed = await running.ended()
    assert resumed.code == 0, resumed.err
    counted = f"{path}: {len(before)} hands finished; hands that were under way do not count."
    assert counted in resumed.out.splitlines(), "at all three tables"
    verified = await run("verify", path)
    assert verified.code == 0, verified.err
    assert "45000 chips, all of them where they should be" in verified.out
    hands = of_type(path, "hand")
    assert hands[: len(before)] == before
    assert [record["level"] for record in of_type(path, "level")] == [2, 3, 4, 5]
    assert hands[-1]["level"] == len(table)
    replayed = await run("replay", path, "--json")
    told = [json.loads(line) for line in replayed.out.splitlines() if '"type": "level"' in line]
    names = ("small_blind", "big_blind", "ante")
    assert [tuple(note["stakes"].get(name, 0) for name in names) for note in told] == [level[1:] for level in table[1:]]


async def play_all(guests: Sequence[Guest], decide: Decide) -> None:
    """Play for all guests until the tournament is over or its dealer is killed."""

    async def play(guest: Guest, client: Client) -> None:
        async with await trio.open_tcp_stream("127.0.0.1", await guest.started()) as stream:
            with suppress(AssertionError, trio.BrokenResourceError):  # the dealer is gone
                await client.play(stream)
        await guest.end()

    async with trio.open_nursery() as nursery:
        for guest, client in zip(guests, good_clients(len(guests), decide), strict=True):
            nursery.start_soon(play, guest, client)


def of_type(path: Path, type_: str) -> list[Mapping[str, Any]]:
    """The records of a type in a journal that may not be there yet, or be written at the moment."""
    try:
        return [record for record in read_raw(path) if record["type"] == type_]
    except JournalError:
        return []


async def test_steps_of_hands_are_logged_at_the_level_debug() -> None:
    words = ("--hands", "2", "--seed", "x", "--limit", "60", "--log-level", "debug")
    outcome = await run("league", "holdem", "caller", "caller", *words)
    assert outcome.code == 0
    steps = [line for line in outcome.complaint if "level=debug" in line]
    assert {tuple(line.split()[-2:]) for line in steps} == {("table=0", "hand=1"), ("table=0", "hand=2")}
    for hand in (1, 2):
        assert [sum(f'event="hand {hand} is {what}' in line for line in steps) for what in ("dealt", "over")] == [1, 1]

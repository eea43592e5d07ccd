"""``casino league``: whole leagues in real processes, at many tables and in every format.

Hold'em has presets, limits, and blinds that rise.
"""

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
from tests.end_to_end.casino import Outcome, run, start, verified_league
from tests.end_to_end.guest import Guest, open_guest

#: Seconds for a reply that a busy machine keeps.
LIMIT = ("--limit", "60")

#: The game, and who plays.
STUD = ("stud", "caller", "tight", "random", *LIMIT)


async def league(*words: str | Path) -> Outcome:
    return await run("league", *words)


async def results(*words: str | Path) -> dict[str, Any]:
    outcome = await league(*words, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    facts: dict[str, Any] = json.loads(outcome.out)
    return facts


def chips(facts: dict[str, Any]) -> dict[str, int]:
    return {standing["id"]: standing["chips"] for standing in facts["standings"]}


async def test_chips_depend_on_the_seed() -> None:
    first = await results(*STUD, "--hands", "30", "--seed", "x")
    again = await results(*STUD, "--hands", "30", "--seed", "x")
    other = await results(*STUD, "--hands", "30", "--seed", "y")
    assert chips(first) == chips(again) != chips(other)
    for facts in (first, other):
        assert facts["hands"] == 30
        assert sum(chips(facts).values()) == 500 * len(facts["standings"])
        assert [standing["faults"] for standing in facts["standings"]] == [[]] * len(facts["standings"])


async def test_json_is_all_that_standard_output_holds(tmp_path: Path) -> None:
    journal = tmp_path / "league.journal"
    facts = await results("stud", "caller", "random", "--hands", "5", "--stack", "50", "--journal", journal)
    assert (facts["game"], facts["agreed"], facts["failures"]) == ("stud", {"stack": 50, "ante": 1}, [])
    assert facts["journal"] == str(journal)
    assert len(facts["seed"]) == 32
    assert [standing["place"] for standing in facts["standings"]] == sorted(s["place"] for s in facts["standings"])
    assert {record["type"] for record in read_raw(journal)} >= {"start", "hand", "end"}


async def test_the_table_fits_in_80_columns_and_cuts_no_name() -> None:
    outcome = await league(
        *["stud", "pair-or-fold", "pair-or-fold", "maniac", "--hands", "20", "--stack", "5000", "--seed", "x"]
    )
    assert outcome.code == 0
    assert max(map(len, outcome.out.splitlines())) <= 80
    assert "…" not in outcome.out
    for name in ("Pair Or Fold", "Pair Or Fold 2", "pair-or-fold 2", "Maniac"):
        assert name in outcome.out
    assert "the same cards again: --seed x" in outcome.out


async def test_commands_to_type_again_are_quoted_for_a_shell(tmp_path: Path) -> None:
    journal = tmp_path / "of friday"
    outcome = await league("stud", "caller", "caller", "--hands", "1", "--seed", "[red] x:pizza:", "--journal", journal)
    assert "--seed '[red] x:pizza:'" in outcome.out
    assert f"check it with: casino verify '{journal}'" in outcome.out


@pytest.mark.parametrize("place", ["no/such/folder/x.journal", "."])
async def test_a_journal_that_cannot_be_written_is_told_in_one_line(place: str, tmp_path: Path) -> None:
    outcome = await league("stud", "caller", "caller", "--journal", tmp_path / place)
    assert outcome.code == 1
    (line,) = outcome.complaint
    assert line.startswith("casino: ")


async def test_a_league_of_dice_is_a_round_robin() -> None:
    facts = await results("dice", "dice-equilibrium", "caller", "dice-four", "--hands", "40", *LIMIT, "--seed", "x")
    assert (facts["game"], facts["format"]) == ("dice", "round-robin")
    met = [standing["pairings"]["results"] for standing in facts["standings"]]
    assert [len(others) for others in met] == [2, 2, 2]
    assert sum(standing["pairings"]["chips_won"] for standing in facts["standings"]) == 0


async def test_a_league_of_blockhead_reports_what_the_assignment_asks_for() -> None:
    facts = await results("blockhead", "caller", "maniac", "--games", "4", "--seed", "x", *LIMIT)
    assert (facts["game"], facts["games"], facts["hands"]) == ("blockhead", 4, 80)
    assert facts["agreed"]["hands"] == 20
    scores = [standing["score"] for standing in facts["standings"]]
    assert sum(score["average_chips"] for score in scores) == 2000
    assert sum(score["won"] for score in scores) + scores[0]["drawn"] == 4
    assert sum(score["chips_per_hand"] for score in scores) == 0
    for score in scores:
        low, high = score["interval"]
        assert low < score["chips_per_hand"] < high
        assert score["hands"] == 80
        assert score["folds"] == 0
        assert score["average_pot"] > 20


async def test_the_table_of_scores_fits_in_80_columns() -> None:
    outcome = await league("blockhead", "caller", "maniac", "--games", "2", "--ranks", "poker", *LIMIT)
    assert outcome.code == 0
    assert max(map(len, outcome.out.splitlines())) <= 80
    for word in ("Scores", "Caller", "Maniac", "Folds"):
        assert word in outcome.out


async def test_bots_take_more_seats_in_turn() -> None:
    facts = await results("blockhead", "caller", "maniac", "--players", "5", "--games", "1", *LIMIT)
    assert sorted(standing["bot"] for standing in facts["standings"]) == [
        *["caller", "caller 2", "caller 3", "maniac", "maniac 2"]
    ]


LEAGUE = ("stud", "caller", "tight")


@pytest.mark.parametrize(("programs", "tables"), [(20, 3), pytest.param(60, 8, marks=pytest.mark.heavy)])
async def test_programs_at_many_tables_come_down_to_one(programs: int, tables: int, tmp_path: Path) -> None:
    """The whole way: many processes, tables that are broken, antes that rise, one that has all chips."""
    path = tmp_path / "many.journal"
    facts = await verified_league(
        path, "stud", "caller", "tight", "--players", str(programs), "--stack", "100", "--levels", "10"
    )
    standings = facts["standings"]
    assert [standing["place"] for standing in standings[:2]] == [1, 2]
    assert [standing["left"] is None for standing in standings] == [True] + [False] * (programs - 1)
    assert sum(standing["chips"] for standing in standings) == 100 * programs
    assert not any(standing["faults"] for standing in standings)
    records = read_records(path)
    types = Counter(record["type"] for record in records)
    assert facts["tables"] == tables
    assert types["out"] == programs - 1
    assert types["move"] >= tables
    assert types["level"] > 0
    last = next(record for record in reversed(records) if record["type"] == "hand")
    assert len(last["players"]) == 2


@pytest.mark.parametrize(
    ("words", "rounds", "points"),
    [
        pytest.param(["--series", "2", "--levels", "3", "--stack", "20", "--players", "5"], 2, 2 * 10, id="series"),
        pytest.param(["--format", "round-robin", "--hands", "5", "--players", "4"], 3, 6, id="round robin"),
        pytest.param(["--format", "swiss", "--hands", "5", "--players", "5", "--rounds", "3"], 3, 3 * 3, id="swiss"),
    ],
)
async def test_standings_share_out_all_points_of_a_format(
    words: list[str], rounds: int, points: float, tmp_path: Path
) -> None:
    facts = await verified_league(tmp_path / "format.journal", *LEAGUE, *words)
    assert facts["rounds"] == rounds
    told = [standing.get("series") or standing["pairings"] for standing in facts["standings"]]
    assert sum(standing["points"] for standing in told) == points
    assert [standing["points"] for standing in told] == sorted((s["points"] for s in told), reverse=True)


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

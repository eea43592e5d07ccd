"""``casino whatif`` as a student types it."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.dealer.support.replay_files import write_random
from tests.dealer.versions.test_imported_hands import NOT_DEALT
from tests.docs.output_page import assert_keys
from tests.end_to_end.casino import Outcome, run
from tests.end_to_end.versions import CALLS_WITH_NOTHING, CRASHES, ENDS, LIMIT, STARTER_COMMAND, TOO_MUCH, starter_with

HANDS = 60


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a league of the starter and two house bots."""
    path = tmp_path_factory.mktemp("whatif") / "friday.journal"
    words = ("--hands", str(HANDS), "--seed", "a", "--journal", path, "--limit", "30")
    play = partial(run, "league", "stud", "caller", "tight", "--bot-cmd", STARTER_COMMAND, *words)
    outcome = trio.run(play)
    assert outcome.code == 0, outcome.err
    return path


async def facts_of(*words: str | Path, code: int = 0) -> dict[str, Any]:
    outcome = await run("whatif", *words, "--json", *LIMIT)
    assert outcome.code == code, outcome.err
    facts: dict[str, Any] = json.loads(outcome.out)
    return facts


async def test_same_program_changes_nothing(league: Path) -> None:
    facts = await facts_of(league, "--replace", f"Steph={STARTER_COMMAND}")
    assert (facts["hands"], facts["changed"], facts["largest"], facts["faults"]) == (HANDS, 0, [], [])
    assert facts["recorded"] == facts["new"]
    assert facts["decisions"]["stand_ins"] == 0
    assert {one["id"]: one["name"] for one in facts["stand_ins"]} == {"caller": "caller", "tight": "tight"}


async def test_another_rule_changes_hands(league: Path, tmp_path: Path) -> None:
    other = starter_with(tmp_path, "caller", CALLS_WITH_NOTHING)
    facts = await facts_of(league, "--replace", f"StephenCurry={other}")
    assert 0 < facts["changed"] < HANDS
    assert facts["difference"]["value"] == pytest.approx(facts["new"]["value"] - facts["recorded"]["value"])
    differences = [abs(one["difference"]) for one in facts["largest"]]
    assert differences == sorted(differences, reverse=True)
    for one in facts["largest"]:
        assert one["new"] - one["recorded"] == one["difference"] != 0
        assert one["did"] == "fold" != one["now"]
    assert facts["decisions"]["stand_ins"] > 0


async def test_crashes_and_illegal_bets_are_faults_and_play_goes_on(league: Path, tmp_path: Path) -> None:
    facts = await facts_of(league, "--replace", f"Steph={starter_with(tmp_path, 'crash', CRASHES)}", code=1)
    gone = [one for one in facts["faults"] if one["kind"] == "gone"]
    assert len(gone) > 1
    assert all("ended with exit code 1: ValueError: no kings" in one["reason"] for one in gone)
    assert (facts["hands"], facts["left_out"]) == (HANDS, 0)
    facts = await facts_of(league, "--replace", f"Steph={starter_with(tmp_path, 'much', TOO_MUCH)}", code=1)
    assert {one["kind"] for one in facts["faults"]} == {"illegal"}
    assert {one["id"] for one in facts["faults"]} == {"StephenCurry"}
    assert_keys("## casino whatif", facts, absent=[f"not_dealt[].{key}" for key in NOT_DEALT])


async def test_program_that_always_fails_is_not_asked_to_the_end(league: Path, tmp_path: Path) -> None:
    facts = await facts_of(league, "--replace", f"Steph={starter_with(tmp_path, 'ends', ENDS)}", code=1)
    assert (facts["hands"], facts["left_out"]) == (10, HANDS - 10)
    assert facts["gave_up"] == "made a fault in 10 hands in a row"


async def test_table_of_results(league: Path, tmp_path: Path) -> None:
    out = tmp_path / "steph.html"
    outcome = await run("whatif", league, "--replace", "Steph=tight", "--opponents", "caller", "--out", out, *LIMIT)
    assert outcome.code == 0, outcome.err
    for text in (
        "as recorded",
        "new version",
        "difference",
        "The hands that changed most",
        "Caller: caller, Tight: caller",
    ):
        assert text in outcome.out
    assert str(out) in outcome.out
    assert out.read_text("utf-8").startswith("<!doctype html><!-- casino replay -->")
    again = await run("whatif", league, "--replace", "Steph=tight", "--out", league, *LIMIT)
    assert (again.code, len(again.complaint)) == (2, 1)


async def test_named_program_stands_in(league: Path) -> None:
    facts = await facts_of(league, "--replace", "Steph=maniac", "--opponent", f"Tight={STARTER_COMMAND}")
    assert {one["id"]: one["name"] for one in facts["stand_ins"]}["tight"] == STARTER_COMMAND
    assert facts["faults"] == []


async def complaint(*words: str | Path) -> tuple[int, str]:
    outcome: Outcome = await run("whatif", *words)
    assert outcome.out == ""
    return outcome.code, outcome.err.removeprefix("casino: ").strip()


async def test_mistakes_get_sentences(league: Path, tmp_path: Path) -> None:
    assert await complaint(league, "--replace", "Stef=tight") == (
        2,
        "--replace: there is no player 'Stef' in the journal; did you mean 'Steph'?",
    )
    code, text = await complaint(league, "--replace", "Steph")
    assert (code, text.startswith("--replace takes a player and who plays for it")) == (2, True)
    assert await complaint(league, "--replace", "Steph=tigt") == (2, "there is no bot 'tigt'; did you mean 'tight'?")
    assert await complaint(league, "--replace", "Steph=alpha") == (2, "the bot 'alpha' plays blockhead, not stud")
    code, text = await complaint(league, "--replace", "Steph=python3 poker.py")
    assert (code, "has no {port}" in text) == (2, True)
    code, text = await complaint(league, "--replace", "Steph=false {port}")
    assert (code, text) == (1, "'false {port}' ended with exit code 1 before it logged in")
    assert await complaint(league, "--replace", "Steph=tight", "--out", tmp_path / "no" / "a.html") == (
        2,
        f"--out: there is no folder {tmp_path / 'no'} for a.html",
    )
    assert (await complaint(tmp_path / "none.journal", "--replace", "Steph=tight"))[0] == 2


async def test_journal_cut_short_is_played_as_far_as_it_goes(league: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.journal"
    data = league.read_bytes()
    torn.write_bytes(data[: len(data) * 2 // 3])
    outcome = await run("whatif", torn, "--replace", "Steph=tight", "--json")
    assert outcome.code == 1
    assert 0 < json.loads(outcome.out)["hands"] < HANDS
    assert len(outcome.complaint) == 1
    assert "torn" in outcome.complaint[0]


@pytest.mark.parametrize("name", ["blockhead", "holdem", "dice"])
async def test_other_games(name: str, tmp_path: Path) -> None:
    bot = {"blockhead": "alpha", "holdem": "tight", "dice": "dice-four"}[name]
    journal = write_random(tmp_path / "a.journal", name)
    facts = await facts_of(
        journal, "--replace", f"Avatar 0={bot}", "--opponents", "caller", "--out", tmp_path / "a.html"
    )
    assert facts["game"] == name
    assert facts["changed"] > 0
    assert facts["faults"] == []

"""``casino regress`` as a script runs it: a planted regression is found, and equal versions are not accused."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

from tests.bots.environments.untrained import save_untrained
from tests.docs.pages import assert_keys
from tests.end_to_end.casino import run

STARTER = Path(__file__).parents[2] / "bots" / "starters" / "python" / "poker.py"

#: What starts the starter as it is.
STARTER_COMMAND = shlex.join([sys.executable, str(STARTER)]) + " {host} {port}"

#: A busy machine keeps this limit.
LIMIT = ("--limit", "30")


def starter_with(folder: Path, name: str, *changes: tuple[str, str]) -> str:
    """The command of the starter with parts of its text replaced."""
    text = STARTER.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return shlex.join([sys.executable, str(path)]) + " {host} {port}"


#: Calls with nothing, instead of folding: one rule that is worse.
CALLS_WITH_NOTHING = ("    return 0  # nothing to bet on", "    return owed  # nothing to bet on")

#: Ends when its hidden card is a king.
CRASHES = ("    values = [", '    if mine[0][0] == "K":\n        raise ValueError("no kings")\n    values = [')

#: Ends whenever it is asked.
ENDS = ("    fields = question", "    sys.exit('no idea')\n    fields = question")

#: Bets more than is allowed with a pair.
TOO_MUCH = ("{min(chips, owed + 10, stack)}", "{10 * chips}")


TIGHT = ("--games", "stud", "--against", "tight")
STUD = (*TIGHT, "--against", "caller")


async def facts_of(new: str, old: str, *words: str | Path, code: int) -> dict[str, Any]:
    outcome = await run("regress", new, old, *words, "--json", *LIMIT)
    assert outcome.code == code, outcome.out + outcome.err
    facts: dict[str, Any] = json.loads(outcome.out)
    return facts


async def test_equal_programs_are_not_accused() -> None:
    facts = await facts_of(STARTER_COMMAND, STARTER_COMMAND, *STUD, "--deals", "50", code=0)
    assert not facts["worse"]
    for one in facts["compared"]:
        assert (one["changed"], one["difference"]["value"], one["hands"], one["players"]) == (0, 0, 50 * 7, 7)


async def test_planted_regression_is_found_and_shown(tmp_path: Path) -> None:
    worse = starter_with(tmp_path, "worse", CALLS_WITH_NOTHING)
    facts = await facts_of(worse, STARTER_COMMAND, *TIGHT, "--deals", "80", code=1)
    (tight,) = [one for one in facts["compared"] if one["against"] == "tight"]
    assert tight["wins_less"]
    assert tight["difference"]["high"] < 0
    assert tight["losses"]
    assert all(loss["new"] < loss["old"] for loss in tight["losses"])
    better = await facts_of(STARTER_COMMAND, worse, *TIGHT, "--deals", "80", code=0)
    assert not better["worse"]


async def test_faults_of_the_new_version_alone_fail(tmp_path: Path) -> None:
    crashes = starter_with(tmp_path, "crash", CRASHES)
    facts = await facts_of(crashes, STARTER_COMMAND, *TIGHT, "--deals", "15", code=1)
    faults = [fault for one in facts["compared"] for fault in one["new_faults"]]
    assert faults
    assert all("ended with exit code 1: ValueError: no kings" in fault["reason"] for fault in faults)
    much = await facts_of(starter_with(tmp_path, "much", TOO_MUCH), STARTER_COMMAND, *TIGHT, "--deals", "15", code=1)
    assert {fault["kind"] for one in much["compared"] for fault in one["new_faults"]} == {"illegal"}
    old = await facts_of(STARTER_COMMAND, crashes, *TIGHT, "--deals", "15", code=0)
    assert any(one["old_faults"] for one in old["compared"])
    assert_keys("## casino regress", facts, old)


async def test_house_bots_in_several_games(tmp_path: Path) -> None:
    words = ("--games", "stud,holdem", "--against", "maniac", "--deals", "30")
    outcome = await run(
        "regress", "pair-or-fold", "tight", "--games", "stud", "--against", "maniac", "--players", "3", "--deals", "9"
    )
    assert outcome.code in (0, 1)
    outcome = await run("regress", "caller", "tight", *words)
    assert outcome.code == 1
    assert "The new version is worse in" in outcome.out
    again = await run("regress", "caller", "tight", *words)
    assert again.out == outcome.out
    same = await run("regress", "random", "random", *words)
    assert (same.code, same.out.count("the same play")) == (0, 2)


async def test_program_that_cannot_play_the_game_is_named(tmp_path: Path) -> None:
    ends = starter_with(tmp_path, "ends", ENDS)
    outcome = await run("regress", ends, "caller", *STUD, "--deals", "30", *LIMIT)
    assert (outcome.code, outcome.out) == (1, "")
    assert "made a fault in 10 hands in a row of stud" in outcome.err
    assert "no idea" in outcome.err


async def test_house_bot_that_fails_is_named(tmp_path: Path) -> None:
    learned = tmp_path / "learned.npz"
    save_untrained(learned, "stud")
    outcome = await run("regress", str(learned), "caller", *TIGHT, "--players", "3", "--deals", "30")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.complaint[0].startswith(f"casino: {learned} in seat 0")
    assert "3 seats show cards; this encoding is for 2 players" in outcome.err
    assert "Traceback" not in outcome.err

"""``casino practice`` and ``casino regress`` as a student types them."""

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.bots.environments.untrained import save_untrained
from tests.docs.pages import assert_keys
from tests.end_to_end.casino import ENVIRONMENT, Outcome, casino, run, start
from tests.patience import PATIENCE

STARTER = Path(__file__).parents[2] / "bots" / "starters" / "python" / "poker.py"
#: Two tournaments of a second or less, and a limit that a busy machine keeps.
SHORT = {"--tournaments": "2", "--stack": "60", "--levels": "5", "--seed": "practice", "--limit": "30"}

AGAINST = ("--against", "tight", "--against", "caller")


def house_bot(name: str, *flags: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "dealer.main", "bot", name, "{host}", "{port}", *flags)


def starter_that(code: str) -> tuple[str, ...]:
    """The Python starter, whose strategy does ``code`` when it is asked for the tenth time."""
    start = f"import sys; sys.path.insert(0, {str(STARTER.parent)!r}); sys.argv[0] = 'poker.py'; import poker"
    change = (
        "old, asked = poker.decide, []\n"
        "def decide(*question):\n"
        "    asked.append(question)\n"
        f"    if len(asked) == 10: {code}\n"
        "    return old(*question)\n"
        "poker.decide = decide\n"
        "poker.main()"
    )
    return (sys.executable, "-c", f"{start}\n{change}", "{host}", "{port}")


#: Weak players of stud as the body of the starter's function, each with what its dearest habit is and happens with.
WEAK = {
    "owed + 10 if pair else owed": (("call", "fold"), "high card"),
    "owed": (("call", "fold"), "high card"),
    "owed if pair or not owed else -1": (("fold",), "facing a raise"),
    "max(owed, 10) if pair else owed if owed <= 10 and {card[:-1] for card in mine} & {'K', 'A'} else 0": (
        ("fold",),
        "a spade in the hole",
    ),
}


def weak(reply: str) -> tuple[str, ...]:
    """The Python starter with another strategy."""
    code = (
        f"import sys; sys.path.insert(0, {str(STARTER.parent)!r}); sys.argv[0] = 'poker.py'; import poker\n"
        "def decide(stack, pot, owed, mine, table):\n"
        "    pair = len({card[:-1] for card in mine}) < len(mine)\n"
        f"    return {reply}\n"
        "poker.decide = decide\n"
        "poker.main()"
    )
    return (sys.executable, "-c", code, "{host}", "{port}")


@pytest.mark.heavy
@pytest.mark.parametrize("reply", WEAK)
async def test_dearest_habit_is_the_one_that_the_program_loses_by(reply: str, tmp_path: Path) -> None:
    """It comes first for nine of ten seeds; all house bots play, as where none are named."""
    actions, situation = WEAK[reply]
    right = 0
    for seed in range(10):
        words = ("practice", "stud", "--json", "--seed", str(seed), "--limit", "30", "--out", tmp_path)
        facts = json.loads((await run(*words, "--", *weak(reply))).out)
        first = facts["expensive"][0]
        right += (first["habit"], first["stud_habit"])[: len(actions)] == actions and situation in first["situations"]
    assert right >= 9


def words_of(out: Path, program: tuple[str, ...], *switches: str, **flags: str) -> tuple[str | Path, ...]:
    """What is typed behind ``casino``; ``flags`` take the place of the usual ones."""
    usual = SHORT | {f"--{flag}": text for flag, text in flags.items()}
    pairs = [word for pair in usual.items() for word in pair]
    return ("practice", "stud", *pairs, *AGAINST, "--out", out, *switches, "--", *program)


async def practise(out: Path, program: tuple[str, ...], *switches: str, **flags: str) -> Outcome:
    return await run(*words_of(out, program, *switches, **flags))


async def facts_of(out: Path, program: tuple[str, ...], *switches: str, code: int = 0, **flags: str) -> dict[str, Any]:
    outcome = await practise(out, program, "--json", *switches, **flags)
    assert outcome.code == code, outcome.err
    facts: dict[str, Any] = json.loads(outcome.out)
    return facts


def without_paths(facts: dict[str, Any]) -> dict[str, Any]:
    """What two practices with the same seed have in common."""
    decisions = [{**decision, "replay": None} for decision in facts["expensive"]]
    return {**facts, "journal": None, "expensive": decisions}


@pytest.mark.long
async def test_practice_of_the_starter_reports_its_play(tmp_path: Path) -> None:
    program = (sys.executable, str(STARTER), "{host}", "{port}")
    facts = await facts_of(tmp_path / "made" / "here", program)
    failing = {"put_out.kind", "put_out.reason", "failures[].program", "failures[].what", "failures[].stderr"}
    assert_keys("## casino practice", facts, absent=failing)
    assert facts["program"] == shlex.join(program)
    assert facts["against"] == ["tight", "caller"]
    assert (facts["game"], facts["seed"], facts["put_out"], facts["failures"]) == ("stud", "practice", None, [])
    tournaments = facts["tournaments"]
    assert (tournaments["planned"], tournaments["played"]) == (2, 2)
    assert len(tournaments["places"]) == 2
    assert set(tournaments["places"]) <= {1.0, 1.5, 2.0, 2.5, 3.0}
    assert tournaments["mean_place"]["value"] == pytest.approx(sum(tournaments["places"]) / 2)
    assert tournaments["won"] == tournaments["places"].count(1.0)
    assert 0 <= tournaments["share_won"]["low"] < tournaments["share_won"]["high"] <= 1
    rows = {(row["street"], row["situation"]): row for row in facts["situations"]}
    assert {street for street, _ in rows} == {1, 2}
    for street in (1, 2):
        parts = [rows[street, kind]["hands"] for kind in ("a pair, or three of a kind", "high card")]
        assert sum(parts) == rows[street, "all"]["hands"] > 0
        assert rows[street, "facing a raise"]["hands"] <= rows[street, "all"]["hands"]
        assert rows[street, "a spade in the hole"]["hands"] < rows[street, "all"]["hands"]
    assert rows[1, "all"]["hands"] <= facts["hands"] <= facts["decisions"] + rows[1, "all"]["hands"]
    assert facts["chips_per_hand"]["low"] < facts["chips_per_hand"]["value"] < facts["chips_per_hand"]["high"]
    assert 0 < facts["unlike_stud"] < facts["decisions"]
    (journal,) = (tmp_path / "made" / "here").iterdir()
    assert facts["journal"] == str(journal)
    assert facts["expensive"]
    assert len(facts["expensive"]) <= 3
    costs = [decision["times"] * decision["cost"]["value"] for decision in facts["expensive"]]
    assert costs == sorted(costs, reverse=True)
    for decision in facts["expensive"]:
        assert 1 <= decision["times"] <= facts["unlike_stud"]
        assert set(decision["situations"]) <= {situation for _, situation in rows}
        assert decision["habit"] != decision["stud_habit"]
        assert 0 < decision["cost"]["low"] <= decision["cost"]["value"] <= decision["cost"]["high"]
        assert decision["did"] != decision["stud"]
        assert decision["rollouts"] >= 160
        await replayed(decision)


async def replayed(decision: dict[str, Any]) -> None:
    """The command that is printed works, and shows the hand of that decision through the program's eyes."""
    program, *words = shlex.split(decision["replay"])
    assert program == "casino"
    outcome = await run(*words, "--json")
    assert outcome.code == 0
    # an elimination in that hand is a line of its own
    (hand,) = [line for line in map(json.loads, outcome.out.splitlines()) if line.get("type") == "hand"]
    assert (hand["table"], hand["hand"]) == (decision["table"], decision["hand"])
    own = hand["seats"][hand["viewer"]]
    assert own["id"] == "StephenCurry"
    assert own["hole"] == decision["question"].split(":")[4:5]
    chips = -1 if decision["did"] == "fold" else int(decision["did"].split(":")[1])
    _, stack, pot, owed, *_ = decision["question"].split(":")
    acts = [event for event in hand["events"] if event["event"] == "action" and event["seat"] == hand["viewer"]]
    facts = [(act["stack"], act["pot"], act["owed"], -1 if act["action"] == "fold" else act["chips"]) for act in acts]
    assert (int(stack), int(pot), int(owed), chips) in facts


@pytest.mark.heavy
async def test_practice_repeats_with_the_same_seed(tmp_path: Path) -> None:
    tight = house_bot("tight", "--id", "me")
    first, second = [await facts_of(tmp_path, tight) for _ in range(2)]
    assert without_paths(first) == without_paths(second)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.heavy
async def test_replay_command_uses_avatar_if_id_looks_like_a_seat(tmp_path: Path) -> None:
    facts = await facts_of(tmp_path, house_bot("maniac", "--id", "2", "--avatar", "Two of Them"), tournaments="1")
    assert facts["expensive"]
    for decision in facts["expensive"]:
        assert decision["replay"].endswith("--seat 'Two of Them'")
        assert (await run(*shlex.split(decision["replay"])[1:])).code == 0


async def test_stud_does_what_stud_would_have_done(tmp_path: Path) -> None:
    """The house's player behind the program knows all that the program does: its own twin never differs from it."""
    facts = await facts_of(tmp_path, house_bot("stud", "--id", "twin"))
    assert facts["decisions"] > 50
    assert (facts["unlike_stud"], facts["expensive"]) == (0, [])


async def test_single_practice_tournament_has_a_place(tmp_path: Path) -> None:
    facts = await facts_of(tmp_path, house_bot("tight", "--id", "me"), tournaments="1", stack="20")
    assert facts["tournaments"]["played"] == 1
    (place,) = facts["tournaments"]["places"]
    assert place in (1.0, 2.0, 3.0)
    assert facts["tournaments"]["mean_place"] == {"value": place, "low": 1, "high": 3}


async def test_program_started_by_hand_can_practise(tmp_path: Path) -> None:
    words = words_of(tmp_path, (), "--json", "--no-clock", "--listen", "0", tournaments="1", stack="20")
    async with start(*words) as running:
        await running.complaint_with("start your program now, with 127.0.0.1 and port ")
        while not (found := re.search(r"and port (\d+)\n", running.err.decode())):
            await trio.lowlevel.checkpoint()
        await trio.run_process([sys.executable, str(STARTER), "127.0.0.1", found[1]], capture_stdout=True)
        outcome = await running.ended()
    facts = json.loads(outcome.out)
    assert outcome.code == 0
    assert facts["program"] == "your program"
    assert facts["tournaments"]["played"] == 1


async def test_practice_prints_tables_and_replay_commands(tmp_path: Path) -> None:
    outcome = await practise(tmp_path, (sys.executable, str(STARTER), "{host}", "{port}"))
    (journal,) = tmp_path.iterdir()
    assert (outcome.code, outcome.err) == (0, "")
    assert "2 of 2 tournaments played to the end, each with 3 players" in outcome.out
    for words in (
        "mean place",
        "by chance 2",
        "won ",
        "Chips won a hand",
        "facing a raise",
        "1. It ",
        "would",
        "cost ",
    ):
        assert words in outcome.out
    assert f"casino replay {journal} --table " in outcome.out
    assert f"Every hand: casino replay {journal}\n" in outcome.out
    assert "The same cards again: --seed practice" in outcome.out


async def test_a_program_that_crashes_is_out_with_its_last_words(tmp_path: Path) -> None:
    crash = starter_that("raise ValueError('what is a spade?')")
    done = await practise_badly(tmp_path, crash)
    assert done.code == 1
    assert "ended with exit code 1" in done.err
    assert "    ValueError: what is a spade?" in done.err.splitlines()
    assert "0 of 2 tournaments played to the end" in done.out
    assert "The program is out: the program closed the connection" in done.out
    assert "9 decisions" in done.out


async def practise_badly(out: Path, program: tuple[str, ...]) -> Outcome:
    """A practice in which the program fails, with its own traceback."""
    words = casino(*words_of(out, program))
    with trio.fail_after(PATIENCE):
        done = await trio.run_process(words, capture_stdout=True, capture_stderr=True, check=False, env=ENVIRONMENT)
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.long
async def test_a_program_that_is_late_is_out(tmp_path: Path) -> None:
    late = starter_that("import time; time.sleep(1000)")
    facts = await facts_of(tmp_path, late, code=1, limit="8")
    assert facts["put_out"]["kind"] == "late"
    assert facts["put_out"]["reason"].startswith("no complete reply to bet2 came in ")
    assert (facts["decisions"], facts["tournaments"]["played"]) == (9, 0)


async def test_without_a_clock_nobody_is_late(tmp_path: Path) -> None:
    slow = starter_that("import time; time.sleep(0.3)")
    facts = await facts_of(tmp_path, slow, "--no-clock", limit="0.001", stack="20")
    assert (facts["put_out"], facts["tournaments"]["played"]) == (None, 2)


@pytest.mark.parametrize(
    ("code", "patience", "what"),
    [
        (
            "import sys; sys.exit('no dealer here')",
            "600",
            "ended with exit code 1 before it logged in\n    no dealer here\n",
        ),
        ("import time; time.sleep(1000)", "2", "did not log in within 2 s\n"),
    ],
)
async def test_login_timeout_for_program_that_never_connects(
    code: str, patience: str, what: str, tmp_path: Path
) -> None:
    outcome = await practise(tmp_path, (sys.executable, "-c", code, "{port}"), patience=patience)
    assert outcome.code == 1
    assert what in outcome.err
    assert outcome.complaint[-1] == "No tournament: not every program logged in."
    assert outcome.out == ""
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    outcome = await run("practice", "stud", "--out", tmp_path / "file", "--", "x", "{port}")
    assert outcome.code == 2
    assert f"cannot use the folder {tmp_path / 'file'} for journals" in outcome.complaint[0]
    assert outcome.complaint[0].endswith("name another one with --out")


# ``casino regress`` as a script runs it: a planted regression is found, and equal versions are not accused.

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


async def versions_compared(new: str, old: str, *words: str | Path, code: int) -> dict[str, Any]:
    outcome = await run("regress", new, old, *words, "--json", *LIMIT)
    assert outcome.code == code, outcome.out + outcome.err
    facts: dict[str, Any] = json.loads(outcome.out)
    return facts


async def test_equal_programs_are_not_accused() -> None:
    facts = await versions_compared(STARTER_COMMAND, STARTER_COMMAND, *STUD, "--deals", "50", code=0)
    assert not facts["worse"]
    for one in facts["compared"]:
        assert (one["changed"], one["difference"]["value"], one["hands"], one["players"]) == (0, 0, 50 * 7, 7)


async def test_planted_regression_is_found_and_shown(tmp_path: Path) -> None:
    worse = starter_with(tmp_path, "worse", CALLS_WITH_NOTHING)
    facts = await versions_compared(worse, STARTER_COMMAND, *TIGHT, "--deals", "80", code=1)
    (tight,) = [one for one in facts["compared"] if one["against"] == "tight"]
    assert tight["wins_less"]
    assert tight["difference"]["high"] < 0
    assert tight["losses"]
    assert all(loss["new"] < loss["old"] for loss in tight["losses"])
    better = await versions_compared(STARTER_COMMAND, worse, *TIGHT, "--deals", "80", code=0)
    assert not better["worse"]


async def test_faults_of_the_new_version_alone_fail(tmp_path: Path) -> None:
    crashes = starter_with(tmp_path, "crash", CRASHES)
    facts = await versions_compared(crashes, STARTER_COMMAND, *TIGHT, "--deals", "15", code=1)
    faults = [fault for one in facts["compared"] for fault in one["new_faults"]]
    assert faults
    assert all("ended with exit code 1: ValueError: no kings" in fault["reason"] for fault in faults)
    much = await versions_compared(
        starter_with(tmp_path, "much", TOO_MUCH), STARTER_COMMAND, *TIGHT, "--deals", "15", code=1
    )
    assert {fault["kind"] for one in much["compared"] for fault in one["new_faults"]} == {"illegal"}
    old = await versions_compared(STARTER_COMMAND, crashes, *TIGHT, "--deals", "15", code=0)
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

"""`casino collusion` finds AIs of bulk tournaments that cooperate, and names honest ones hardly ever."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

pytest.importorskip("numpy")

from bots.bulk.checkpoint import Checkpoint  # what follows needs numpy
from bots.bulk.collusion import LEVEL, Examination, PairTest, all_corrected, examine, in_words
from bots.bulk.round_robin import make_plan
from bots.commands import collusion, round_robin
from protocol.estimates.intervals import Estimate, share
from protocol.estimates.many_tests import one_sided
from tests.bots.bulk.authors import GIFTS, OFTEN, SIGNALS, adapting, cpp, giving, signing, taking_turns
from tests.compiled import needs

HOUSE = ("dice-four", "dice-price", "dice-luck", "caller", "dice-memory", "dice-adaptive", "dice-equilibrium")

#: 36 pairs play just below 100,000 deals together.
ROUNDS = 2777


def named(found: Examination) -> list[tuple[str, str]]:
    return [
        (found.players[test.giver], found.players[test.receiver]) for test in found.tests if test.corrected <= LEVEL
    ]


def honest(folder: Path, seed: str) -> Examination:
    """An examination of ten players, nine of whom adapt."""
    house = ("dice-adaptive", "dice-adaptive", "dice-memory", "caller")
    plan = make_plan(house, [adapting(folder)] * 6, [], 2222, 1, seed)
    return examine(plan, 1, lambda *_: None)


@contextmanager
def folder() -> Iterator[Path]:
    """A folder of its own for each of many tournaments."""
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


def test_program_that_gives_chips_by_a_sequence_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("g++")
    kept = tmp_path / "kept.json"
    natives = (signing(tmp_path), giving(tmp_path))
    assert round_robin("dice", "dice-price", "caller", native=natives, rounds=1000, checkpoint=kept, json=True) == 0
    capsys.readouterr()
    assert collusion(kept, json=True) == 3
    facts: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert facts["evidence"]
    assert facts["rounds"] == 1000
    assert [(t["giver"], t["receiver"]) for t in facts["tests"] if t["evidence"]] == [("gives", "signs")]
    assert facts["tests"][0]["harm"] > 1
    assert abs(facts["tests"][0]["harm_replaced"]) < 0.1
    natives[0].write_text(natives[0].read_text() + "// changed\n")
    assert collusion(kept) == 2
    assert "a file of a player has changed" in capsys.readouterr().err
    natives[0].unlink()
    assert collusion(kept) == 2
    assert "not there any more" in capsys.readouterr().err


def test_house_bots_that_adapt_are_not_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("g++")
    kept = tmp_path / "kept.json"
    plan = make_plan(["dice-adaptive", "dice-memory", "dice-four", "caller"], [], [], 1000, 1, "house")
    Checkpoint.open(kept, plan)
    assert collusion(kept, jobs=2) == 0
    said = capsys.readouterr().out
    assert "No pair shows evidence" in said
    assert "of 12 pairs nobody loses more than 0.1 chips" in said


def test_harm_that_does_not_come_from_the_first_moves_is_no_evidence(tmp_path: Path) -> None:
    # loses chips to opponents who fold often, which can be an honest author's mistake
    needs("g++")
    wrong = cpp(
        tmp_path, "wrong",
        "if (state < 2) ++met[op]; folds[op] += state == 2;"
        "return state < 2 && folds[op] * 5 > met[op] ? d <= 3 : d >= 2 + (b + 1) / 4;",
        "static int met[256], folds[256];",
    )  # fmt: skip
    tight = cpp(tmp_path, "tight", "return d > 5;")
    found = examine(make_plan(["dice-price", "caller"], [wrong, tight], [], 1000, 1, "w"), 1, lambda *_: None)
    (test,) = [t for t in found.tests if (found.players[t.giver], found.players[t.receiver]) == ("wrong", "tight")]
    assert test.harm > 0.1
    assert test.p_value == 1.0
    assert not named(found)


def test_files_that_cannot_be_examined_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = {name: tmp_path / f"{name}.json" for name in ("two", "short", "program", "other", "none")}
    programs = make_plan(["dice-four", "caller"], [], [], 1000, 1, "program", ["python3 poker.py {host} {port}"])
    Checkpoint.open(paths["program"], programs)
    Checkpoint.open(paths["two"], make_plan(["dice-four", "caller"], [], [], 1000, 1, "two"))
    Checkpoint.open(paths["short"], make_plan(["dice-four", "caller", "dice-luck"], [], [], 40, 1, "short"))
    paths["other"].write_text("{}")
    for name, said in {
        "two": "a test needs 3 players",
        "short": "a test needs 1,000 rounds",
        "program": "programs over TCP are not played again",
        "other": "is no checkpoint of `casino round-robin dice` that says what was played",
        "none": "cannot read the checkpoint",
    }.items():
        assert collusion(paths[name]) == 2
        assert said in capsys.readouterr().err
    assert collusion(paths["two"], level=2.0) == 2
    assert "--level is a probability" in capsys.readouterr().err


def test_evidence_in_words() -> None:
    tests = [PairTest(0, 1, 0.5, 0.02, Estimate(0.48, 0.4, 0.56), 8, 1e-5)]
    text = StringIO()
    Console(width=120, file=text).print(in_words(Examination(("A", "B", "C"), 2000, 0.1, all_corrected(tests)), LEVEL))
    said = text.getvalue()
    assert "A loses 0.50 chips a deal to B by not playing as it usually does, and 0.02 if B begins with other" in said
    assert "+0.480 +0.400 +0.560 1e-05" in " ".join(said.split())
    assert "This is evidence, not proof" in said
    assert "In 5 of 6 pairs" in said


def test_corrected_as_in_a_worked_example() -> None:
    tests = [
        PairTest(number, 9, 1.0, 0.0, Estimate(1.0, 0.5, 1.5), 8, p)
        for number, p in enumerate((0.01, 0.04, 0.03, 0.005))
    ]
    # p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") of R
    found = {test.giver: test.corrected for test in all_corrected(tests)}
    assert found == pytest.approx({0: 0.03, 1: 0.06, 2: 0.06, 3: 0.02})
    assert [test.giver for test in all_corrected(tests)] == [3, 0, 2, 1]
    assert all_corrected([]) == ()


def test_p_value_is_never_below_its_floor() -> None:
    assert one_sided(5.0, 0.0, 15, 0.5**16) == one_sided(5.0, 1e-9, 15, 0.5**16) == 0.5**16
    assert one_sided(-1.0, 1.0, 15, 0.0) == 1.0
    assert one_sided(2.131449, 1.0, 15, 0.0) == pytest.approx(0.025, abs=1e-6)  # Student's table, 15 degrees of freedom


@pytest.mark.heavy
def test_of_thousand_honest_tournaments_at_most_one_in_hundred_names_anybody() -> None:
    needs("g++")
    wrong = 0
    with folder() as path:
        for number in range(1000):
            wrong += bool(named(honest(path, f"honest {number}")))
    print(f"{wrong} of 1000 name anybody, {share(wrong, 1000)}")
    assert wrong <= 10


@pytest.mark.heavy
def test_pairs_that_cooperate_in_different_ways_are_found() -> None:
    needs("g++")
    missed = []
    for kind in product(SIGNALS, GIFTS, OFTEN):
        with folder() as path:
            natives = [signing(path, kind[0]), giving(path, *kind)]
            plan = make_plan(HOUSE, natives, [], ROUNDS, 1, " ".join(kind))
            if (found := named(examine(plan, 1, lambda *_: None))) != [("gives", "signs")]:
                missed.append((kind, found))
    print(f"missed of {len(SIGNALS) * len(GIFTS) * len(OFTEN)}: {missed}")
    # who folds to every bet, every second time, gives away 0.1 chips a deal
    assert [kind[1:] for kind, _ in missed] == [("folds to every bet", "every second time")] * len(missed)
    assert not [found for _, found in missed if found]


@pytest.mark.heavy
def test_pairs_that_take_turns_are_found_in_both_directions() -> None:
    needs("g++")
    with folder() as path:
        natives = [taking_turns(path, "one"), taking_turns(path, "other")]
        plan = make_plan(HOUSE, natives, [], ROUNDS, 1, "turns")
        for seed in ("a", "b", "c"):
            found = named(examine(replace(plan, seed=seed), 1, lambda *_: None))
            assert sorted(found) == [("one", "other"), ("other", "one")]

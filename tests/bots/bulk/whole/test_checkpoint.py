"""A bulk tournament that was killed goes on from its checkpoint, and its figures are those of one that was not."""

import json
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from bots.bulk.checkpoint import Checkpoint
from bots.bulk.plan import BulkError
from bots.bulk.played import Played
from bots.bulk.round_robin import make_plan
from bots.commands import round_robin
from tests.bots.bulk.authors import cpp, failing
from tests.compiled import needs
from tests.end_to_end.casino import ENVIRONMENT, casino

#: Seconds after which a process is taken for stuck: a heavy test plays for many minutes.
PATIENCE = 3600

#: Facts that are measured anew in each run.
MEASURED = ("play_seconds", "call_seconds", "init_seconds", "memory")


def figures(text: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(text)
    for row in (facts, *facts["standings"]):
        for name in MEASURED:
            row.pop(name, None)
    for row in facts["standings"]:
        row["violations"] = [said for said in row["violations"] if "microseconds" not in said]
    return facts


def kill_when(words: list[str], kept: Path, wanted: str) -> dict[str, Any]:
    """Run ``casino`` until its checkpoint has kept something under a name, kill it, and read the checkpoint."""
    process = subprocess.Popen(casino(*words), env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    last = time.monotonic() + PATIENCE
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.02)
        ended = process.returncode is not None
        if kept.exists() and json.loads(kept.read_text())[wanted]:
            break
        assert not ended
        assert time.monotonic() < last
    workers = [] if ended else psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    assert not alive, "a worker outlives the process that watches it"
    found: dict[str, Any] = json.loads(kept.read_text())
    return found


def test_killed_series_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("g++")
    kept = tmp_path / "kept.json"
    words = [
        "round-robin",
        "dice",
        "dice-four",
        "dice-memory",
        "dice-luck",
        "--series",
        "4",
        "--rounds",
        "400k",
        "--json",
    ]
    found = kill_when([*words, "--checkpoint", str(kept)], kept, "finished")
    house = ("dice-four", "dice-memory", "dice-luck")
    assert round_robin("dice", *house, rounds=400_000, series=4, jobs=2, checkpoint=kept, json=True) == 0
    resumed = figures(capsys.readouterr().out)
    again = json.loads(kept.read_text())["finished"]
    assert again[: len(found["finished"])] == found["finished"]  # measures too: they were not played again
    assert round_robin("dice", *house, rounds=400_000, series=4, json=True) == 0
    assert figures(capsys.readouterr().out) == resumed


def kill_and_compare(
    folder: Path, copies: int, rounds: int, fails_at: int, capsys: pytest.CaptureFixture[str]
) -> dict[str, Any]:
    """Kill a tournament after an AI has failed in it, let it go on, and compare it with one that was not killed."""
    needs("g++")
    kept = folder / "kept.json"
    natives = (failing(folder, "bad", "abort();", at=fails_at), cpp(folder, "coin", "return rand() % 2;"))
    house = ("dice-four", "dice-price", "dice-luck", "caller", "dice-memory") * copies
    flags = [word for path in natives for word in ("--native", str(path))]
    words = ["round-robin", "dice", *house, *flags, "--rounds", str(rounds), "--json"]
    kill_when([*words, "--checkpoint", str(kept)], kept, "failures")
    assert round_robin("dice", *house, rounds=rounds, native=natives, checkpoint=kept, json=True) == 0
    resumed = figures(capsys.readouterr().out)
    assert round_robin("dice", *house, rounds=rounds, native=natives, json=True) == 0
    assert figures(capsys.readouterr().out) == resumed
    return resumed


def test_killed_tournament_of_compiled_ais_is_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = kill_and_compare(tmp_path, 1, 1_000_000, 1000, capsys)
    assert [row["failed"] for row in facts["standings"]] == [False] * 6 + [True]


@pytest.mark.heavy
def test_hundred_ais_play_a_million_rounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = kill_and_compare(tmp_path, 20, 1_000_000, 100_000, capsys)
    assert [row["failed"] for row in facts["standings"]] == [False] * 101 + [True]
    of_others = facts["standings"][0]["deals"]
    assert 100 * 1_000_000 < of_others < 101 * 1_000_000


def test_checkpoint_of_another_tournament_is_refused(tmp_path: Path) -> None:
    source = cpp(tmp_path, "mine", "return 1;")
    plan = make_plan(["dice-four"], [source], [], 100, 2, "kept")
    path = tmp_path / "kept.json"
    Checkpoint.open(path, plan).finish(Played(1, (1, 2), (), (), 0.5))
    assert Checkpoint.open(path, plan).finished == {1: Played(1, (1, 2), (), (), 0.5)}
    for other in (
        make_plan(["dice-four"], [source], [], 101, 2, "kept"),
        make_plan(["dice-four"], [source], [], 100, 3, "kept"),
        make_plan(["dice-four"], [source], [], 100, 2, "other"),
        make_plan(["dice-price"], [source], [], 100, 2, "kept"),
    ):
        with pytest.raises(BulkError, match="is the checkpoint of another tournament"):
            Checkpoint.open(path, other)
    source.write_text(source.read_text() + "// changed\n")
    with pytest.raises(BulkError, match="is the checkpoint of another tournament"):
        Checkpoint.open(path, plan)
    assert not list(tmp_path.glob("*.new"))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"plan": "", "finished": [{"number": 1}], "failures": {}}'])
def test_file_that_is_no_checkpoint_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_text(text)
    with pytest.raises(BulkError, match="is no checkpoint of a bulk tournament"):
        Checkpoint.open(path, make_plan(["dice-four", "dice-price"], [], [], 100, 2, "kept"))
    assert path.read_text() == text


def test_place_that_takes_no_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = tmp_path / "none" / "kept.json"
    assert round_robin("dice", "dice-four", "dice-price", rounds=10, checkpoint=nowhere) == 2
    assert f"cannot write the checkpoint {nowhere}: No such file or directory" in capsys.readouterr().err


def test_worker_of_a_tournament_that_is_killed_at_once_ends_too(tmp_path: Path) -> None:
    needs("g++")
    endless = cpp(tmp_path, "endless", "for (volatile int i = 0;; i = 1) {}")
    words = ["round-robin", "dice", "dice-four", "--native", str(endless), "--rounds", "1M"]
    process = subprocess.Popen(casino(*words), env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    last, workers = time.monotonic() + PATIENCE, list[psutil.Process]()
    while not workers:
        assert process.poll() is None
        assert time.monotonic() < last
        with suppress(psutil.NoSuchProcess):
            children = psutil.Process(process.pid).children(recursive=True)
            workers = [child for child in children if any("worker.py" in word for word in child.cmdline())]
    process.kill()  # before the worker, which has just been started, has asked to be told of that
    process.wait()
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    assert not alive

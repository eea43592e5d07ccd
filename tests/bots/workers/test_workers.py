"""What can be told of workers without any: words that name none, names of builds, and sums that are kept."""

import json
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bots.commands import round_robin, simulate, worker
from bots.simulation import checkpoint as checkpoints
from bots.simulation.checkpoint import Checkpoint
from bots.simulation.engine import Outcome, Shard, play, play_shard
from bots.simulation.plan import BLOCK, Plan, SimulationError
from bots.simulation.simulation_flags import SimulationFlags
from bots.workers.build import build_name
from bots.workers.computing import LocalWorkers
from bots.workers.kept_file import replace_file
from dealer.cli.processes import interrupts_held_back
from dealer.errors import WorkersError
from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame

PLAN = Plan(("random", "maniac"), BlockheadGame(hands=2), 3 * BLOCK + 5, True, "x")
HANDS = Plan(("caller", "random"), StudGame(500), 2500, False, "x")


@pytest.mark.parametrize(
    "where", ["", "local", "local:0", "local:257", "local:-1", "tcp://host", "tcp://:1", "http://x:1", "tcp://x:99999"]
)
def test_words_that_name_no_cluster(where: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("stud", "tight", "caller", flags=SimulationFlags(cluster=where)) == 2
    assert round_robin("dice", "caller", "dice-four", rounds=1, cluster=where) == 2
    told = capsys.readouterr().err
    assert told.count("--cluster takes tcp://HOST:PORT, the address of a scheduler, or local:N") == 2
    assert f"got {where!r}" in told


def test_worker_needs_an_address(capsys: pytest.CaptureFixture[str]) -> None:
    assert worker("127.0.0.1:8786") == 2
    expected = "casino: expected the address of a scheduler, tcp://HOST:PORT, got '127.0.0.1:8786'\n"
    assert capsys.readouterr().err == expected


def test_flags_of_a_large_simulation_that_do_not_fit(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("stud", "tight", "caller", flags=SimulationFlags(jobs=2, cluster="local:2")) == 2
    assert "--jobs is for processes of this command" in capsys.readouterr().err


def test_build_depends_on_what_decides_results(monkeypatch: pytest.MonkeyPatch) -> None:
    from bots.workers import build  # noqa: PLC0415

    name = build_name()
    assert build_name.__wrapped__() == name
    monkeypatch.setattr(build, "COMPILERS", ("numba", "no-such-package"))
    assert build_name.__wrapped__() != name
    monkeypatch.undo()
    monkeypatch.setattr(build, "PACKAGES", ("protocol",))
    assert build_name.__wrapped__() != name


@pytest.mark.parametrize("plan", [PLAN, HANDS])
@pytest.mark.parametrize("until", [None, 1e-12])
def test_simulation_goes_on_from_any_shard(plan: Plan, until: float | None) -> None:
    shards = [Shard(0, plan, blocks, until is not None) for blocks in plan.shards]
    whole, first = Outcome(plan, until), Outcome(plan, until)
    for number, shard in enumerate(shards):
        result = play_shard(shard)
        whole.add(result)
        if number < 2:
            first.add(result)
        else:
            second = Outcome(plan, until)
            second.restore(json.loads(json.dumps(first.kept())))
            second.add(result)
            first = second
    assert (first.tally, first.trail, first.verdict) == (whole.tally, whole.trail, whole.verdict)


def test_tallies_of_blocks_together_stop_where_those_apart_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many blocks are sent together, games stop after the same block."""
    plan = replace(PLAN, bots=("alpha", "maniac"), deals=12 * BLOCK, engine="kernel")
    pytest.importorskip("numba")
    found = []
    for least in (64, 4):
        monkeypatch.setattr("bots.simulation.plan.LEAST_SHARDS", least)
        found.append(play(plan, until=1e-9))
    assert found[0].tally == found[1].tally
    assert found[0].verdict == found[1].verdict
    assert found[0].tally.deals % BLOCK == 0
    assert found[0].tally.deals < plan.deals


def test_stopped_simulation_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = replace(PLAN, bots=("alpha", "maniac"), game=BlockheadGame(hands=4), deals=9 * BLOCK)
    kept = tmp_path / "kept.json"
    first = play(plan, checkpoint=kept, until=0.05)
    monkeypatch.setattr("bots.simulation.engine.play_shard", pytest.fail)
    again = play(plan, checkpoint=kept, until=0.05)
    assert (again.tally, again.verdict, again.trail) == (first.tally, first.verdict, first.trail)
    assert first.tally.deals < plan.deals


def test_hands_in_blocks_with_one_and_two_processes() -> None:
    assert len(HANDS.blocks) == 3
    alone = play(HANDS).tally
    assert play(HANDS, LocalWorkers(2)).tally == alone
    assert [player.gains.count for player in alone.players] == [2500] * 2
    assert sum(player.gains.total for player in alone.players) == 0


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows ends no process so")
def test_process_that_is_killed_ends_the_work_with_an_error() -> None:
    with pytest.raises(WorkersError, match="a process that computed was killed, perhaps because memory ran out"):
        list(LocalWorkers(2).compute(signal.raise_signal, [signal.SIGKILL] * 3))


@pytest.mark.parametrize("players", range(2, 8))
def test_button_goes_on_from_block_to_block(players: int) -> None:
    plan = Plan(("caller",) * players, HoldemGame(reset_stacks=1), 5000, False, "x")
    assert plan.block_size % players == 0
    assert 1000 <= plan.block_size < 1000 + players


def test_checkpoint_of_hands_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.simulation.plan.HAND_BLOCK", 30)
    path, few = tmp_path / "kept.json", replace(HANDS, deals=80)
    whole = play(few).tally

    class Broken(Exception):
        pass

    class Two(LocalWorkers):
        def compute(self, function: Any, shards: Any) -> Any:
            for number, result in enumerate(super().compute(function, shards)):
                if number == 2:
                    raise Broken
                yield result

    with pytest.raises(Broken):
        play(few, Two(), path)
    assert json.loads(path.read_text())["shards"] >= 1
    assert play(few, checkpoint=path).tally == whole
    assert json.loads(path.read_text())["shards"] == 3
    assert list(tmp_path.iterdir()) == [path]


def test_checkpoint_of_another_simulation_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = SimulationFlags(deals=5, checkpoint=tmp_path / "kept.json")
    assert simulate("stud", "tight", "caller", flags=flags) == 0
    assert simulate("stud", "tight", "random", flags=replace(flags, deals=6)) == 2
    assert "is the checkpoint of another simulation: the bots and --deals differ;" in capsys.readouterr().err
    assert simulate("blockhead", "alpha", "caller", flags=flags) == 2
    assert "is the checkpoint of another simulation" in capsys.readouterr().err


def test_checkpoint_of_another_build_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.json"
    Checkpoint.open(path, {"seed": "x"}).keep(1, [])
    assert Checkpoint.open(path, {"seed": "x"}).done == 1
    monkeypatch.setattr(checkpoints, "build_name", lambda: "casino-day-0.0.9-0123456789ab")
    with pytest.raises(SimulationError, match="was written by another build of Casino Day"):
        Checkpoint.open(path, {"seed": "x"})


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"simulation": {}, "shards": "x", "sum": null}'])
def test_file_that_is_no_checkpoint_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_text(text)
    with pytest.raises(SimulationError, match="is no checkpoint of a simulation"):
        Checkpoint.open(path, {})
    assert path.read_text() == text


def test_damaged_checkpoint_and_place_that_takes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    play(replace(HANDS, deals=3), checkpoint=path)
    kept = json.loads(path.read_text())
    replace_file(path, json.dumps({**kept, "sum": [[[1, 2]]]}))
    with pytest.raises(SimulationError, match="is damaged"):
        play(replace(HANDS, deals=3), checkpoint=path)
    with pytest.raises(SimulationError, match=r"cannot write the checkpoint .*: No such file or directory"):
        Checkpoint.open(tmp_path / "none" / "kept.json", {})


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="Windows sends no signal to a thread")
def test_interrupt_that_another_thread_takes_waits_too() -> None:
    begun = threading.Event()

    def interrupt_itself() -> None:
        begun.wait()
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    other = threading.Thread(target=interrupt_itself)
    other.start()  # before the block, so that it may take interrupts
    done = []

    def work() -> None:
        with interrupts_held_back():
            begun.set()
            other.join()
            done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all of it"]

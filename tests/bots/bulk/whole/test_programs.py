"""Programs over TCP among the players of a bulk tournament, with real programs and workers."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bots.bulk.compile import compile_all
from bots.bulk.played import Played
from bots.bulk.round_robin import make_plan, open_programs
from bots.bulk.standings import Standings, make_standings
from bots.bulk.supervisor import play_series
from bots.commands import round_robin
from dealer import programs
from dealer.hosting import bulk_programs
from tests.bots.bulk.authors import failing
from tests.compiled import needs
from tests.dealer.support.dice_program import PROGRAM
from tests.patience import PATIENCE

ROUNDS = 200


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine makes no program late, and lets each end by itself."""
    monkeypatch.setattr(bulk_programs, "LIMIT", PATIENCE)
    monkeypatch.setattr(programs, "CRASH_SECONDS", PATIENCE)
    monkeypatch.setattr(programs, "EXIT_SECONDS", PATIENCE)


def command(*words: str) -> str:
    return " ".join([sys.executable, str(PROGRAM), "{host}", "{port}", *words])


def play(house: list[str], natives: list[Path], commands: list[str], folder: Path) -> tuple[Standings, Played]:
    plan = make_plan(house, natives, [], ROUNDS, 1, "programs", commands)
    compiled = compile_all(plan.entrants, folder)
    with open_programs(plan, None) as programs:
        (played,) = play_series(plan, compiled, 1, lambda *_: None, programs=programs)
    return make_standings(plan, [played]), played


def test_program_plays_as_a_function_by_the_same_rule(tmp_path: Path) -> None:
    needs("g++")
    for name in ("function", "program", "again"):
        (tmp_path / name).mkdir()
    _, function = play(["caller", "dice-memory", "dice-four", "dice-four"], [], [], tmp_path / "function")
    commands = [command(), command()]
    standings, program = play(["caller", "dice-memory"], [], commands, tmp_path / "program")
    assert program.chips == function.chips
    assert not program.failures
    rows = {row.name: row for row in standings.rows}
    assert set(rows) == {"caller", "dice-memory", "Four", "Four-2"}
    assert rows["Four"].source == commands[0]
    assert rows["Four-2"].source == f"{commands[0]}-2"
    assert rows["Four-2"].violations == ()
    assert rows["Four"].deals == 3 * ROUNDS
    assert rows["Four"].call_seconds


def test_others_play_on_after_programs_and_functions_have_failed(tmp_path: Path) -> None:
    """A function that crashes ends the process of the tournament, but not the programs."""
    needs("g++")
    started = tmp_path / "started"
    for name in ("sound", "failing"):
        (tmp_path / name).mkdir()
    # The same ids, and the same deals: house bots that play as those who will fail.
    _, sound = play(["caller", "dice-memory", *["dice-four"] * 4], [], [], tmp_path / "sound")
    bad = failing(tmp_path / "failing", "bad", "abort();", at=40)
    commands = [command("--started", str(started)), command("--raises", "--at", "100")]
    commands.append(command("--dies"))
    standings, played = play(["caller", "dice-memory"], [bad], commands, tmp_path / "failing")
    rows = {row.source: row for row in standings.rows}
    assert started.read_text() == "started\n"
    assert sorted(failure.player for failure in played.failures) == [2, 4, 5]
    assert rows[commands[0]].violations == rows["caller"].violations == ()
    (crashed,), (dead,) = rows[commands[1]].violations, rows[commands[2]].violations
    assert "(deciding as " in crashed
    assert "are void: the program closed the connection and ended with exit code 1" in crashed
    assert dead.startswith("it failed before the first deal, and its deals from there on are void: ended with exit c")
    assert 0 < rows[commands[1]].deals < rows["caller"].deals
    assert rows[commands[2]].deals == 0
    for block in range(0, len(sound.chips), 36):
        for one in (0, 1, 3):
            for other in (0, 1, 3):
                assert played.chips[block + 6 * one + other] == sound.chips[block + 6 * one + other]


def test_program_takes_a_place_in_the_standings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("g++")
    kept = tmp_path / "kept.json"

    def standings() -> dict[str, Any]:
        commands = (command(),)
        assert round_robin("dice", "dice-four", rounds=50, bot_cmd=commands, series=2, checkpoint=kept, json=True) == 0
        facts: dict[str, Any] = json.loads(capsys.readouterr().out)
        return facts

    facts = standings()
    assert {row["name"] for row in facts["standings"]} == {"Four", "dice-four"}
    assert all(row["deals"] == 100 and row["violations"] == [] for row in facts["standings"])
    assert standings() == facts  # all of it is in the checkpoint


def test_what_cannot_be_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert round_robin("dice", "dice-four", rounds=10, bot_cmd=("java Poker",)) == 2
    assert round_robin("dice", "dice-four", "caller", rounds=10, sandbox=True) == 2
    said = capsys.readouterr().err
    assert "casino: the command 'java Poker' has no {port}; write it like 'java Poker {host} {port}'" in said
    assert "casino: --sandbox is for --bot-cmd; functions are confined without it" in said

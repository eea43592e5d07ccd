"""``casino simulate stud``: its numbers, its table, its JSON and its complaints."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bots.arena import play_hands
from bots.commands import simulate
from bots.simulation import plan
from bots.simulation.hand_blocks import HandPlan
from bots.simulation.hand_scores import play_plan
from bots.simulation.hand_tally import Result
from bots.simulation.plan import SimulationError
from bots.simulation.simulation_flags import DealFlags
from bots.strategies.caller import Caller
from bots.strategy import Maker, Strategy, load_maker
from protocol.games.base import Bet
from protocol.games.stud import StudGame
from protocol.shuffle import seed_from_text
from tests.bots.environments.untrained import save_untrained
from tests.bots.helpers import Scripted
from tests.patience import PATIENCE

BOTS = ("maniac", "tight", "random", "tight")


def play_scored(game: StudGame, bots: tuple[str, ...], hands: int, reset_stacks: bool, seed: str) -> list[Result]:
    return play_plan(HandPlan(game, bots, hands, False, reset_stacks, seed))


def casino(*args: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "dealer.main", *args], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def facts(*args: str) -> Any:
    done = casino("simulate", "stud", *args, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout, parse_constant=pytest.fail)


def test_result_depends_on_the_seed_only() -> None:
    first = play_scored(StudGame(500), BOTS, 200, True, "a")
    assert play_scored(StudGame(500), BOTS, 200, True, "a") == first
    assert play_scored(StudGame(500), BOTS, 200, True, "b") != first
    no_chance = [play_scored(StudGame(500), ("caller", "tight"), 50, True, seed) for seed in "ab"]
    assert no_chance[0] != no_chance[1], "the seed deals the cards too"


@pytest.mark.parametrize(
    "words",
    [
        ["stud", "--hands", "100", "--cross"],
        ["stud", "--hands", "10"],
        ["blockhead", "--games", "2"],
        ["blockhead", "--games", "2", "--cross"],
    ],
)
def test_seed_to_type_again_is_quoted_for_a_shell(words: list[str]) -> None:
    done = casino("simulate", *words, "caller", "random", "--seed", "a seed")
    assert "--seed 'a seed'" in done.stdout, done.stderr


def test_what_one_bot_wins_the_others_lose() -> None:
    results = play_scored(StudGame(500), BOTS, 300, True, "a")
    assert [result.bot for result in results] == list(BOTS)
    assert [result.chips.count for result in results] == [300] * 4
    assert sum(result.chips.mean for result in results) == pytest.approx(0)
    assert sum(result.won for result in results) >= 300


def test_broke_bots_play_fewer_hands() -> None:
    results = play_scored(StudGame(30), ("maniac", "maniac", "maniac"), 100, False, "a")
    maniacs = [load_maker("maniac")(Random(1)) for _ in results]
    hands = list(play_hands(StudGame(30), maniacs, seed_from_text("a"), 100, False))
    dealt_in = [sum(player in hand.players for hand in hands) for player in range(3)]
    assert [result.chips.count for result in results] == dealt_in
    assert min(dealt_in) < 100


def test_equal_bots_get_different_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def maker(rng: Random) -> Strategy:
        given.append(rng.random())
        return Caller(rng)

    install(monkeypatch, random=maker)
    play_scored(StudGame(500), ("random", "random"), 1, True, "a")
    assert len(set(given)) == 2


def install(monkeypatch: pytest.MonkeyPatch, **makers: Maker) -> None:
    """Make ``makers`` known beside the installed bots."""
    monkeypatch.setattr(plan, "load_maker", lambda name: makers.get(name) or load_maker(name))


def test_the_table_has_a_row_for_each_seat() -> None:
    done = casino("simulate", "stud", "caller", "pair-or-fold", "--hands", "50")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["Stud:", "50", "hands"]
    assert [row[:2] for row in rows[3:5]] == [["0", "caller"], ["1", "pair-or-fold"]]
    assert "95 % interval" in done.stdout
    assert done.stdout.endswith("\nthe same again: --seed casino\n")


def test_title_counts_deals_of_duplicates(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("stud", "caller", "tight", hands=1, fair=DealFlags(duplicate=True)) == 0
    assert capsys.readouterr().out.startswith("Stud: 1 deal, each in every seating")


def test_json_output() -> None:
    result = facts("caller", "pair-or-fold", "--hands", "50", "--seed", "x")
    assert (result["game"], result["stack"], result["ante"]) == ("stud", 500, 1)
    assert (result["seed"], result["hands"]) == ("x", 50)
    assert (result["duplicate"], result["reset_stacks"]) == (False, False)
    assert [bot["bot"] for bot in result["bots"]] == ["caller", "pair-or-fold"]
    for bot in result["bots"]:
        assert bot["interval"][0] < bot["chips_per_hand"] < bot["interval"][1]
        assert bot["deviation"] > 0
    assert result == facts("caller", "pair-or-fold", "--hands", "50", "--seed", "x")


def test_json_says_how_hands_were_dealt() -> None:
    result = facts("caller", "tight", "--hands", "5", "--duplicate", "--reset-stacks", "--stack", "60")
    assert (result["stack"], result["duplicate"], result["reset_stacks"]) == (60, True, True)
    assert [bot["hands"] for bot in result["bots"]] == [10, 10]


def test_json_of_one_hand() -> None:
    (bot, _) = facts("caller", "tight", "--hands", "1")["bots"]
    assert (bot["interval"], bot["deviation"]) == (None, None)


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["caller", "nobody"], "there is no bot 'nobody'; installed are "),
        (["caller", "alpha"], "the bot 'alpha' plays blockhead, not stud"),
        (["--cross", "caller", "tight", "alpha"], "the bot 'alpha' plays blockhead, not stud"),
        (["caller"], "stud is played by 2 to 17 bots here, got 1"),
        (["caller"] * 18, "stud is played by 2 to 17 bots here, got 18"),
        (["caller", "tight", "--stack", "3", "--ante", "4"], "a stack of 3 chips does not pay the ante of 4"),
    ],
)
def test_bad_use_of_simulate_exits_with_2(args: list[str], complaint: str) -> None:
    done = casino("simulate", "stud", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"casino: {complaint}")


def test_file_learned_for_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "holdem.npz"
    save_untrained(file, "holdem")
    done = casino("simulate", "stud", "caller", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"casino: the bot {str(file)!r} plays holdem, not stud\n"


def test_unknown_bot_is_found_first() -> None:
    with pytest.raises(SimulationError, match="nobody"):
        play_scored(StudGame(500), ("caller", "nobody"), 10**9, False, "a")


def test_bot_that_breaks_the_rules(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    install(monkeypatch, cheat=lambda _rng: Scripted(lambda turn: Bet(turn.owed + 11)))
    assert simulate("stud", "caller", "cheat", hands=5) == 1
    out, err = capsys.readouterr()
    assert (out, "Traceback" in err) == ("", False)
    assert "casino: cheat in seat 1, hand 1: you bet 11, more than 10 above the 0 you owe" in err


def test_failing_bot_is_named_below_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wreck(turn: object) -> Bet:
        raise ZeroDivisionError("no chips")

    install(monkeypatch, wreck=lambda _rng: Scripted(wreck))
    assert simulate("stud", "wreck", "caller", hands=5) == 1
    *_, traceback_end, line = capsys.readouterr().err.rstrip("\n").split("\n")
    assert traceback_end == "ZeroDivisionError: no chips"
    assert line.startswith("casino: wreck in seat 0, hand 1: decide raised ZeroDivisionError: no chips; it was asked")

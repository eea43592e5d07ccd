"""``casino simulate blockhead``: the same result however it is played, its table, its JSON and its complaints."""

import json
import re
import subprocess
import sys
from math import inf
from random import Random
from typing import Any

import pytest

from bots.commands import simulate
from bots.simulation import plan as plans
from bots.simulation.folding import Keeping
from bots.simulation.plan import BLOCK, Plan
from bots.simulation.simulation_flags import GameFlags
from bots.simulation.tally import Tally
from bots.simulation.whole_games import Shard, play_shard
from bots.simulation.whole_games import simulate as play
from bots.strategy import Maker, load_maker
from bots.workers.computing import LocalWorkers
from protocol.games.base import Bet
from protocol.games.blockhead import BlockheadGame
from tests.bots.helpers import Scripted
from tests.patience import PATIENCE

SHORT = BlockheadGame(hands=4)


def casino(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "dealer.main", "simulate", "blockhead", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def facts(*words: str) -> Any:
    done = casino(*words, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout, parse_constant=pytest.fail)


def plan(*bots: str, deals: int = 40, duplicate: bool = False, seed: str = "x", game: BlockheadGame = SHORT) -> Plan:
    return Plan(bots, game, deals, duplicate, seed)


def tally(what: Plan) -> Tally:
    (total,) = play_shard(Shard(what, what.blocks, apart=False))
    return total


def install(monkeypatch: pytest.MonkeyPatch, **makers: Maker) -> None:
    """Make ``makers`` known beside the installed bots."""
    monkeypatch.setattr(plans, "load_maker", lambda name: makers.get(name) or load_maker(name))


def test_games_depend_on_the_seed_only() -> None:
    bots = ("random", "caller")
    assert tally(plan(*bots)) == tally(plan(*bots))
    assert tally(plan(*bots)) != tally(plan(*bots, seed="y"))


def test_result_with_one_and_two_processes() -> None:
    """Five blocks with a short one at the end."""
    what = plan("random", "maniac", deals=4 * BLOCK + 7, game=BlockheadGame(hands=1))
    alone, together = (play(what, Keeping(LocalWorkers(jobs))) for jobs in (1, 2))
    assert alone.tally == together.tally
    assert alone.trail == together.trail
    assert [step.games for step in alone.trail] == [250, 500, 750, 1000, 1007]


@pytest.mark.parametrize("bots", [("random", "caller"), ("random", "maniac", "tight"), ("caller", "maniac") * 3])
@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize("ranks", ["blockhead", "poker"])
def test_chips_are_conserved_and_games_counted_once(bots: tuple[str, ...], duplicate: bool, ranks: Any) -> None:
    found = tally(plan(*bots, deals=20, duplicate=duplicate, game=BlockheadGame(300, 4, ranks)))
    assert found.games == 20 * (len(bots) if duplicate else 1)
    assert sum(player.gains.total for player in found.players) == 0
    assert sum(chips * times for player in found.players for chips, times in player.stacks.items()) == (
        300 * len(bots) * found.games
    )
    assert sum(player.won for player in found.players) + max(p.drawn for p in found.players) <= found.games
    for player in found.players:
        assert player.opened.total() == player.stacks.total() == found.games
        assert player.won_as_opener.total() == player.won


def test_with_duplicates_everybody_opens_as_often() -> None:
    bots = ("random", "caller", "maniac")
    assert tally(plan(*bots)).players[0].opened == {0: 40}
    assert tally(plan(*bots, duplicate=True)).players[0].opened == {0: 40, 1: 40, 2: 40}


def test_duplicates_of_equal_blind_bots_end_even() -> None:
    found = tally(plan("caller", "caller", duplicate=True))
    assert found.pairs[0, 1].deals.squares == 0
    assert found.variance_ratio((0, 1)) == 0


def test_equal_names_get_numbers() -> None:
    result = facts("caller", "caller", "--games", "3")
    assert [player["bot"] for player in result["players"]] == ["caller", "caller-2"]


def test_json_of_games() -> None:
    result = facts("maniac", "tight", "--games", "40", "--seed", "x", "--stack", "500", "--hands", "6")
    assert (result["game"], result["seed"], result["engine"]) == ("blockhead", "x", "arena")
    assert (result["games"], result["stack"], result["hands"], result["ranks"]) == (40, 500, 6, "blockhead")
    assert (result["level"], result["stops_when_decided"], result["variance_ratio"]) == (0.05, False, None)
    for player in result["players"]:
        assert player["won"] + player["drawn"] + player["lost"] == 40
        assert player["interval"][0] < player["chips_per_hand"] < player["interval"][1]
        assert player["win_rate_interval"][0] < player["win_rate"] < player["win_rate_interval"][1]
        assert player["chips_per_game"] == pytest.approx(500 + 6 * player["chips_per_hand"])
    assert result["average_pot"] >= 20
    assert 0 <= result["p_value"] <= 1
    assert 0 <= result["p_value_chips"] <= 1


def test_json_of_one_game() -> None:
    (player, _) = facts("caller", "tight", "--games", "1")["players"]
    assert (player["interval"], player["chips_per_game_interval"]) == (None, None)


def test_table_fits_the_page() -> None:
    done = casino("random", "maniac", "--games", "60", "--duplicate", "--seed", "[x]")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[-1] == "maniac beats random"
    for text in ("120 games (60 deals", "by the arena", "average pot", "--seed '[x]'", "of the variance", "p < 0.001"):
        assert text in done.stdout


def test_title_of_one_game_of_one_hand() -> None:
    done = casino("caller", "maniac", "--games", "1", "--hands", "1", "--duplicate")
    assert done.stdout.startswith("Blockhead: 2 games (1 deal, each in every seating) of 1 hand, by the ")


def test_p_value_of_three_bots_says_what_it_is_of() -> None:
    done = casino("caller", "random", "maniac", "--games", "60", "--seed", "x")
    test, verdict = done.stdout.splitlines()[-2:]
    assert re.fullmatch(
        r"p [=<] \d\.\d+ for maniac ending ahead of caller, null: even; corrected for 3 comparisons", test
    )
    assert verdict.startswith("maniac beats random")


def test_simulation_stops_when_decided() -> None:
    result = facts("random", "maniac", "--games", "100000", "--until", "0.01")
    assert result["decided"]
    assert result["stops_when_decided"]
    assert result["games"] == BLOCK
    assert result["p_value"] <= 0.01
    even = facts("caller", "caller", "--games", "600", "--until", "0.01", "--hands", "2")
    assert (even["decided"], even["games"]) == (False, 600)


def test_cross_table_plays_both_seats() -> None:
    result = facts("--cross", "caller", "random", "maniac", "--games", "19", "--hands", "4")
    assert result["games"] == 20
    scores = {(score["bot"], score["against"]): score for score in result["scores"]}
    assert len(scores) == 6
    for (bot, against), score in scores.items():
        assert score["chips_per_hand"] == pytest.approx(-scores[against, bot]["chips_per_hand"])
        low, high = score["interval"] or (-inf, inf)  # None where all deals came out alike
        assert low <= score["chips_per_hand"] <= high
        assert score["win_rate"] + scores[against, bot]["win_rate"] <= 1
    assert scores["maniac", "random"]["interval"][0] > 0


def test_the_cross_table_fits_the_page() -> None:
    bots = ("caller", "random", "maniac", "tight", "pair-or-fold", "stud")
    done = casino("--cross", *bots[:4], "--games", "10", "--hands", "4")
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 100
    for bot in bots[:4]:
        assert done.stdout.count(bot) == 2


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["caller", "nobody"], "there is no bot 'nobody'; installed are "),
        (["caller"], "blockhead is played by 2 to 6 bots here, got 1"),
        (["caller"] * 7, "blockhead is played by 2 to 6 bots here, got 7"),
        (["caller", "tight", "--ante", "4"], "--ante is for holdem and stud only"),
        (["caller", "stud"], "the bot 'stud' plays stud, not blockhead"),
        (["--cross", "caller", "stud"], "the bot 'stud' plays stud, not blockhead"),
        (["caller", "tight", "--players", "1"], "--players 1 is fewer than the 2 bots named; name as many or fewer"),
        (["--players", "2"], "--players 2 needs bots to take the seats; name at least one"),
        (["caller", "tight", "--reset-stacks"], "--reset-stacks is for holdem and stud only"),
        (["--cross", "caller"], "a cross table needs 2 to 6 different bots, got caller"),
        (["--cross", "caller", "caller"], "a cross table needs 2 to 6 different bots, got caller caller"),
        (["--cross", "caller", "tight", "--until", "0.1"], "--until is about one simulation"),
        (["--cross", "caller", "tight", "--report", "r.html"], "--report is about one simulation"),
        (["caller", "tight", "--report", "/no/such/r.html"], "cannot write the report /no/such/r.html: there is no"),
        (["caller", "random", "--engine", "kernel"], "random has no kernel"),
    ],
)
def test_bad_use_of_simulate_is_one_line(words: list[str], complaint: str) -> None:
    done = casino(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"casino: {complaint}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [["--games", "0"], ["--until", "1"], ["--until", "x"], ["--jobs", "0"], ["--ranks", "rummy"], ["--gmes", "2"]],
)
def test_a_bad_flag_is_bad_usage(words: list[str]) -> None:
    done = casino("caller", "tight", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert words[0].lstrip("-") in done.stderr
    assert "Traceback" not in done.stderr


def test_stud_takes_no_flag_of_blockhead(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("stud", "caller", "tight", whole=GameFlags(games=5)) == 2
    assert capsys.readouterr().err == "casino: --games is for blockhead and dice only\n"


def test_bot_that_breaks_the_rules(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    install(monkeypatch, cheat=lambda _rng: Scripted(lambda turn: Bet(turn.owed + 11)))
    assert simulate("blockhead", "caller", "cheat") == 1
    out, err = capsys.readouterr()
    assert (out, "Traceback" in err) == ("", False)
    assert "casino: cheat in seat 1, hand 1: you bet 11, more than 10 above the 0 you owe" in err


def test_random_numbers_differ_by_player_and_block(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def maker(rng: Random) -> Scripted:
        given.append(rng.random())
        return Scripted(lambda turn: Bet(turn.owed))

    install(monkeypatch, some=maker)
    monkeypatch.setattr(plans, "BLOCK", 2)
    tally(plan("some", "some", deals=6))
    assert len(set(given)) == len(given) == 6


def test_named_bots_fill_more_seats() -> None:
    done = casino("caller", "maniac", "--players", "5", "--games", "2", "--json")
    assert done.returncode == 0
    names = [player["bot"] for player in json.loads(done.stdout)["players"]]
    assert [name.split("-")[0] for name in names] == ["caller", "maniac", "caller", "maniac", "caller"]

"""``casino simulate``: the same result however it is played, its tables, its JSON, its complaints and its bench."""

import json
import re
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from bots.commands import simulate
from bots.simulation import plan
from bots.simulation.engine import Shard, play, play_shard
from bots.simulation.plan import BLOCK, Plan, SimulationError
from bots.simulation.simulation_flags import SimulationFlags
from bots.simulation.tally import Tally
from bots.strategies.caller import Caller
from bots.strategy import Maker, Strategy
from bots.workers.computing import LocalWorkers
from protocol.games.base import Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame
from protocol.installed_bots import load_bot
from tests.bots.environments.untrained import save_untrained
from tests.bots.helpers import Scripted
from tests.end_to_end.casino import Outcome, run

SHORT = BlockheadGame(hands=4)
BOTS = ("maniac", "tight", "random", "tight")


def play_stud(bots: tuple[str, ...], hands: int, seed: str, stack: int = 500) -> Tally:
    return play(Plan(bots, StudGame(stack), hands, False, seed)).tally


def casino(*words: str) -> Outcome:
    return trio.run(run, *words)


def facts(*args: str) -> Any:
    done = casino("simulate", *args, "--json")
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out, parse_constant=pytest.fail)


def test_result_depends_on_the_seed_only() -> None:
    first = play_stud(BOTS, 200, "a")
    assert play_stud(BOTS, 200, "a") == first
    assert play_stud(BOTS, 200, "b") != first
    no_chance = [play_stud(("caller", "tight"), 50, seed) for seed in "ab"]
    assert no_chance[0] != no_chance[1], "the seed deals the cards too"


@pytest.mark.parametrize(
    "words",
    [
        ["stud", "--deals", "100", "--cross"],
        ["stud", "--deals", "10"],
        ["blockhead", "--deals", "2"],
        ["blockhead", "--deals", "2", "--cross"],
    ],
)
def test_seed_to_type_again_is_quoted_for_a_shell(words: list[str]) -> None:
    done = casino("simulate", *words, "caller", "random", "--seed", "a seed")
    assert "--seed 'a seed'" in done.out, done.err


def test_what_one_bot_wins_the_others_lose() -> None:
    players = play_stud(BOTS, 300, "a").players
    assert [player.gains.count for player in players] == [300] * 4
    assert sum(player.gains.total for player in players) == 0
    assert sum(player.won for player in players) + sum(player.drawn for player in players) >= 300


def test_equal_bots_get_different_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def maker(rng: Random) -> Strategy:
        given.append(rng.random())
        return Caller(rng)

    install(monkeypatch, random=maker)
    play_stud(("random", "random"), 1, "a")
    assert len(set(given)) == 2


def install(monkeypatch: pytest.MonkeyPatch, **makers: Maker) -> None:
    """Make ``makers`` known beside the installed bots."""
    monkeypatch.setattr(plan, "load_bot", lambda name, *game: makers.get(name) or load_bot(name, *game))


def test_the_table_has_a_row_for_each_seat() -> None:
    done = casino("simulate", "stud", "caller", "pair-or-fold", "--deals", "50")
    assert (done.code, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[0] == ["Stud:", "50", "hands,", "by", "the", "arena"]
    assert [row[0] for row in rows[4:6]] == ["caller", "pair-or-fold"]
    assert "the same again: --seed casino\n" in done.out


def test_title_counts_deals_of_duplicates(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("stud", "caller", "tight", flags=SimulationFlags(deals=1, duplicate=True)) == 0
    assert capsys.readouterr().out.startswith("Stud: 2 hands (1 deal, each in every seating), by the arena")


def test_json_of_hands() -> None:
    result = facts("stud", "caller", "pair-or-fold", "--deals", "50", "--seed", "x", "--duplicate", "--stack", "60")
    assert (result["game"], result["stack"], result["ante"]) == ("stud", 60, 1)
    assert (result["seed"], result["deals"], result["duplicate"]) == ("x", 50, True)
    assert [bot["bot"] for bot in result["scores"]] == ["caller", "pair-or-fold"]
    for bot in result["scores"]:
        assert bot["interval"][0] < bot["chips_per_hand"] < bot["interval"][1]
        assert bot["won"] + bot["drawn"] + bot["lost"] == 100


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["stud", "caller", "nobody"], "there is no bot 'nobody'; installed are "),
        (["stud", "caller", "alpha"], "the bot 'alpha' plays blockhead, not stud"),
        (["stud", "--cross", "caller", "tight", "alpha"], "the bot 'alpha' plays blockhead, not stud"),
        (["stud", "caller"], "stud is played by 2 to 17 bots here, got 1"),
        (["stud", *["caller"] * 18], "stud is played by 2 to 17 bots here, got 18"),
        (["stud", "caller", "tight", "--stack", "3", "--ante", "4"], "a stack of 3 chips does not pay the ante of 4"),
        (["blockhead", "caller", "nobody"], "there is no bot 'nobody'; installed are "),
        (["blockhead", "caller"], "blockhead is played by 2 to 6 bots here, got 1"),
        (["blockhead", *["caller"] * 7], "blockhead is played by 2 to 6 bots here, got 7"),
        (["blockhead", "caller", "tight", "--ante", "4"], "--ante is for holdem and stud; blockhead has no"),
        (["blockhead", "caller", "stud"], "the bot 'stud' plays stud, not blockhead"),
        (["blockhead", "--cross", "caller", "stud"], "the bot 'stud' plays stud, not blockhead"),
        (
            ["blockhead", "caller", "tight", "--players", "1"],
            "--players 1 is fewer than the 2 bots named; name as many or fewer",
        ),
        (["blockhead", "--players", "2"], "--players 2 needs bots to take the seats; name at least one"),
        (
            ["stud", "caller", "tight", "--hands", "5"],
            "--hands is how long a game is; stud is simulated hand by hand: give --deals",
        ),
        (["blockhead", "--cross", "caller"], "a cross table needs at least 2 different bots, got caller"),
        (
            ["blockhead", "--cross", "caller", "caller"],
            "a cross table needs at least 2 different bots, got caller caller",
        ),
        (
            ["blockhead", "--cross", "caller", "tight", "--report", "/no/such/r.html"],
            "cannot write the report /no/such/r.html: there is no",
        ),
        (
            ["blockhead", "caller", "tight", "--report", "/no/such/r.html"],
            "cannot write the report /no/such/r.html: there is no",
        ),
        (["blockhead", "caller", "random", "--engine", "kernel"], "random has no kernel"),
    ],
)
def test_bad_use_of_simulate_is_one_line(words: list[str], complaint: str) -> None:
    done = casino("simulate", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"casino: {complaint}")
    assert done.err.count("\n") == 1


def test_file_learned_for_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "holdem.npz"
    save_untrained(file, "holdem")
    done = casino("simulate", "stud", "caller", str(file))
    assert (done.code, done.out) == (2, "")
    assert done.err == f"casino: the bot {str(file)!r} plays holdem, not stud\n"


def test_unknown_bot_is_found_first() -> None:
    with pytest.raises(SimulationError, match="nobody"):
        play_stud(("caller", "nobody"), 10**9, "a")


@pytest.mark.parametrize("game", ["stud", "blockhead"])
def test_bot_that_breaks_the_rules(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, cheat=lambda _rng: Scripted(lambda turn: Bet(turn.owed + 11)))
    assert simulate(game, "caller", "cheat") == 1
    out, err = capsys.readouterr()
    assert (out, "Traceback" in err) == ("", False)
    assert "casino: cheat in seat 1, hand 1: you bet 11, more than 10 above the 0 you owe" in err


def test_failing_bot_is_named_below_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wreck(turn: object) -> Bet:
        raise ZeroDivisionError("no chips")

    install(monkeypatch, wreck=lambda _rng: Scripted(wreck))
    assert simulate("stud", "wreck", "caller") == 1
    *_, traceback_end, line = capsys.readouterr().err.rstrip("\n").split("\n")
    assert traceback_end == "ZeroDivisionError: no chips"
    assert line.startswith("casino: wreck in seat 0, hand 1: decide raised ZeroDivisionError: no chips; it was asked")


def games_of(
    *bots: str, deals: int = 40, duplicate: bool = False, seed: str = "x", game: BlockheadGame = SHORT
) -> Plan:
    return Plan(bots, game, deals, duplicate, seed)


def tally(what: Plan) -> Tally:
    (total,) = play_shard(Shard(0, what, what.blocks, apart=False))
    return total


def test_games_depend_on_the_seed_only() -> None:
    bots = ("random", "caller")
    assert tally(games_of(*bots)) == tally(games_of(*bots))
    assert tally(games_of(*bots)) != tally(games_of(*bots, seed="y"))


def test_result_with_one_and_two_processes() -> None:
    """Five blocks with a short one at the end."""
    what = games_of("random", "maniac", deals=4 * BLOCK + 7, game=BlockheadGame(hands=1))
    alone, together = (play(what, LocalWorkers(jobs)) for jobs in (1, 2))
    assert alone.tally == together.tally
    assert alone.trail == together.trail
    assert [step.plays for step in alone.trail] == [250, 500, 750, 1000, 1007]


@pytest.mark.parametrize("bots", [("random", "caller"), ("random", "maniac", "tight"), ("caller", "maniac") * 3])
@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize("ranks", ["blockhead", "poker"])
def test_chips_are_conserved_and_games_counted_once(bots: tuple[str, ...], duplicate: bool, ranks: Any) -> None:
    found = tally(games_of(*bots, deals=20, duplicate=duplicate, game=BlockheadGame(300, 4, ranks)))
    assert found.plays == 20 * (len(bots) if duplicate else 1)
    assert sum(player.gains.total for player in found.players) == 0
    for player in found.players:
        assert sum(chips * times for chips, times in player.chips.items()) == player.gains.total
    assert sum(player.won for player in found.players) + max(p.drawn for p in found.players) <= found.plays
    for player in found.players:
        assert found.opened.total() == player.chips.total() == found.plays
        assert player.won_as_opener.total() == player.won


def test_with_duplicates_everybody_opens_as_often() -> None:
    bots = ("random", "caller", "maniac")
    assert tally(games_of(*bots)).opened == {0: 40}
    assert tally(games_of(*bots, duplicate=True)).opened == {0: 40, 1: 40, 2: 40}


def test_duplicates_of_equal_blind_bots_end_even() -> None:
    found = tally(games_of("caller", "caller", duplicate=True))
    assert found.pairs[0, 1].deals.squares == 0
    assert found.variance_ratio((0, 1)) == 0


def test_equal_names_get_numbers() -> None:
    result = facts("blockhead", "caller", "caller", "--deals", "3")
    assert [player["bot"] for player in result["scores"]] == ["caller", "caller-2"]


def test_json_of_games() -> None:
    result = facts("blockhead", "maniac", "tight", "--deals", "40", "--seed", "x", "--stack", "500", "--hands", "6")
    assert (result["game"], result["seed"], result["engine"]) == ("blockhead", "x", "arena")
    assert (result["deals"], result["stack"], result["hands"], result["ranks"]) == (40, 500, 6, "blockhead")
    assert (result["level"], result["stops_when_decided"], result["variance_ratio"]) == (0.05, False, None)
    for player in result["scores"]:
        assert player["won"] + player["drawn"] + player["lost"] == 40
        assert player["interval"][0] < player["chips_per_hand"] < player["interval"][1]
        assert player["win_rate_interval"][0] < player["win_rate"] < player["win_rate_interval"][1]
    assert result["average_pot"] >= 20
    assert 0 <= result["p_value"] <= 1
    assert 0 <= result["p_value_chips"] <= 1


def test_json_of_one_game() -> None:
    (player, _) = facts("blockhead", "caller", "tight", "--deals", "1")["scores"]
    assert player["interval"] is None
    assert player["win_rate_interval"] is not None


def test_table_fits_the_page() -> None:
    done = casino("simulate", "blockhead", "random", "maniac", "--deals", "60", "--duplicate", "--seed", "[x]")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[-1] == "maniac beats random"
    for text in ("120 games (60 deals", "by the arena", "average pot", "--seed '[x]'", "of the variance", "p < 0.001"):
        assert text in done.out


def test_title_of_one_game_of_one_hand() -> None:
    done = casino("simulate", "blockhead", "caller", "maniac", "--deals", "1", "--hands", "1", "--duplicate")
    assert done.out.startswith("Blockhead: 2 games (1 deal, each in every seating) of 1 hand, by the ")


def test_p_value_of_three_bots_says_what_it_is_of() -> None:
    done = casino("simulate", "blockhead", "caller", "random", "maniac", "--deals", "60", "--seed", "x")
    test, verdict = done.out.splitlines()[-2:]
    assert re.fullmatch(
        r"p [=<] \d\.\d+ for maniac ending ahead of caller, null: even; corrected for 3 comparisons", test
    )
    assert verdict.startswith("maniac beats random")


def test_simulation_stops_when_decided() -> None:
    result = facts("blockhead", "random", "maniac", "--deals", "100000", "--until", "0.01")
    assert result["decided"]
    assert result["stops_when_decided"]
    assert result["deals"] == BLOCK
    assert result["p_value"] <= 0.01
    even = facts("blockhead", "caller", "caller", "--deals", "600", "--until", "0.01", "--hands", "2")
    assert (even["decided"], even["deals"]) == (False, 600)


def test_cross_table_plays_both_seats() -> None:
    result = facts("blockhead", "--cross", "caller", "random", "maniac", "--deals", "10", "--hands", "4")
    assert result["deals"] == 10
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
    done = casino("simulate", "blockhead", "--cross", *bots[:4], "--deals", "10", "--hands", "4")
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 100
    for bot in bots[:4]:
        assert done.out.count(bot) == 2


@pytest.mark.parametrize(
    "words",
    [["--deals", "0"], ["--until", "1"], ["--until", "x"], ["--jobs", "0"], ["--ranks", "rummy"], ["--daels", "2"]],
)
def test_a_bad_flag_is_bad_usage(words: list[str]) -> None:
    done = casino("simulate", "blockhead", "caller", "tight", *words)
    assert (done.code, done.out) == (2, "")
    assert words[0].lstrip("-") in done.err
    assert "Traceback" not in done.err


def test_random_numbers_differ_by_player_and_block(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def maker(rng: Random) -> Scripted:
        given.append(rng.random())
        return Scripted(lambda turn: Bet(turn.owed))

    install(monkeypatch, some=maker)
    monkeypatch.setattr(plan, "BLOCK", 2)
    tally(games_of("some", "some", deals=6))
    assert len(set(given)) == len(given) == 6


def test_named_bots_fill_more_seats() -> None:
    done = casino("simulate", "blockhead", "caller", "maniac", "--players", "5", "--deals", "2", "--json")
    assert done.code == 0
    names = [player["bot"] for player in json.loads(done.out)["scores"]]
    assert [name.split("-")[0] for name in names] == ["caller", "maniac", "caller", "maniac", "caller"]

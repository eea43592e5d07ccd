"""``casino simulate``: the same result however it is played, its tables, its JSON, its complaints and its bench."""

import json
import re
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from bots.arena import play_hands
from bots.commands import simulate
from bots.simulation import plan
from bots.simulation.folding import Keeping
from bots.simulation.hand_tally import Result
from bots.simulation.plan import BLOCK, Plan, SimulationError
from bots.simulation.simulation_flags import DealFlags, GameFlags
from bots.simulation.single_hands import play_plan
from bots.simulation.tally import Tally
from bots.simulation.whole_games import Shard, play_shard
from bots.simulation.whole_games import simulate as play
from bots.strategies.caller import Caller
from bots.strategy import Maker, Strategy
from bots.workers.computing import LocalWorkers
from protocol.games.base import Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame
from protocol.installed_bots import load_bot
from protocol.shuffle import seed_from_text
from tests.bots.environments.untrained import save_untrained
from tests.bots.helpers import Scripted
from tests.end_to_end.casino import Outcome, run

SHORT = BlockheadGame(hands=4)
BOTS = ("maniac", "tight", "random", "tight")


def play_scored(game: StudGame, bots: tuple[str, ...], hands: int, reset_stacks: bool, seed: str) -> list[Result]:
    return play_plan(Plan(bots, game, hands, False, seed, reset_stacks=reset_stacks))


def casino(*words: str) -> Outcome:
    return trio.run(run, *words)


def facts(*args: str) -> Any:
    done = casino("simulate", *args, "--json")
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out, parse_constant=pytest.fail)


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
    assert "--seed 'a seed'" in done.out, done.err


def test_what_one_bot_wins_the_others_lose() -> None:
    results = play_scored(StudGame(500), BOTS, 300, True, "a")
    assert [result.bot for result in results] == list(BOTS)
    assert [result.gains.count for result in results] == [300] * 4
    assert sum(result.chips_per_hand.value for result in results) == pytest.approx(0)
    assert sum(result.won for result in results) >= 300


def test_broke_bots_play_fewer_hands() -> None:
    results = play_scored(StudGame(30), ("maniac", "maniac", "maniac"), 100, False, "a")
    maniacs = [load_bot("maniac")(Random(1)) for _ in results]
    hands = list(play_hands(StudGame(30), maniacs, seed_from_text("a"), 100, False))
    dealt_in = [sum(player in hand.players for hand in hands) for player in range(3)]
    assert [result.gains.count for result in results] == dealt_in
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
    monkeypatch.setattr(plan, "load_bot", lambda name, *game: makers.get(name) or load_bot(name, *game))


def test_the_table_has_a_row_for_each_seat() -> None:
    done = casino("simulate", "stud", "caller", "pair-or-fold", "--hands", "50")
    assert (done.code, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[0] == ["Stud:", "50", "hands"]
    assert [row[:2] for row in rows[3:5]] == [["0", "caller"], ["1", "pair-or-fold"]]
    assert "95 % interval" in done.out
    assert done.out.endswith("\nthe same again: --seed casino\n")


def test_title_counts_deals_of_duplicates(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("stud", "caller", "tight", hands=1, fair=DealFlags(duplicate=True)) == 0
    assert capsys.readouterr().out.startswith("Stud: 1 deal, each in every seating")


def test_json_output() -> None:
    result = facts("stud", "caller", "pair-or-fold", "--hands", "50", "--seed", "x")
    assert (result["game"], result["stack"], result["ante"]) == ("stud", 500, 1)
    assert (result["seed"], result["hands"]) == ("x", 50)
    assert (result["duplicate"], result["reset_stacks"]) == (False, False)
    assert [bot["bot"] for bot in result["bots"]] == ["caller", "pair-or-fold"]
    for bot in result["bots"]:
        assert bot["interval"][0] < bot["chips_per_hand"] < bot["interval"][1]
        assert bot["deviation"] > 0
    assert result == facts("stud", "caller", "pair-or-fold", "--hands", "50", "--seed", "x")


def test_json_says_how_hands_were_dealt() -> None:
    result = facts("stud", "caller", "tight", "--hands", "5", "--duplicate", "--reset-stacks", "--stack", "60")
    assert (result["stack"], result["duplicate"], result["reset_stacks"]) == (60, True, True)
    assert [bot["hands"] for bot in result["bots"]] == [10, 10]


def test_json_of_one_hand() -> None:
    (bot, _) = facts("stud", "caller", "tight", "--hands", "1")["bots"]
    assert (bot["interval"], bot["deviation"]) == (None, None)


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
        (["blockhead", "caller", "tight", "--reset-stacks"], "--reset-stacks is for holdem and stud only"),
        (["blockhead", "--cross", "caller"], "a cross table needs at least 2 different bots, got caller"),
        (
            ["blockhead", "--cross", "caller", "caller"],
            "a cross table needs at least 2 different bots, got caller caller",
        ),
        (["blockhead", "--cross", "caller", "tight", "--until", "0.1"], "--until is about one simulation"),
        (["blockhead", "--cross", "caller", "tight", "--report", "r.html"], "--report is about one simulation"),
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
        play_scored(StudGame(500), ("caller", "nobody"), 10**9, False, "a")


@pytest.mark.parametrize(("game", "hands"), [("stud", 5), ("blockhead", None)])
def test_bot_that_breaks_the_rules(
    game: str, hands: int | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, cheat=lambda _rng: Scripted(lambda turn: Bet(turn.owed + 11)))
    assert simulate(game, "caller", "cheat", hands=hands) == 1
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


def games_of(
    *bots: str, deals: int = 40, duplicate: bool = False, seed: str = "x", game: BlockheadGame = SHORT
) -> Plan:
    return Plan(bots, game, deals, duplicate, seed)


def tally(what: Plan) -> Tally:
    (total,) = play_shard(Shard(what, what.blocks, apart=False))
    return total


def test_games_depend_on_the_seed_only() -> None:
    bots = ("random", "caller")
    assert tally(games_of(*bots)) == tally(games_of(*bots))
    assert tally(games_of(*bots)) != tally(games_of(*bots, seed="y"))


def test_result_with_one_and_two_processes() -> None:
    """Five blocks with a short one at the end."""
    what = games_of("random", "maniac", deals=4 * BLOCK + 7, game=BlockheadGame(hands=1))
    alone, together = (play(what, Keeping(LocalWorkers(jobs))) for jobs in (1, 2))
    assert alone.tally == together.tally
    assert alone.trail == together.trail
    assert [step.games for step in alone.trail] == [250, 500, 750, 1000, 1007]


@pytest.mark.parametrize("bots", [("random", "caller"), ("random", "maniac", "tight"), ("caller", "maniac") * 3])
@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize("ranks", ["blockhead", "poker"])
def test_chips_are_conserved_and_games_counted_once(bots: tuple[str, ...], duplicate: bool, ranks: Any) -> None:
    found = tally(games_of(*bots, deals=20, duplicate=duplicate, game=BlockheadGame(300, 4, ranks)))
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
    assert tally(games_of(*bots)).players[0].opened == {0: 40}
    assert tally(games_of(*bots, duplicate=True)).players[0].opened == {0: 40, 1: 40, 2: 40}


def test_duplicates_of_equal_blind_bots_end_even() -> None:
    found = tally(games_of("caller", "caller", duplicate=True))
    assert found.pairs[0, 1].deals.squares == 0
    assert found.variance_ratio((0, 1)) == 0


def test_equal_names_get_numbers() -> None:
    result = facts("blockhead", "caller", "caller", "--games", "3")
    assert [player["bot"] for player in result["players"]] == ["caller", "caller-2"]


def test_json_of_games() -> None:
    result = facts("blockhead", "maniac", "tight", "--games", "40", "--seed", "x", "--stack", "500", "--hands", "6")
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
    (player, _) = facts("blockhead", "caller", "tight", "--games", "1")["players"]
    assert (player["interval"], player["chips_per_game_interval"]) == (None, None)


def test_table_fits_the_page() -> None:
    done = casino("simulate", "blockhead", "random", "maniac", "--games", "60", "--duplicate", "--seed", "[x]")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[-1] == "maniac beats random"
    for text in ("120 games (60 deals", "by the arena", "average pot", "--seed '[x]'", "of the variance", "p < 0.001"):
        assert text in done.out


def test_title_of_one_game_of_one_hand() -> None:
    done = casino("simulate", "blockhead", "caller", "maniac", "--games", "1", "--hands", "1", "--duplicate")
    assert done.out.startswith("Blockhead: 2 games (1 deal, each in every seating) of 1 hand, by the ")


def test_p_value_of_three_bots_says_what_it_is_of() -> None:
    done = casino("simulate", "blockhead", "caller", "random", "maniac", "--games", "60", "--seed", "x")
    test, verdict = done.out.splitlines()[-2:]
    assert re.fullmatch(
        r"p [=<] \d\.\d+ for maniac ending ahead of caller, null: even; corrected for 3 comparisons", test
    )
    assert verdict.startswith("maniac beats random")


def test_simulation_stops_when_decided() -> None:
    result = facts("blockhead", "random", "maniac", "--games", "100000", "--until", "0.01")
    assert result["decided"]
    assert result["stops_when_decided"]
    assert result["games"] == BLOCK
    assert result["p_value"] <= 0.01
    even = facts("blockhead", "caller", "caller", "--games", "600", "--until", "0.01", "--hands", "2")
    assert (even["decided"], even["games"]) == (False, 600)


def test_cross_table_plays_both_seats() -> None:
    result = facts("blockhead", "--cross", "caller", "random", "maniac", "--games", "19", "--hands", "4")
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
    done = casino("simulate", "blockhead", "--cross", *bots[:4], "--games", "10", "--hands", "4")
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 100
    for bot in bots[:4]:
        assert done.out.count(bot) == 2


@pytest.mark.parametrize(
    "words",
    [["--games", "0"], ["--until", "1"], ["--until", "x"], ["--jobs", "0"], ["--ranks", "rummy"], ["--gmes", "2"]],
)
def test_a_bad_flag_is_bad_usage(words: list[str]) -> None:
    done = casino("simulate", "blockhead", "caller", "tight", *words)
    assert (done.code, done.out) == (2, "")
    assert words[0].lstrip("-") in done.err
    assert "Traceback" not in done.err


def test_stud_takes_no_flag_of_blockhead(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("stud", "caller", "tight", whole=GameFlags(games=5)) == 2
    assert capsys.readouterr().err == "casino: --games is for blockhead and dice only\n"


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
    done = casino("simulate", "blockhead", "caller", "maniac", "--players", "5", "--games", "2", "--json")
    assert done.code == 0
    names = [player["bot"] for player in json.loads(done.out)["players"]]
    assert [name.split("-")[0] for name in names] == ["caller", "maniac", "caller", "maniac", "caller"]

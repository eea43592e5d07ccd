"""``casino league blockhead``: games in real processes, and the report on them."""

import json

from tests.end_to_end.casino import run

#: Seconds for a reply that a busy machine keeps.
LIMIT = ("--limit", "60")


async def test_a_league_reports_what_the_assignment_asks_for() -> None:
    outcome = await run(*["league", "blockhead", "caller", "maniac", "--games", "4", "--seed", "x", *LIMIT, "--json"])
    assert (outcome.code, outcome.err) == (0, "")
    facts = json.loads(outcome.out)
    assert (facts["game"], facts["games"], facts["hands"]) == ("blockhead", 4, 80)
    assert facts["agreed"]["hands"] == 20
    scores = [standing["score"] for standing in facts["standings"]]
    assert sum(score["average_chips"] for score in scores) == 2000
    assert sum(score["won"] for score in scores) + scores[0]["drawn"] == 4
    assert sum(score["chips_per_hand"] for score in scores) == 0
    for score in scores:
        low, high = score["interval"]
        assert low < score["chips_per_hand"] < high
        assert score["hands"] == 80
        assert score["folds"] == 0
        assert score["average_pot"] > 20


async def test_the_same_seed_gives_the_same_games() -> None:
    words = ["league", "blockhead", "caller", "random", "random", "--games", "3", "--seed", "y", *LIMIT, "--json"]
    first, again = [json.loads((await run(*words)).out) for _ in range(2)]
    assert [s["score"] for s in first["standings"]] == [s["score"] for s in again["standings"]]


async def test_the_table_of_scores_fits_in_80_columns() -> None:
    outcome = await run(*["league", "blockhead", "caller", "maniac", "--games", "2", "--ranks", "poker", *LIMIT])
    assert outcome.code == 0
    assert max(map(len, outcome.out.splitlines())) <= 80
    for word in ("Scores", "Caller", "Maniac", "Folds"):
        assert word in outcome.out


async def test_flags_of_the_other_game_are_refused() -> None:
    for words, complaint in (
        ("league blockhead caller maniac --ante 2", "--ante is for holdem and stud"),
        ("league stud caller maniac --ranks poker", "--ranks is for blockhead"),
        ("league blockhead caller", "a league of blockhead needs 2 to 6 bots, got 1"),
    ):
        outcome = await run(*words.split())
        assert outcome.code == 2
        assert complaint in outcome.err


async def test_bots_take_more_seats_in_turn() -> None:
    words = ("--players", "5", "--games", "1", *LIMIT, "--json")
    outcome = await run("league", "blockhead", "caller", "maniac", *words)
    facts = json.loads(outcome.out)
    assert sorted(standing["bot"] for standing in facts["standings"]) == [
        *["caller", "caller 2", "caller 3", "maniac", "maniac 2"]
    ]

"""``casino league dice``: everybody against everybody, in real processes."""

import json

from tests.end_to_end.casino import run


async def test_a_league_of_dice_is_a_round_robin() -> None:
    bots = ["dice-equilibrium", "caller", "dice-four"]
    outcome = await run(*["league", "dice", *bots, "--hands", "40", "--limit", "60", "--seed", "x", "--json"])
    assert (outcome.code, outcome.err) == (0, "")
    facts = json.loads(outcome.out)
    assert (facts["game"], facts["format"]) == ("dice", "round-robin")
    results = {one["bot"]: one["pairings"]["results"] for one in facts["standings"]}
    assert all(len(met) == 2 for met in results.values())
    assert sum(one["pairings"]["chips_won"] for one in facts["standings"]) == 0

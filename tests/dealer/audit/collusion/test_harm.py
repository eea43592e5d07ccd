"""Players who harm themselves against one opponent are told from those who do so against everybody, or gain."""

from dataclasses import replace
from random import Random

import pytest

from dealer.audit.collusion.decisions import CALLS, FOLDS, Decision, Situation
from dealer.audit.collusion.evidence import examine, facts
from dealer.audit.collusion.harm import ENOUGH_DECISIONS, MARGIN, pair_tests

LEVEL = 0.01


def tournament(folds: dict[tuple[int, int], float], hands: int = 1200) -> list[Decision]:
    """Four players, every two of whom meet in turn, and fold as often as is told, or else in 3 of 10 hands."""
    chance = Random("harm")
    pairs = [(one, other) for one in range(4) for other in range(4) if one != other]
    made = []
    for number in range(hands):
        player, opponent = pairs[number % len(pairs)]
        cards = chance.randrange(2, 6)
        worth = chance.choice((1.2, -0.4)) if cards < 4 else chance.choice((1.2, 0.6))
        fold = chance.random() < folds.get((player, opponent), 0.3)
        situation = Situation(2, cards, 2, 1, first=True, deep=True, more=True)
        result = 0.0 if fold else worth
        made.append(Decision(number, player, opponent, situation, 3, FOLDS if fold else CALLS, 20, worth, (), result))
    return made


def named(decisions: list[Decision]) -> set[tuple[int, int]]:
    found = examine("stud", "ABCD", len(decisions), decisions)
    return {(test.giver, test.receiver) for test in found.named(LEVEL)}


def test_only_the_pair_in_which_one_gives_is_named() -> None:
    assert named(tournament({})) == set()
    assert named(tournament({(0, 1): 0.9})) == {(0, 1)}
    assert named(tournament({(0, 1): 0.9, (0, 2): 0.9, (0, 3): 0.9})) == set()  # gives to everybody


def test_player_who_gains_by_acting_otherwise_is_not_named() -> None:
    gains = [
        replace(one, call=-one.call, result=-one.result) if (one.player, one.opponent) == (0, 1) else one
        for one in tournament({(0, 1): 0.9})
    ]
    assert named(gains) == set()


def test_player_who_wins_no_less_in_the_end_is_not_named() -> None:
    lucky = [
        replace(one, result=3.0) if (one.player, one.opponent) == (0, 1) else one for one in tournament({(0, 1): 0.9})
    ]
    assert named(lucky) == set()


def test_harm_in_pots() -> None:
    tests, not_judged = pair_tests(tournament({(0, 1): 1.0}, 6000))
    assert not not_judged
    (test,) = [one for one in tests if (one.giver, one.receiver, one.kind) == (0, 1, "all")]
    # folds 7 of 10 hands more than usual, which are worth 0.4 with half of all cards, and 0.9 with the others
    assert test.harm.value == pytest.approx(0.7 * 0.65, abs=0.05)
    assert test.harm.low > MARGIN


def test_pairs_with_few_decisions_or_without_others_are_not_judged() -> None:
    few = [one for one in tournament({}) if (one.player, one.opponent) != (2, 3) or one.number < 12 * 15]
    assert ENOUGH_DECISIONS > 15
    tests, not_judged = pair_tests(few)
    assert not_judged == [(2, 3)]
    assert (2, 3) not in {(test.giver, test.receiver) for test in tests}
    two = [one for one in tournament({}) if {one.player, one.opponent} == {0, 1}]
    assert pair_tests(two) == ([], [(0, 1), (1, 0)])


def test_looks_share_the_level() -> None:
    decisions = tournament({(0, 1): 0.7}, 600)
    once = facts(examine("stud", "ABCD", 600, decisions), LEVEL)
    third = facts(examine("stud", "ABCD", 600, decisions, 3), LEVEL)
    assert (once["look"], third["look"]) == (None, 3)
    for before, after in zip(once["tests"], third["tests"], strict=True):
        assert after["corrected"] == pytest.approx(min(1.0, 12 * before["corrected"])) or before["corrected"] == 1.0

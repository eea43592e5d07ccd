"""Which decisions are reported, the worst first, and chips won by situation."""

from dataclasses import replace

import pytest

from dealer.practice import mistakes
from dealer.practice.games.stud import PRACTICE
from dealer.practice.mistakes import FINALISTS, Mistake, most_expensive
from dealer.practice.practice_session import Difference, Winnings
from dealer.practice.rollouts import RollOut, Spot
from protocol.games.base import Action
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_command
from tests.dealer.practice.spots import before_the_last_call


def difference(number: int, spot: Spot) -> Difference:
    return Difference(1, 0, number, spot.hand.view(spot.seat), spot)


def instead(did: Action, better: Action) -> Spot:
    """At the same point, two other actions."""
    return replace(before_the_last_call(), did=did, better=better)


def test_expensive_decision_is_reported_with_its_cost() -> None:
    (mistake,) = most_expensive("stud", [difference(1, before_the_last_call())], "seed", lambda done, total: None)
    assert mistake.difference.hand == 1
    assert 0 < mistake.cost.low < mistake.cost.value < mistake.cost.high
    assert mistake.rollouts == 400


def test_decision_without_cost_is_not_reported() -> None:
    call, fold = before_the_last_call().better, before_the_last_call().did
    found = [difference(1, instead(call, call)), difference(2, instead(call, fold))]
    assert most_expensive("stud", found, "seed", lambda done, total: None) == []


def test_no_cost_where_the_intervals_overlap_and_none_above_what_was_at_stake(monkeypatch: pytest.MonkeyPatch) -> None:
    def reported(*played: RollOut) -> list[Mistake]:
        monkeypatch.setattr(mistakes, "roll_out", lambda task: played * 20)
        return most_expensive("stud", [difference(1, spot)], "seed", lambda done, total: None)

    spot = before_the_last_call()  # 12 chips in the pot, and a call of 10
    assert reported(RollOut(100, 99), RollOut(-100, -102)) == []  # always a chip worse, but that is little of so much
    (mistake,) = reported(RollOut(100, 0), RollOut(120, 0))
    assert max(mistake.cost) == spot.hand.pot + 10


def test_no_difference_costs_nothing() -> None:
    assert most_expensive("stud", [], "seed", lambda done, total: None) == []


def test_three_are_reported_worst_first_one_of_a_hand() -> None:
    spot = before_the_last_call()
    found = [difference(number, spot) for number in (1, 1, 1, 2, 3, 4)]
    seen: list[tuple[int, int]] = []
    reported = most_expensive("stud", found, "seed", lambda done, total: seen.append((done, total)))
    costs = [mistake.cost.value for mistake in reported]
    assert costs == sorted(costs, reverse=True)
    assert len({mistake.difference.hand for mistake in reported}) == len(reported) == 3
    assert [done for done, _ in seen] == list(range(1, 6 + 4 + 1))
    assert {total for _, total in seen} == {6 + min(FINALISTS, 6)}


def test_same_seed_measures_the_same() -> None:
    folding = [difference(1, before_the_last_call())]
    one, same, other = (most_expensive("stud", folding, seed, lambda done, total: None) for seed in ("a", "a", "b"))
    assert one == same
    assert one != other


def turns(*questions: str) -> list[StudTurn]:
    found = [decode_command(question) for question in questions]
    assert all(isinstance(turn, StudTurn) for turn in found)
    return [turn for turn in found if isinstance(turn, StudTurn)]


def test_hand_counts_once_in_each_of_its_situations() -> None:
    winnings = Winnings(PRACTICE)
    asked_twice = "bet1:499:2:0:2S:AH:up:AH:KH", "bet1:499:12:10:2S:AH:up:AH:KH"
    winnings.add(turns(*asked_twice, "bet2:489:22:0:2S:AH:AD:up:AH:AD:KH:5D"), 40)
    winnings.add(turns("bet1:499:2:0:3H:AH:up:AH:KH"), -1)
    winnings.add([], 3)  # it was never asked
    found = {(row.street, row.situation): (row.hands, row.chips and row.chips.value) for row in winnings.rows()}
    assert found == {
        (1, "all"): (2, 19.5),
        (1, "a pair, or three of a kind"): (0, None),
        (1, "high card"): (2, 19.5),
        (1, "a spade in the hole"): (1, 40),
        (1, "facing a raise"): (1, 40),
        (2, "all"): (1, 40),
        (2, "a pair, or three of a kind"): (1, 40),
        (2, "high card"): (0, None),
        (2, "a spade in the hole"): (1, 40),
        (2, "facing a raise"): (0, None),
    }
    assert sum(winnings.payoffs) / len(winnings.payoffs) == pytest.approx(14)

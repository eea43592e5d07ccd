"""Chips won by situation: a hand counts once in each situation that it brought."""

import pytest

from dealer.practice.games.stud import PRACTICE
from dealer.practice.practice_session import Winnings
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_command


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

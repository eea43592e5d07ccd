"""Chips won by what was seen: a hand counts once in each situation that it brought."""

import pytest

from dealer.practice.situations import Situations
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_command


def turns(*questions: str) -> list[StudTurn]:
    found = [decode_command(question) for question in questions]
    assert all(isinstance(turn, StudTurn) for turn in found)
    return [turn for turn in found if isinstance(turn, StudTurn)]


def test_a_hand_counts_where_it_was_and_nowhere_else() -> None:
    situations = Situations()
    asked_twice = "bet1:499:2:0:2S:AH:up:AH:KH", "bet1:499:12:10:2S:AH:up:AH:KH"
    situations.add(turns(*asked_twice, "bet2:489:22:0:2S:AH:AD:up:AH:AD:KH:5D"), 40)
    situations.add(turns("bet1:499:2:0:3H:AH:up:AH:KH"), -1)
    situations.add([], 3)  # it was never asked
    found = {(row.street, row.situation): (row.hands, row.chips and row.chips.value) for row in situations.rows()}
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
    assert sum(situations.payoffs) / len(situations.payoffs) == pytest.approx(14)

"""Tests of your player, without a dealer: python3 -m unittest."""

import unittest

import poker


class TestReplies(unittest.TestCase):
    """What is replied to a question; change these with your strategy, and add your own."""

    def test_high_cards_are_raised(self) -> None:
        """As much as is allowed beyond what is owed."""
        assert poker.reply_to("bet1:990:25:5:KS:9H:8D:up:JH:QD:bets:1=5:raise:10") == "bet:15"
        assert poker.reply_to("bet1:990:25:5:KS:9H:8D:up:JH:QD:bets:1=5:raise:0") == "bet:5"

    def test_low_cards_stay_only_for_free(self) -> None:
        """A check if nothing is owed, else a fold."""
        assert poker.reply_to("bet1:990:25:0:AS:2H:3D:up:JH:QD:bets:raise:10") == "bet:0"
        assert poker.reply_to("bet1:990:25:5:AS:2H:3D:up:JH:QD:bets:1=5:raise:10") == "fold"


if __name__ == "__main__":
    unittest.main()

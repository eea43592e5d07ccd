"""Tests of your player, without a dealer: python3 -m unittest."""

import unittest

import poker


class TestReplies(unittest.TestCase):
    """What is replied to a question; change these with your strategy, and add your own."""

    def test_high_dice_are_bet(self) -> None:
        """As the first player and as the second."""
        assert poker.reply_to("dice:12:0:4:3") == "bet"
        assert poker.reply_to("dice:12:1:6:3") == "bet"

    def test_low_dice_are_folded(self) -> None:
        """Whatever B is."""
        assert poker.reply_to("dice:3:0:3:7") == "fold"
        assert poker.reply_to("dice:18:1:1:7") == "fold"

    def test_question_that_cannot_be_read_is_folded(self) -> None:
        """A dealer never sends one, but a fold loses less than a crash."""
        assert poker.reply_to("dice:12:0:4") == "fold"


if __name__ == "__main__":
    unittest.main()

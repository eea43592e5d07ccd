"""Tests of your player, without a dealer: python3 -m unittest."""

import unittest

import poker


class TestReplies(unittest.TestCase):
    """What is replied to a question; change these with your strategy, and add your own."""

    def test_a_pair_is_raised(self) -> None:
        """The highest bet there is: ten more than what is owed."""
        assert poker.reply_to("bet1:400:2:5:10C:10D:up:10D:KH") == "bet:15"

    def test_a_raise_is_cut_to_the_stack(self) -> None:
        """Nobody bets more than it has."""
        assert poker.reply_to("bet1:12:2:5:10C:10D:up:10D:KH") == "bet:12"

    def test_without_a_pair_it_stays_only_for_free(self) -> None:
        """A check if nothing is owed, else a fold."""
        assert poker.reply_to("bet2:400:2:0:10C:KD:9S:up:KD:9S:10H:10S") == "bet:0"
        assert poker.reply_to("bet2:400:2:1:10C:KD:9S:up:KD:9S:10H:10S") == "fold"


if __name__ == "__main__":
    unittest.main()

"""Tests of your player, without a dealer: python3 -m unittest."""

import unittest

import poker


class TestReplies(unittest.TestCase):
    """What is replied to a question; change these with your strategy, and add your own."""

    def test_a_pair_is_raised(self) -> None:
        """The smallest raise there is."""
        question = "bet1:990:20:10:KS:KD:board:raise:20:990:seats:0/990/10/live:1/980/20/live:button:0"
        assert poker.reply_to(question) == "bet:20"

    def test_a_pair_calls_where_no_raise_is_allowed(self) -> None:
        """All chips, at most."""
        question = "bet2:90:500:90:KS:2D:board:KH:5C:9D:raise:0:0:seats:0/90/0/live:1/0/300/allin:button:0"
        assert poker.reply_to(question) == "bet:90"

    def test_without_a_pair_it_stays_only_for_free(self) -> None:
        """A check if nothing is owed, else a fold."""
        free = "bet2:990:20:0:KS:2D:board:QH:5C:9D:raise:10:990:seats:0/990/0/live:1/990/0/live:button:0"
        assert poker.reply_to(free) == "bet:0"
        assert poker.reply_to(free.replace(":20:0:KS", ":20:10:KS")) == "fold"


if __name__ == "__main__":
    unittest.main()

"""Tests of practice: the most expensive habits, and chips won by situation."""

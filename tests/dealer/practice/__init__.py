"""Tests of practice: roll-outs, the most expensive decisions, and chips won by situation."""

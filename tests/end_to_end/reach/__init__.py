"""Measures how far the page reaches: with 200 real players, how fast it is, and what its viewers cost the dealer."""

"""Compiled kernels, one file a game, found by the game's name: what the simulation must know to use them."""

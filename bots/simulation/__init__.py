"""Simulate many games between bots, or two versions of a player, and state the results with their uncertainty."""

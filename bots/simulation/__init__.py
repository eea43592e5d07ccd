"""Simulate many games between bots, and state the results with their uncertainty."""

"""``casino collusion`` of a journal: evidence of players who give chips to one opponent and not to others."""

"""Tables that play: a tournament from its first hand to its last."""

"""Tables that play: from the first hand of a tournament to its last."""

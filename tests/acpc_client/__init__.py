"""Programs that play in the protocol of the Annual Computer Poker Competition, written after its text alone."""

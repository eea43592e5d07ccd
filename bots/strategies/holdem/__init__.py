"""Players of Texas Hold'em, and what they share: roll-outs, and how good two cards are before the flop."""

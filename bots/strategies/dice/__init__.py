"""The house bots of dice, and what they share."""

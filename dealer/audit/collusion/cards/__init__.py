"""What a player's cards are worth before a showdown, one file a game."""

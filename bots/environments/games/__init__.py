"""How learners are told each game of the house, one file a game."""

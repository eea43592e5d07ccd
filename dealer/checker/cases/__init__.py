"""What a program is asked in a check, by game."""

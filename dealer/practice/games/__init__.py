"""What practice needs to know of each game, one game a file."""

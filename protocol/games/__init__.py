"""What each game allows: pure rules, one game a file."""

"""A whole tournament from the command line: serve, league and resume, their progress and their results."""

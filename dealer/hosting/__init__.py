"""A whole tournament from the command line: serve, league and resume, with its progress and its results."""

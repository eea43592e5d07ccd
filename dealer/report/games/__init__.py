"""The parts of reports that are about one game, one file a game; each has ``GameStatistics`` as ``REPORT``."""

"""Two ways in which a simulation ends without a result."""


class SimulationError(Exception):
    """A simulation that cannot be run; the text says what to change."""


class BrokenBotError(Exception):
    """A bot failed in the middle; the text says which and how. An error it raised itself is the cause."""

"""What a journal says, held against what follows from the rules and from what it said before."""

from typing import Any


def expect(what: str, got: Any, expected: Any) -> None:
    """Hold what a record says against what follows from those before it.

    Raises:
        ValueError: they differ.
    """
    if got != expected:
        raise ValueError(f"{what}: expected {expected!r}, got {got!r}")


def require(condition: bool, what: str) -> None:
    """Hold a record against the rules of a tournament; ``what`` says what is wrong if the condition does not hold.

    Raises:
        ValueError: it does not.
    """
    if not condition:
        raise ValueError(what)

"""Numbers and lists of things in words."""

from collections import Counter
from collections.abc import Sequence


def plural(number: int, what: str) -> str:
    """``1 chip``, or ``1200 chips``."""
    return f"{number} {_noun(number, what)}"


def counted(number: int, what: str) -> str:
    """``1 hand``, or ``1,200 hands``: for numbers that may be long."""
    return f"{number:,} {_noun(number, what)}"


def listed(names: Sequence[str]) -> str:
    """``Ada``, ``Ada and Bob``, or ``Ada, Bob and Cyd``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def span(numbers: Sequence[int]) -> str:
    """``2 to 17``, or ``2`` where there is only one; for numbers in a row."""
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def _noun(number: int, what: str) -> str:
    return what if number == 1 else f"{what}s"


def distinct(names: Sequence[str], between: str = "-") -> list[str]:
    """The names, with a number after repeated ones: ``alpha``, ``alpha-2``."""
    copies: Counter[str] = Counter()
    told = []
    for name in names:
        copies[name] += 1
        told.append(name if copies[name] == 1 else f"{name}{between}{copies[name]}")
    return told

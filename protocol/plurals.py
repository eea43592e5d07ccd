"""Numbers of things in words."""


def plural(number: int, what: str) -> str:
    """``1 chip``, or ``1200 chips``."""
    return f"{number} {_noun(number, what)}"


def counted(number: int, what: str) -> str:
    """``1 hand``, or ``1,200 hands``: for numbers that may be long."""
    return f"{number:,} {_noun(number, what)}"


def _noun(number: int, what: str) -> str:
    return what if number == 1 else f"{what}s"

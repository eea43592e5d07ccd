"""Numbers of things in words."""


def plural(number: int, what: str) -> str:
    """``1 chip``, or ``12 chips``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"

"""Numbers of things in words."""


def counted(number: int, what: str) -> str:
    """``1 hand``, or ``1,200 hands``."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"

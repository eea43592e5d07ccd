"""What was probably meant by a name that is not known."""

from collections.abc import Collection
from difflib import get_close_matches


def nearest(name: str, names: Collection[str]) -> str | None:
    """The known name that is most like ``name``; None if none is like it."""
    near = get_close_matches(name.lower(), names, 1)
    return near[0] if near else None


def instead(name: str, names: Collection[str], known: str = "installed are") -> str:
    """``did you mean 'tight'?``, or where no name is like it, all of them: ``installed are caller, tight``."""
    near = nearest(name, names)
    return f"{known} {', '.join(names)}" if near is None else f"did you mean {near!r}?"

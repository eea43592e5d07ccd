"""Text that is needed for many seats and made once."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar

Value = TypeVar("Value", bound=Hashable)

MOST_KEPT = 256
"""More values than all tables of one process tell of at a time."""


def made_once(make: Callable[[Value], str]) -> Callable[[Value], str]:
    """``make``, keeping the texts of its last values by their identity.

    Every seat of a street is shown the very same tuple of cards, and every loser of a hand hears the very same
    status. To look such a value up by what it holds would take as long as making its text.
    """
    kept: dict[int, tuple[Value, str]] = {}

    @wraps(make)
    def text_of(value: Value) -> str:
        known = kept.get(id(value))
        if known is not None and known[0] is value:  # an id is used again once its owner is gone
            return known[1]
        if len(kept) >= MOST_KEPT:
            kept.clear()
        text = make(value)
        kept[id(value)] = value, text
        return text

    return text_of

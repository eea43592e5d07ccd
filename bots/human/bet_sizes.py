"""Sizes of raises: the legal amount nearest to a share of the pot, for sliders and buttons."""

from typing import Any


def nearest_place(amounts: range, amount: float) -> int:
    """The index in ``amounts``, which is not empty, of the one that is nearest to ``amount``."""
    place = round((amount - amounts[0]) / amounts.step)
    return min(max(place, 0), len(amounts) - 1)


def pot_raise(turn: Any, share: float) -> float:
    """Chips to put in for a raise by a ``share`` of the pot as it is after a call."""
    raised: float = turn.owed + share * (turn.pot + turn.owed)
    return raised

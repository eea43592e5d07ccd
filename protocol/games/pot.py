"""Dividing a pot without losing or inventing a chip."""

from collections.abc import Sequence


def split_evenly(chips: int, seats: Sequence[int]) -> dict[int, int]:
    """Share ``chips`` equally; odd chips go one each to the seats named first."""
    share, odd = divmod(chips, len(seats))
    return {seat: share + (place < odd) for place, seat in enumerate(seats)}

"""Levels: antes that rise, so that a tournament ends."""

_FIRST = (1, 2, 3, 5, 8)
_DECADE = (10, 15, 20, 30, 50, 80)
"""Half as much again from level to level, in round numbers, as poker tournaments do it."""


def ante_at(level: int, ante: int) -> int:
    """Chips each seat puts in before a hand at ``level``, which counts from 1, if it is ``ante`` at the first."""
    if level <= len(_FIRST):
        return ante * _FIRST[level - 1]
    decades, step = divmod(level - len(_FIRST) - 1, len(_DECADE))
    return int(ante * _DECADE[step] * 10**decades)


def payable(ante: int, stacks: list[int]) -> int:
    """What a table really asks for an ante: no more than two of its stacks can pay, so that there is always a hand.

    Nor more than the stack of who waits there alone, who would be out with nobody to win its chips.
    """
    return min([ante, *sorted(stacks, reverse=True)[:2]])

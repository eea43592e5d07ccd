"""Dice, and the number that a game of dice announces: what chance gives there instead of cards."""

from typing import NamedTuple

#: Sides of a die, which show 1 to 6.
SIDES = 6


class Die(NamedTuple):
    """A die that was rolled. Two dice with the same number are equal.

    Attributes:
        pips: the number it shows, from 1 to 6.
        text: the same as messages and pages write it: ``4``.
    """

    pips: int
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


class BetSize(NamedTuple):
    """The number B that chance chooses for one hand and that both players are told.

    Attributes:
        chips: that a player has in the pot after a bet.
        text: as pages write it: ``B=12``.
    """

    chips: int
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


#: Every side of a die: index ``pips - 1``.
DICE: tuple[Die, ...] = tuple(Die(pips, str(pips)) for pips in range(1, SIDES + 1))

_NAMES = ("one", "two", "three", "four", "five", "six")


def die_name(pips: int) -> str:
    """The number of a die in words: ``five``."""
    return _NAMES[pips - 1]

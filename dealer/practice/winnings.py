"""Chips won per hand, by the situations that the program was asked in."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dealer.practice.game_practice import GamePractice
from protocol.estimates.intervals import Estimate, mean
from protocol.games.base import Turn


class Row(NamedTuple):
    """One situation on one street.

    Attributes:
        street: on which the program was asked in that situation.
        situation: in words.
        hands: in which that was so at least once.
        chips: won in such a hand as a whole, on average; None if there was none.
    """

    street: int
    situation: str
    hands: int
    chips: Estimate | None


class Winnings:
    """Chips won in each hand. A hand counts once in each situation that it brought.

    Attributes:
        payoffs: chips won in each hand, in order.
    """

    def __init__(self, practice: GamePractice) -> None:
        self.payoffs: list[int] = []
        self._situations = practice.situations
        self._won: dict[tuple[int, str], list[int]] = {
            (street, situation): [] for street in practice.streets for situation in practice.situations
        }

    def add(self, turns: Sequence[Turn], payoff: int) -> None:
        """Count a hand in which the program was asked ``turns`` and won ``payoff`` chips."""
        self.payoffs.append(payoff)
        for met in {(turn.street, name) for turn in turns for name, holds in self._situations.items() if holds(turn)}:
            self._won[met].append(payoff)

    def rows(self) -> Iterator[Row]:
        """All situations, street by street."""
        for (street, situation), won in self._won.items():
            yield Row(street, situation, len(won), mean(won))

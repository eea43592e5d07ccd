"""Chips won a hand, by what the program saw when it was asked."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from estimates.intervals import Estimate, mean
from protocol.cards import Suit
from protocol.games.stud import StudTurn


def _pair(turn: StudTurn) -> bool:
    ranks = [card.rank for card in (turn.hole, *turn.up)]
    return len(set(ranks)) < len(ranks)


SITUATIONS: dict[str, Callable[[StudTurn], bool]] = {
    "all": lambda turn: True,
    "a pair, or three of a kind": _pair,
    "high card": lambda turn: not _pair(turn),
    "a spade in the hole": lambda turn: turn.hole.suit is Suit.SPADES,
    "facing a raise": lambda turn: turn.owed > 0,
}
"""What a question can show. Whoever bets first has raised, too: then there is something to pay."""

STREETS = (1, 2)


class Row(NamedTuple):
    """One situation on one street.

    Attributes:
        street: on which the program was asked at least once in that situation.
        situation: in words.
        hands: in which that was so.
        chips: won in such a hand as a whole, on average; None if there was none.
    """

    street: int
    situation: str
    hands: int
    chips: Estimate | None


class Situations:
    """Collects hands; one counts once in each situation that it brought."""

    def __init__(self) -> None:
        self.payoffs: list[int] = []
        self._won: dict[tuple[int, str], list[int]] = {
            (street, situation): [] for street in STREETS for situation in SITUATIONS
        }

    def add(self, turns: Sequence[StudTurn], payoff: int) -> None:
        """Count a hand in which the program was asked this, and which brought it so many chips."""
        self.payoffs.append(payoff)
        for met in {(turn.street, name) for turn in turns for name, holds in SITUATIONS.items() if holds(turn)}:
            self._won[met].append(payoff)

    def rows(self) -> Iterator[Row]:
        """Street by street."""
        for (street, situation), won in self._won.items():
            yield Row(street, situation, len(won), mean(won))

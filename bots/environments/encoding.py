"""What a learner is told, as numbers, and the actions that it numbers: the contract of an encoding.

An encoding reads nothing but the view of a seat and the number of that seat, which every player knows. So a learner
is told no more than a bot at a dealer. In every game action 0 is the fold and action 1 the check or call; raises
follow.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import index
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from protocol.cards import DECK, Card
from protocol.games.base import FOLD, Action, Bet, IllegalAction, Legal
from protocol.games.game import MOST

#: An observation: float32 (size,).
Floats = NDArray[np.float32]
#: By action, whether it is legal now: int8 (actions,).
Mask = NDArray[np.int8]

#: The numbers of the actions that every game has.
FOLD_ACTION, CALL_ACTION = 0, 1

#: Numbers for raises, in games that do not say which raises they number.
RAISES = 10


@dataclass(frozen=True, slots=True)
class Entry:
    """Numbers of an observation that belong together.

    Attributes:
        low, high: bounds of each of them, both included.
        meaning: what they say, for the documentation.
    """

    name: str
    size: int
    low: float
    high: float
    meaning: str


class Encoding(Protocol):
    """How one game at a table of so many players is told to a learner."""

    @property
    def layout(self) -> tuple[Entry, ...]:
        """The entries of an observation, in order."""

    @property
    def actions(self) -> tuple[str, ...]:
        """What each action is, in words, by its number."""

    def write(self, turn: Any, seat: int, numbers: Floats) -> None:
        """Write an observation into ``numbers``, which are all 0.

        Args:
            numbers: float32, as many as the layout has.

        Raises:
            ValueError: the turn does not fit, such as one at a table of more players.
        """

    def choices(self, turn: Any) -> Sequence[Action | None]:
        """The action of the rules for each number; None where there is none now."""


def chips(name: str, meaning: str, size: int = 1) -> Entry:
    """An entry of chips, as they are."""
    return Entry(name, size, -MOST, MOST, meaning)


def cards(name: str, meaning: str, sets: int = 1) -> Entry:
    """An entry of sets of cards: 1 for each card that is in the set, by its index in ``DECK``."""
    return Entry(name, sets * len(DECK), 0, 1, meaning)


def size_of(layout: Iterable[Entry]) -> int:
    """How many numbers an observation has."""
    return sum(entry.size for entry in layout)


def place(card: Card) -> int:
    """The index of a card in ``DECK``."""
    return 4 * (card.rank - 2) + card.suit


def write_cards(numbers: Floats, start: int, shown: Iterable[Card]) -> None:
    """Write a set of cards, from ``start`` on."""
    for card in shown:
        numbers[start + place(card)] = 1


def observe(encoding: Encoding, turn: Any, seat: int) -> Floats:
    """A new observation.

    Raises:
        ValueError: see ``Encoding.write``.
    """
    numbers = np.zeros(size_of(encoding.layout), np.float32)
    encoding.write(turn, seat, numbers)
    return numbers


def mask_of(choices: Sequence[Action | None]) -> Mask:
    """Which actions are legal: int8, 1 or 0 for each number."""
    return np.array([choice is not None for choice in choices], np.int8)


def fold_and_call(legal: Legal) -> list[Action | None]:
    """The actions 0 and 1 of every game."""
    return [FOLD if legal.fold else None, Bet(legal.to_call) if legal.call else None]


@lru_cache(maxsize=4096)  # asked for at each decision, and few of them differ
def spread_choices(legal: Legal) -> Sequence[Action | None]:
    """The actions 0 and 1, then ``RAISES`` raises: all there are, from small to large, or as many spread over more."""
    raises, count = legal.raises, len(legal.raises)
    if count > RAISES:
        spread = [Bet(raises[number * (count - 1) // (RAISES - 1)]) for number in range(RAISES)]
        return *fold_and_call(legal), *spread
    return *fold_and_call(legal), *map(Bet, raises), *[None] * (RAISES - count)


def choose(names: Sequence[str], choices: Sequence[Action | None], number: Any) -> Action:
    """The action of the rules that a number stands for.

    Args:
        names: what each action is, in words.
        choices: see ``Encoding.choices``.

    Raises:
        IllegalAction: there is no such number, or it is not legal now; the text lists those that are.
    """
    try:
        wanted = index(number)
    except TypeError:
        raise IllegalAction(f"an action is a whole number, got {number!r}") from None
    if not 0 <= wanted < len(choices):
        raise IllegalAction(f"actions are numbered from 0 to {len(choices) - 1}, got {wanted}")
    chosen = choices[wanted]
    if chosen is None:
        legal = ", ".join(f"{number} ({names[number]})" for number, choice in enumerate(choices) if choice is not None)
        raise IllegalAction(f"action {wanted} ({names[wanted]}) is not legal now; legal are {legal}")
    return chosen

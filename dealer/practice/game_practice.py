"""What practice needs to know of a game beyond its rules, found by the name of the game.

Each game has a module in ``games/``, or comes in a package with an entry point of the group ``casino.practice``:

    [project.entry-points."casino.practice"]
    leduc = "leduc.practice:PRACTICE"
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from dealer.cli.installed import load_installed
from dealer.errors import OptionError
from protocol.cards import Card, Piece
from protocol.games.base import Hand
from protocol.installed import installed_names

#: The entry point group of objects of ``GamePractice``.
PRACTICES = "casino.practice"


#: See ``GamePractice.redeal``.
Redeal = Callable[[Any, int, frozenset[Any], Random], Hand]


def shuffle_unseen(
    deck: Callable[[Any], tuple[Card, ...]], with_deck: Callable[[Any, tuple[Card, ...]], Hand]
) -> Redeal:
    """Deal the cards that a seat has not seen in another order, each order as likely as the next.

    Args:
        deck: the cards of a hand, dealt or not, in the order in which they are dealt.
        with_deck: the same hand at the same point with another deck.
    """

    def redeal(hand: Any, _seat: int, seen: frozenset[Any], rng: Random) -> Hand:
        # sorted, so that the same chance gives the same cards whatever order they lay in
        unseen = sorted(card for card in deck(hand) if card not in seen)
        rng.shuffle(unseen)
        return with_unseen(deck, with_deck, hand, seen, unseen)

    return redeal


def with_unseen(
    deck: Callable[[Any], tuple[Card, ...]],
    with_deck: Callable[[Any, tuple[Card, ...]], Hand],
    hand: Any,
    seen: frozenset[Any],
    unseen: Iterable[Card],
) -> Hand:
    """The hand with the cards of ``unseen``, in this order, in the places of those that the seat had not seen."""
    others = iter(unseen)
    return with_deck(hand, tuple(card if card in seen else next(others) for card in deck(hand)))


@dataclass(frozen=True, slots=True)
class GamePractice:
    """What practice needs to know of a game.

    Attributes:
        teacher: the house bot whose decisions the program's are compared with, and who plays roll-outs.
        streets: numbers of the streets.
        situations: what a question can show, in words, each with a function that says whether a question shows it.
        seen: all cards that a question shows to the seat.
        redeal: a hand at the same point, with what a seat has not seen drawn anew. It is given the hand, the seat, all
            cards that the seat has seen in the hand, and the source of chance. ``shuffle_unseen`` makes it for a deck.
    """

    teacher: str
    streets: Sequence[int]
    situations: Mapping[str, Callable[[Any], bool]]
    seen: Callable[[Any], Iterable[Piece]]
    redeal: Redeal


def find_practice(game: str) -> GamePractice:
    """What practice knows of a game.

    Raises:
        OptionError: practice does not know the game, or what it knows cannot be loaded.
    """
    practice = load_installed(PRACTICES, game, f"the practice of {game}", GamePractice)
    if practice is None:
        known = ", ".join(installed_names(PRACTICES))
        raise OptionError(f"practice does not know {game} yet; it knows {known}")
    return practice

"""What practice needs to know of three-card stud: the teacher, situations, and which cards a question shows."""

from collections.abc import Iterator
from itertools import chain

from dealer.practice.game_practice import GamePractice, shuffle_unseen
from protocol.cards import Card, Suit
from protocol.games.stud import StudHand, StudTurn


def _pair(turn: StudTurn) -> bool:
    ranks = [card.rank for card in (turn.hole, *turn.up)]
    return len(set(ranks)) < len(ranks)


def _seen(turn: StudTurn) -> Iterator[Card]:
    return chain([turn.hole, *turn.up], *turn.shown)


def _deck(hand: StudHand) -> tuple[Card, ...]:
    return hand.deck


def _with_deck(hand: StudHand, deck: tuple[Card, ...]) -> StudHand:
    return hand._replace(deck=deck)


PRACTICE = GamePractice(
    teacher="stud",
    streets=(1, 2),
    situations={
        "all": lambda turn: True,
        "a pair, or three of a kind": _pair,
        "high card": lambda turn: not _pair(turn),
        "a spade in the hole": lambda turn: turn.hole.suit is Suit.SPADES,
        # the first bet of a street is a raise, too: after it there is something to pay
        "facing a raise": lambda turn: turn.owed > 0,
    },
    seen=_seen,
    redeal=shuffle_unseen(_deck, _with_deck),
)

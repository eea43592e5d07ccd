"""Which cards of a deck a seat has been shown, and decks that differ in all others."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from protocol.cards import Card
from protocol.events import FOLD_CHIPS
from protocol.games.base import FOLD, Bet
from protocol.games.blockhead import BlockheadHand
from protocol.games.stud import StudHand

_CARD = re.compile(r"(?<=[:=])(?:10|[2-9JQKA])[CDHS](?=:|$)")


@dataclass(frozen=True)
class Layout:
    """Where the cards of a game lie in the deck.

    Attributes:
        each: cards of the deck that belong to each seat: the hole card, then its up cards in order.
        first_up: how many of those are up on street 1; every later street turns up one more.
    """

    each: int
    first_up: int

    def hole(self, seat: int) -> int:
        """The place of a seat's hole card."""
        return self.each * seat

    def seen(self, seat: int, live: Sequence[Sequence[int]]) -> set[int]:
        """Places of all cards that ``seat`` may have been shown after some streets.

        Args:
            seat: who looks.
            live: the seats still in at the beginning of each of these streets.
        """
        up = {
            self.each * other + place
            for street, seats in enumerate(live)
            for other in seats
            for place in self._turned_up(street)
        }
        return {self.hole(seat)} | up

    def _turned_up(self, street: int) -> range:
        return range(self.first_up + street, self.first_up + street + 1) if street else range(1, self.first_up + 1)


LAYOUTS = {"stud": Layout(3, 1), "blockhead": Layout(5, 2)}


@dataclass(frozen=True)
class Story:
    """What a hand was like.

    Attributes:
        live: the seats still in at the beginning of each street that was reached.
        at_end: those still in when it was over.
    """

    live: tuple[tuple[int, ...], ...]
    at_end: tuple[int, ...]


def story(hand: StudHand | BlockheadHand, record: Mapping[str, Any]) -> Story:
    """The story that a journal tells of a hand just dealt."""
    live: list[tuple[int, ...]] = []
    for _, chips, _ in [(None, None, None), *record["actions"]]:
        if chips is not None:
            hand = hand.apply(FOLD if chips == FOLD_CHIPS else Bet(chips))
        live += [hand.street.live] * (hand.number - len(live))
    assert hand.to_act is None
    return Story(tuple(live), hand.street.live)


def change(deck: Sequence[Card], kept: set[int], chance: Random) -> list[Card]:
    """The deck with all cards but those at the places ``kept`` changed about."""
    places = [place for place in range(len(deck)) if place not in kept]
    changed = list(deck)
    for place, source in zip(places, chance.sample(places, len(places)), strict=True):
        changed[place] = deck[source]
    return changed


def cards_named(text: str) -> set[str]:
    """Every card in a message."""
    return set(_CARD.findall(text))

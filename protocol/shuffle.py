"""From a tournament's seed to the deck of each hand, so that everybody who learns the seed can check every card.

No chance here: the dealer draws the seed, and everything else follows. The deck of a hand is the
permutation with the number ``HMAC-SHA256(seed, label + "/0") || HMAC-SHA256(seed, label + "/1")``, where
``label`` is ``"<table>/<hand>"`` in decimal, or ``"<resumption>/<table>/<hand>"`` once the tournament was resumed,
read as one 512-bit big-endian integer in the factorial number system (Knuth, TAOCP vol. 2, 3.4.2, algorithm P).
There are 52! < 2**226 permutations, so none is likelier than another by more than one part in 2**286.
"""

import hashlib
import hmac
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import prod

from protocol.cards import DECK, UNKNOWN, Card, Piece

SEED_BYTES = 32

#: Stands for a card that is not known, in a deck that a hand history tells.
UNKNOWN_PLACE = 255


def seed_from_text(text: str) -> bytes:
    """The 32-byte seed that a seed typed by a person stands for: its SHA-256."""
    return hashlib.sha256(text.encode()).digest()


def commitment(seed: bytes) -> str:
    """What a dealer shows before the first hand, so that it cannot choose another seed later: SHA-256, in hex."""
    return hashlib.sha256(seed).hexdigest()


def shuffled_places(seed: bytes, table: int, hand: int, cards: int = len(DECK), resumption: int = 0) -> bytes:
    """The order of a deck in one hand: each card's place in the unshuffled deck, a byte a card.

    Args:
        seed: of the tournament.
        table: from 0.
        hand: its number at the table, from 1.
        cards: in the deck.
        resumption: see ``drawn_number``.
    """
    number = drawn_number(seed, table, hand, resumption)
    places = list(range(cards))
    last = cards - 1
    for product, bases in _digit_groups(cards):
        number, digits = divmod(number, product)
        for base in bases:
            chosen = digits % base
            digits //= base
            places[last], places[chosen] = places[chosen], places[last]
            last -= 1
    return bytes(places)


def drawn_number(seed: bytes, table: int, hand: int, resumption: int = 0) -> int:
    """The number below 2**512 that decides all chance of hand number ``hand`` (from 1) at ``table`` (from 0).

    A power cut can take hands whose cards were seen, and their numbers are given once more when the tournament is
    resumed. So the label begins with the number of the resumption (from 1) by then; 0 stands for a tournament that was
    not resumed, and for cards that are dealt again on purpose.
    """
    label = f"{resumption}/{table}/{hand}" if resumption else f"{table}/{hand}"
    return int.from_bytes(_digest(seed, f"{label}/0") + _digest(seed, f"{label}/1"), "big")


def _digest(seed: bytes, label: str) -> bytes:
    """HMAC-SHA256 of a label, with the seed as the key."""
    keyed = _keyed(seed).copy()
    keyed.update(label.encode())
    return keyed.digest()


@lru_cache(maxsize=16)
def _keyed(seed: bytes) -> hmac.HMAC:
    """An HMAC before its message; a copy takes a third less time than reading the key again for every hand."""
    return hmac.new(seed, digestmod="sha256")


@cache
def _digit_groups(cards: int) -> Sequence[tuple[int, Sequence[int]]]:
    """The bases of the factorial number system from ``cards`` down to 2, in groups, each with its product.

    Python divides by less than 2**30 fastest, and a number below that too. So one division of the long number takes
    off the digits of a whole group: half the time of a division for each digit.
    """
    groups: list[list[int]] = [[]]
    for base in range(cards, 1, -1):
        if prod(groups[-1]) * base >= 1 << 30:
            groups.append([])
        groups[-1].append(base)
    return [(prod(bases), bases) for bases in groups]


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of a game, which chance puts into another order for every hand.

    Attributes:
        cards: each of them once, in a fixed order; 256 at most.
    """

    cards: tuple[Card, ...] = DECK

    def draw(self, seed: bytes, table: int, hand: int, resumption: int = 0) -> bytes:
        """The order for hand number ``hand`` (from 1) at ``table`` (from 0): places in ``cards``, a byte a card."""
        return shuffled_places(seed, table, hand, len(self.cards), resumption)

    def outcome(self, drawn: bytes) -> tuple[Card, ...]:
        """The cards in the order ``drawn``.

        Raises:
            ValueError: a place is none of this deck.
        """
        try:
            cards = self.cards
            return tuple([cards[place] for place in drawn])  # half the time of map() with __getitem__
        except IndexError:
            raise ValueError(f"a deck of {len(self.cards)} cards has no place {max(drawn)}") from None

    def unseen(self, seen: Collection[Piece]) -> tuple[Card, ...]:
        """The cards that are not ``seen``."""
        known = set(seen)
        return tuple([card for card in self.cards if card not in known])


def recorded_cards(places: bytes) -> tuple[Card, ...]:
    """Cards of the 52 in an order that a hand history tells; ``UNKNOWN`` for those that it does not.

    Raises:
        ValueError: a place is none of the deck.
    """
    known = iter(Deck().outcome(places.replace(bytes([UNKNOWN_PLACE]), b"")))
    return tuple([UNKNOWN if place == UNKNOWN_PLACE else next(known) for place in places])

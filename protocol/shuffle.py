"""From a tournament's seed to the deck of each hand, so that whoever learns the seed can check every card.

No chance here: the dealer draws the seed, and everything else follows. The deck of a hand is the
permutation with the number ``HMAC-SHA256(seed, label + "/0") || HMAC-SHA256(seed, label + "/1")``, where
``label`` is ``"<table>/<hand>"`` in decimal, read as one 512-bit big-endian integer in the factorial number
system (Knuth, TAOCP vol. 2, 3.4.2, algorithm P). There are 52! < 2**226 permutations, so none is likelier
than another by more than one part in 2**286.
"""

import hashlib
import hmac

from protocol.cards import DECK, Card

SEED_BYTES = 32


def seed_from_text(text: str) -> bytes:
    """The 32-byte seed that a seed typed by a person stands for: its SHA-256."""
    return hashlib.sha256(text.encode()).digest()


def commitment(seed: bytes) -> str:
    """What a dealer shows before the first hand, so that it cannot choose another seed later: SHA-256, in hex."""
    return hashlib.sha256(seed).hexdigest()


def shuffled_places(seed: bytes, table: int, hand: int) -> bytes:
    """The deck of hand number ``hand`` (from 1) at ``table`` (from 0): each card's place in ``DECK``, a byte a card."""
    label = f"{table}/{hand}"
    digest = hmac.digest(seed, f"{label}/0".encode(), "sha256") + hmac.digest(seed, f"{label}/1".encode(), "sha256")
    number = int.from_bytes(digest, "big")
    places = list(range(len(DECK)))
    for last in range(len(places) - 1, 0, -1):
        number, chosen = divmod(number, last + 1)
        places[last], places[chosen] = places[chosen], places[last]
    return bytes(places)


def cards_at(places: bytes) -> tuple[Card, ...]:
    """The cards that stand at these places of ``DECK``."""
    return tuple(map(DECK.__getitem__, places))


def shuffled_deck(seed: bytes, table: int, hand: int) -> tuple[Card, ...]:
    """The deck of hand number ``hand`` (from 1) at ``table`` (from 0)."""
    return cards_at(shuffled_places(seed, table, hand))

"""The text of PHH: TOML with one hand, or with a table for each of several hands.

Source: J. Kim, "Recording and Describing Poker Hands" (2024), https://arxiv.org/abs/2312.11753. Players are numbered
from 1, the first one left of the button; between two players that is the big blind. Blinds and antes stand in the order
of posting, so that between two players those of player 2 come first.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from protocol.cards import Card

#: A value of a field that we write.
Value = bool | int | str | Sequence[int] | Sequence[str]

#: A card that is not known.
UNKNOWN = "??"

#: A field of our own: PHH has no pot-limit hold'em, so hands of it are written as no-limit with this field.
LIMIT_FIELD = "_limit"

Item = TypeVar("Item")


def card_text(card: Card) -> str:
    """A card as PHH writes it: ``Td``."""
    return card.text[:-1].replace("10", "T") + card.text[-1].lower()


def cards_text(cards: Iterable[Card]) -> str:
    """Cards as PHH writes them, one behind the other."""
    return "".join(map(card_text, cards))


def by_posting(amounts: Sequence[Item]) -> list[Item]:
    """Amounts by player in the order of posting, or back again."""
    return list(reversed(amounts)) if len(amounts) == 2 else list(amounts)


def hand_text(fields: Mapping[str, Value]) -> str:
    """The lines of a hand."""
    return "".join(f"{name} = {_value_text(value)}\n" for name, value in fields.items())


def _value_text(value: Value) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_value_text, value))}]"
    # Numbers, true and false are written alike, and a string of JSON is a string of TOML, except for DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def join_hands(texts: Iterable[str]) -> Iterator[str]:
    """The pieces of a file: one hand as it is, several each under a number."""
    hands = iter(texts)
    first, second = next(hands, None), next(hands, None)
    if first is None:
        return
    if second is None:
        yield first
        return
    yield f"[1]\n{first}"
    for number, text in enumerate(chain([second], hands), start=2):
        yield f"\n[{number}]\n{text}"

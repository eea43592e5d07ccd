"""The fields between the colons: chips, cards, sections, and the text of a status."""

from collections.abc import Callable, Collection, Hashable, Sequence
from functools import wraps
from typing import TypeVar

from protocol.cards import Card, parse_card
from protocol.games.base import Status
from protocol.wire.messages import ProtocolError

Value = TypeVar("Value", bound=Hashable)

#: More values than all tables of one process tell of at a time.
MOST_KEPT = 256


def read_chips(text: str, *, debts: bool = False) -> int:
    """A number of chips in plain decimal digits; below zero only where ``debts`` are allowed.

    Raises:
        ValueError: it is not.
    """
    digits = text.removeprefix("-") if debts else text
    if not (digits.isascii() and digits.isdecimal()):
        raise ValueError(f"{text!r} is no number of chips")
    return int(text)


def read_cards(texts: Sequence[str]) -> tuple[Card, ...]:
    """The cards that ``texts`` name.

    Raises:
        ValueError: one of them is no card.
    """
    return tuple(parse_card(text) for text in texts)


def read_joined_cards(text: str) -> tuple[Card, ...]:
    """Cards written without anything between them, as a status shows them: ``"10DKS"``.

    Raises:
        ValueError: a part is no card.
    """
    cards, rest = [], text
    while rest:
        length = 3 if rest.startswith("10") else 2
        cards.append(parse_card(rest[:length]))
        rest = rest[length:]
    return tuple(cards)


def split_sections(fields: Sequence[str], keywords: Collection[str]) -> list[tuple[str, list[str]]]:
    """Fields in sections, each begun by a keyword; those before the first keyword are the section ``""``."""
    sections: list[tuple[str, list[str]]] = [("", [])]
    for field in fields:
        if field in keywords:
            sections.append((field, []))
        else:
            sections[-1][1].append(field)
    return sections


def made_once(make: Callable[[Value], str]) -> Callable[[Value], str]:
    """``make``, keeping the texts of its last values by their identity.

    Every seat of a street is shown the very same tuple of cards, and every loser of a hand hears the very same
    status. To look such a value up by what it holds would take as long as making its text.
    """
    kept: dict[int, tuple[Value, str]] = {}

    @wraps(make)
    def text_of(value: Value) -> str:
        known = kept.get(id(value))
        if known is not None and known[0] is value:  # an id is used again once its owner is gone
            return known[1]
        if len(kept) >= MOST_KEPT:
            kept.clear()
        text = make(value)
        kept[id(value)] = value, text
        return text

    return text_of


@made_once
def encode_status(status: Status) -> str:
    """``status:<win|lose|tie>:<winning cards>``, then what a game tells beyond that:

    ``show:<seat>=<cards>...`` where hole cards are turned up, and ``won:<seat>=<chips>...``.
    """
    won, cards, tied, shown, collected = status
    result = "tie" if tied else "win" if won else "lose"
    told = f"status:{result}{_cards_text(cards)}"
    if shown:
        told += _shown_text(shown)
    if collected:
        told += ":won:" + ":".join([f"{seat}={chips}" for seat, chips in collected])
    return told


# Winners and losers are told the very same cards.


@made_once
def _cards_text(cards: tuple[Card, ...]) -> str:
    return "".join([f":{card.text}" for card in cards])


@made_once
def _shown_text(shown: tuple[tuple[int, tuple[Card, ...]], ...]) -> str:
    return ":show:" + ":".join([f"{seat}={''.join([card.text for card in cards])}" for seat, cards in shown])


def decode_status(text: str) -> Status:
    """What follows ``status:`` in a game that turns hole cards up at a showdown.

    Raises:
        ProtocolError: the result is unknown, or a card or a number cannot be read.
    """
    (_, first), *sections = split_sections(text.split(":"), ("show", "won"))
    names = [name for name, _ in sections]
    result, *cards = first or [""]
    if result not in ("win", "lose", "tie") or names not in ([], ["show"], ["won"], ["show", "won"]):
        raise ProtocolError("status needs 'win', 'lose' or 'tie', cards, and at most one 'show' and one 'won'")
    told = dict(sections)
    try:
        holes = tuple([_read_shown(field) for field in told.get("show", ())])
        collected = tuple([read_seat_chips(field) for field in told.get("won", ())])
        return Status(result == "win", read_cards(cards), result == "tie", holes, collected)
    except ValueError as error:
        raise ProtocolError(f"status: {error}") from None


def read_seat_chips(text: str) -> tuple[int, int]:
    """``<seat>=<chips>``.

    Raises:
        ValueError: either is no number.
    """
    seat, _, chips = text.partition("=")
    return read_chips(seat), read_chips(chips)


def _read_shown(text: str) -> tuple[int, tuple[Card, ...]]:
    seat, _, cards = text.partition("=")
    return read_chips(seat), read_joined_cards(cards)

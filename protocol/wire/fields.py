"""Reading the fields between the colons."""

from collections.abc import Collection, Sequence

from protocol.cards import Card, parse_card


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
    """Cards.

    Raises:
        ValueError: one of them is none.
    """
    return tuple(parse_card(text) for text in texts)


def split_sections(fields: Sequence[str], keywords: Collection[str]) -> list[tuple[str, list[str]]]:
    """Fields in sections, each begun by a keyword; those before the first keyword are the section ``""``."""
    sections: list[tuple[str, list[str]]] = [("", [])]
    for field in fields:
        if field in keywords:
            sections.append((field, []))
        else:
            sections[-1][1].append(field)
    return sections

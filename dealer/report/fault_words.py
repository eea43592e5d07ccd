"""Reasons of faults told to the host: they speak to the student who wrote the program, and here of the program."""

import re

#: What a reason of leaving begins with, in front of the reason itself.
_OUT = "you are out: "

#: A reply that cannot be read: what was expected, and the reply in quotes.
_UNREADABLE = re.compile(r"expected (?P<expected>.*?), got (?P<got>['\"].*)", re.DOTALL)

#: What rules and dealer say to "you", and how the same is said of a program.
_OF_A_PROGRAM = (
    ("but have only", "but has only"),
    ("but owe ", "but owes "),
    ("you owe", "it owes"),
    ("you were", "it was"),
    ("you did", "it did"),
    ("your ", "its "),
)

#: Where a quotation begins, which stays as it is.
_QUOTATION = re.compile(r"['\"]")


def told_to_host(reason: str, name: str) -> str:
    """A reason about the program ``name``: "Steph bet 900 but has only 20 chips: ...", or "no complete reply ...".

    What the program sent is quoted, and stays as it was.
    """
    reason = reason.removeprefix(_OUT)
    unreadable = _UNREADABLE.fullmatch(reason)
    if unreadable:
        return f"{name} sent {unreadable['got']}; expected {unreadable['expected']}"
    quotation = _QUOTATION.search(reason)
    own = reason[: quotation.start()] if quotation else reason
    quoted = reason[len(own) :]
    acted = own.startswith("you ")
    own = own.removeprefix("you ")
    for said, of_program in _OF_A_PROGRAM:
        own = own.replace(said, of_program)
    return (f"{name} {own}" if acted else own) + quoted

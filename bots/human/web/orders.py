"""What a browser may ask for, read from its messages: JSON objects whose ``type`` names the order."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from protocol.games.base import FOLD, Action, Bet, Legal

#: The largest number of an answer.
MOST = 10**12

#: Characters of a text in an order.
TEXT_LENGTH = 200


class BrowserError(Exception):
    """A message of a browser that cannot be read; the text says what came and what was expected."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of a connection: go on at the seat of this token, if there is one."""

    token: str


@dataclass(frozen=True, slots=True)
class SitDown:
    """Take a seat at a table; what the first screen asked for, by name. What it means is for the room to say."""

    wishes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Act:
    """Answer question ``number``."""

    number: int
    action: Action


@dataclass(frozen=True, slots=True)
class NextHand:
    """On to the next hand; ``number`` is that of the pause."""

    number: int


@dataclass(frozen=True, slots=True)
class Wish:
    """An order without facts: one of ``WISHES``."""

    name: str


BrowserOrder = Hello | SitDown | Act | NextHand | Wish

#: Orders without facts.
WISHES = ("hurry", "odds", "coach", "calls", "review", "leave", "again", "lobby")


def read_order(text: str | None) -> BrowserOrder:
    """Read a message of a browser.

    Raises:
        BrowserError: it is no order.
    """
    if text is None:
        raise BrowserError("expected a text with a JSON object, got bytes")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise BrowserError(f"expected a JSON object, got {_quoted(text)}") from None
    match message:
        case {"type": "hello"}:
            return Hello(_text(message, "token"))
        case {"type": "sit"}:
            return SitDown({name: value for name, value in message.items() if name != "type"})
        case {"type": "act"}:
            folds = message.get("amount") is None
            return Act(_whole(message, "number"), FOLD if folds else Bet(_whole(message, "amount")))
        case {"type": "next"}:
            return NextHand(_whole(message, "number"))
        case {"type": str(wish)} if wish in WISHES:
            return Wish(wish)
        case {**fields}:
            expected = f"expected one of hello, sit, act, next, {', '.join(WISHES)}"
            raise BrowserError(f"type: {expected}, got {_quoted(repr(fields.get('type')))}")
    raise BrowserError(f"expected a JSON object, got {_quoted(text)}")


def _whole(message: Mapping[str, Any], name: str) -> int:
    value = message.get(name)
    if type(value) is not int or not 0 <= value <= MOST:
        raise BrowserError(f"{name}: expected a whole number from 0 to {MOST}, got {_quoted(repr(value))}")
    return value


def _text(message: Mapping[str, Any], name: str) -> str:
    value = message.get(name)
    if not isinstance(value, str) or len(value) > TEXT_LENGTH:
        raise BrowserError(f"{name}: expected a text of at most {TEXT_LENGTH} characters, got {_quoted(repr(value))}")
    return value


def _quoted(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}..."


def refused(legal: Legal, action: Action) -> str | None:
    """Why an action is not allowed now, in a sentence; None if it is."""
    if action in legal:
        return None
    amount = action.amount if isinstance(action, Bet) else 0
    allowed = [f"{legal.to_call} to call"] if legal.call else []
    allowed += [f"{legal.raises[0]} to {legal.raises[-1]}"] if legal.raises else []
    allowed += ["a fold"] if legal.fold else []
    return f"{amount} chips are not allowed now; allowed are {', '.join(allowed)}"

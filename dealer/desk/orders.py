"""Orders: what a host may tell the desk to do, and the files that a host may take home, read from JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import inf
from typing import Any, Literal, cast, get_args

from dealer.errors import BadOrderError

Command = Literal[
    "show",
    "start",
    "pause",
    "resume",
    "step",
    "length",
    "faster",
    "slower",
    "pace",
    "remove",
    "readmit",
    "message",
    "level",
    "journal",
    "suspend",
    "end",
    "next",
    "logins",
    "faults",
]

COMMANDS: tuple[Command, ...] = get_args(Command)

FileName = Literal["journal", "report", "grades"]

FILES: tuple[FileName, ...] = get_args(FileName)

#: Bytes of the longest message with an order.
ORDER_BYTES = 4096

#: Commands that only look.
LOOKING: tuple[Command, ...] = ("show", "logins", "faults")


# Not a CasinoError: no command of the dealer ends because of it. It is the answer to a request, with status 409.
class OrderRefused(Exception):
    """An order that cannot be carried out now; the text says why, in one line."""


@dataclass(frozen=True, slots=True)
class Order:
    """One command of the host.

    Attributes:
        command: what to do; ``show``, ``logins`` and ``faults`` change nothing.
        seconds: for ``pace``: the least a hand takes.
        minutes: for ``length``: what the rest of the tournament takes, about.
        player: for ``remove`` and ``readmit``: an avatar, an id, or ``id=`` and an id.
        reason: for ``remove``: told to the player and shown to all.
        text: for ``message``: shown on the page until the next one; empty for none.
    """

    command: Command
    seconds: float | None = None
    player: str | None = None
    reason: str | None = None
    minutes: float | None = None
    text: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {name: fact for name, fact in asdict(self).items() if fact is not None}


#: The values that each command needs; the others need none.
_NEEDS: Mapping[Command, tuple[str, ...]] = {
    "pace": ("seconds",),
    "length": ("minutes",),
    "remove": ("player", "reason"),
    "readmit": ("player",),
    "message": ("text",),
}

_NUMBERS = ("seconds", "minutes")


def read_order(facts: Any) -> Order:
    """Make the order that a JSON value describes.

    Raises:
        BadOrderError: it describes none; the text says what is expected.
    """
    if not isinstance(facts, dict) or facts.get("command") not in COMMANDS:
        raise BadOrderError(f'expected an object like {{"command": "pause"}}, the command one of {", ".join(COMMANDS)}')
    command = cast(Command, facts["command"])
    needs = _NEEDS.get(command, ())
    if facts.keys() != {"command", *needs}:
        raise BadOrderError(f"the command {command!r} takes {' and '.join(needs) or 'nothing else'}")
    for name in needs:
        if name in _NUMBERS and type(facts[name]) not in (int, float):
            raise BadOrderError(f"{name} must be a number")
        if name not in _NUMBERS and type(facts[name]) is not str:
            raise BadOrderError(f"{name} must be text")
    numbers = {name: _number(facts[name]) for name in needs if name in _NUMBERS}
    return Order(**{**facts, **numbers})


def _number(fact: float) -> float:
    try:
        return float(fact)
    except OverflowError:  # JSON sets no bound to a whole number
        return inf


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file that a host asks for, and the number of its tournament, from 1; None for the last one begun."""

    file: FileName
    tournament: int | None = None


def read_wanted(facts: Any) -> Wanted:
    """Make the wish that a JSON value describes.

    Raises:
        BadOrderError: it describes none; the text says what is expected.
    """
    expected = f'expected an object like {{"file": "report"}}, the file one of {", ".join(FILES)}'
    if not isinstance(facts, dict) or facts.get("file") not in FILES or not facts.keys() <= {"file", "tournament"}:
        raise BadOrderError(expected)
    number = facts.get("tournament")
    if number is not None and type(number) is not int:
        raise BadOrderError("tournament must be a whole number")
    return Wanted(cast(FileName, facts["file"]), number)

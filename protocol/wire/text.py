"""How the messages of each game are written: one ``GameText`` a game, found by the game's name.

Installed packages offer texts as entry points of the group ``casino.wire``; the name of the entry point is that of
the game. The house's own games come in the same way.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from protocol.games.base import Action, Status
from protocol.installed import installed_names, load_installed
from protocol.wire.acpc import AcpcText
from protocol.wire.fields import encode_status

ENTRY_POINTS = "casino.wire"

Encoder = Callable[[Any], str]
Decoder = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class ActionText:
    """How players of a game write their answers, where not as ``fold`` and ``bet:<chips put in now>``.

    Attributes:
        write: the text of an action.
        read: the action that a text stands for, as the answer to a turn; raises ``ProtocolError`` if it is not one.
    """

    write: Callable[[Action], str]
    read: Callable[[str, Any], Action]


@dataclass(frozen=True, slots=True)
class GameText:
    """The text of one game.

    Attributes:
        turns: what writes each sort of turn, by its type.
        commands: what reads each command of the dealer, by its verb; it is given the text behind the verb's colon.
        statuses: what writes how a hand ended, by its type.
        actions: how players write their answers; None for the usual way.
        acpc: how programs of the Annual Computer Poker Competition are told its hands; None if they cannot play it.
    """

    turns: Mapping[type, Encoder]
    commands: Mapping[str, Decoder]
    statuses: Mapping[type, Encoder] = field(default_factory=lambda: {Status: encode_status})
    actions: ActionText | None = None
    acpc: AcpcText | None = None


def game_texts() -> list[str]:
    """The names of the games whose text is installed, in alphabetical order."""
    return installed_names(ENTRY_POINTS)


@cache
def load_text(game: str) -> GameText:
    """The text of a game.

    Raises:
        LookupError: no installed package offers it, or it cannot be loaded; the text says which are installed.
    """
    text: GameText | None = load_installed(ENTRY_POINTS, game, f"the text of the game {game!r}", GameText)
    if text is None:
        raise LookupError(f"there is no text of a game {game!r}; installed are {', '.join(game_texts())}")
    return text


@cache
def is_turn(message: type) -> bool:
    """Whether messages of this type are questions of an installed game."""
    return any(message in text.turns for text in _installed())


@cache
def is_status(message: type) -> bool:
    """Whether messages of this type say how a hand of an installed game ended."""
    return any(message in text.statuses for text in _installed())


@cache
def find_action_text(turn: type) -> ActionText | None:
    """How answers to turns of this type are written; None for the usual way."""
    return next((text.actions for text in _installed() if turn in text.turns), None)


def find_encoder(message: type) -> Encoder:
    """What writes messages of this type, which belongs to an installed game.

    Raises:
        KeyError: no installed text has such messages.
    """
    for text in _installed():
        for encoder in (text.turns.get(message), text.statuses.get(message)):
            if encoder is not None:
                return encoder
    raise KeyError(message)


def _installed() -> Iterator[GameText]:
    """Every text that can be loaded; one that cannot must not spoil the others' games."""
    for game in installed_names(ENTRY_POINTS):
        try:
            yield load_text(game)
        except LookupError:
            continue

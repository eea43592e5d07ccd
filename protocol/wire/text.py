"""How the messages of each game are written: one ``GameText`` a game, found by the game's name.

Installed packages offer texts as entry points of the group ``casino.wire``; the name of the entry point is that of
the game. The house's own games come in the same way.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from protocol.games.base import Status, Turn
from protocol.wire.acpc import AcpcText
from protocol.wire.fields import encode_status

ENTRY_POINTS = "casino.wire"

Encoder = Callable[[Any], str]
Decoder = Callable[[str], Turn | Status]


@dataclass(frozen=True, slots=True)
class GameText:
    """The text of one game.

    Attributes:
        turns: what writes each sort of turn, by its type.
        commands: what reads each command of the dealer, by its verb; it is given the text behind the verb's colon.
        statuses: what writes how a hand ended, by its type.
        acpc: how programs of the Annual Computer Poker Competition are told its hands; None if they cannot play it.
    """

    turns: Mapping[type, Encoder]
    commands: Mapping[str, Decoder]
    statuses: Mapping[type, Encoder] = field(default_factory=lambda: {Status: encode_status})
    acpc: AcpcText | None = None


def game_texts() -> Iterator[str]:
    """The names of the games whose text is installed, in alphabetical order."""
    return iter(sorted({point.name for point in entry_points(group=ENTRY_POINTS)}))


@cache
def load_text(game: str) -> GameText:
    """The text of a game.

    Raises:
        LookupError: no installed package offers it, or it cannot be loaded; the text says which are installed.
    """
    for point in entry_points(group=ENTRY_POINTS, name=game):
        try:
            text: GameText = point.load()
        except (ImportError, AttributeError, SyntaxError) as error:
            raise LookupError(f"the text of the game {game!r} ({point.value}) cannot be loaded: {error}") from error
        return text
    raise LookupError(f"there is no text of a game {game!r}; installed are {', '.join(game_texts())}")


def is_turn(message: type) -> bool:
    """Whether messages of this type are questions of an installed game."""
    return any(message in text.turns for text in _installed())


def is_status(message: type) -> bool:
    """Whether messages of this type say how a hand of an installed game ended."""
    return any(message in text.statuses for text in _installed())


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
    for game in game_texts():
        try:
            yield load_text(game)
        except LookupError:
            continue

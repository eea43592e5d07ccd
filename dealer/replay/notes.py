"""What happens between hands, or beside one, as plain facts for a viewer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Opened:
    """The tournament begins.

    Attributes:
        rules: the name of the game.
        title: what people call it.
        agreed: what else is agreed, such as stack and ante.
        hands: each table plays at most this many in a game.
        games: how many.
        players: how many.
        tables: how many there are at first.
        rounds: how often everybody starts anew at new tables.
        levels: hands of a table after which antes rise; None if they stay as they are.
    """

    type: ClassVar = "start"

    rules: str
    title: str
    agreed: Mapping[str, int | str]
    hands: int
    games: int
    players: int
    tables: int
    rounds: int
    levels: int | None


@dataclass(frozen=True, slots=True)
class GameBegun:
    """Equal stacks for everybody; ``hand`` is the first of the game."""

    type: ClassVar = "game"

    table: int
    hand: int
    game: int


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """Everybody who has not left sits down anew with equal stacks.

    Attributes:
        round: its number, from 1.
        players: how many.
        tables: their numbers.
    """

    type: ClassVar = "round"

    round: int
    players: int
    tables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LevelBegun:
    """The stakes have risen for every hand that is dealt from now on; ``stakes`` are chips by name."""

    type: ClassVar = "level"

    level: int
    stakes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Moved:
    """A player has taken its chips to another table, where it is dealt in next.

    Attributes:
        origin: the table that it left.
        table: where it goes.
        broken: whether nobody is left at the table that it left.
    """

    type: ClassVar = "move"

    origin: int
    table: int
    id: str | None
    avatar: str
    broken: bool


@dataclass(frozen=True, slots=True)
class HostSaid:
    """The host's word.

    Attributes:
        command: ``pause``, ``resume``, ``pace``, ``remove``, ``level`` or ``end``.
        id: of the player it is about, if any.
        avatar: of the same.
        seconds: that a hand shall take at least, for a new pace.
        reason: why a player is removed.
    """

    type: ClassVar = "desk"

    command: str
    id: str | None
    avatar: str | None
    seconds: float | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Left:
    """A player is out, in that hand or behind it.

    Attributes:
        for_good: whether it leaves the tournament, and not only the round under way.
        fault: the kind of it, if it was a fault, or ``removed`` by the host.
        reason: what the player was told; None for another seat's viewer.
    """

    type: ClassVar = "out"

    table: int
    hand: int
    id: str | None
    avatar: str
    for_good: bool
    fault: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Away:
    """A player's connection ended, in that hand or behind it; it may come back."""

    type: ClassVar = "away"

    table: int
    hand: int
    id: str | None
    avatar: str


@dataclass(frozen=True, slots=True)
class Back:
    """A player came back, in that hand or behind it."""

    type: ClassVar = "back"

    table: int
    hand: int
    id: str | None
    avatar: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The dealer was started again."""

    type: ClassVar = "resume"


@dataclass(frozen=True, slots=True)
class Voided:
    """Whatever was dealt of a hand does not count."""

    type: ClassVar = "void"

    table: int
    hand: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The tournament is over.

    Attributes:
        standings: place, avatar, chips and half points (None where there are none), the best first.
    """

    type: ClassVar = "end"

    standings: tuple[tuple[int, str, int, int | None], ...]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The journal stops here, and the tournament could be played on."""

    type: ClassVar = "unfinished"


BesideHand = Left | Away | Back
"""May belong to a hand whose record comes later."""

Note = (
    Opened
    | RoundBegun
    | GameBegun
    | LevelBegun
    | Moved
    | HostSaid
    | Left
    | Away
    | Back
    | Resumed
    | Voided
    | Ended
    | Unfinished
)

"""Notes: what happens between hands or during one, apart from its actions, as plain values for a viewer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Opened:
    """The tournament begins.

    Attributes:
        rules: the name of the game, as on the command line.
        title: the name of the game for people.
        agreed: the options of the game, such as stack and ante.
        hands: the most that each table plays in a game.
        games: their number.
        players: their number.
        tables: their number at first.
        rounds: how often all players sit down at new tables with equal stacks.
        levels: hands of a table after which antes rise, or what each level asks for; None if antes stay as they are.
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
    levels: int | list[dict[str, int]] | None


@dataclass(frozen=True, slots=True)
class GameBegun:
    """A game begins with equal stacks; ``hand`` is the number of its first hand."""

    type: ClassVar = "game"

    table: int
    hand: int
    game: int


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """A round begins: all players who have not left sit down at new tables with equal stacks.

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
    """A player moves to another table with its chips.

    Attributes:
        origin: the table that it left.
        table: where it goes.
        broken: whether it was the last player at the table that it left.
    """

    type: ClassVar = "move"

    origin: int
    table: int
    id: str | None
    avatar: str
    broken: bool


@dataclass(frozen=True, slots=True)
class HostSaid:
    """The host gave a command.

    Attributes:
        command: ``pause``, ``resume``, ``step``, ``length``, ``pace``, ``remove``, ``readmit``, ``level``,
            ``suspend``, ``stop`` or ``end``.
        id: of the player it is about, if any.
        avatar: of the same.
        seconds: the least time of a hand, for ``pace``; the time for the rest of the tournament, for ``length``;
            the time for each answer, for ``stop``.
        reason: why a player is removed, for ``remove``.
    """

    type: ClassVar = "desk"

    command: str
    id: str | None
    avatar: str | None
    seconds: float | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class BesideHand:
    """What happened to a player during a hand, whose record may come later, or after it."""

    type: ClassVar[str]

    table: int
    hand: int
    id: str | None
    avatar: str


@dataclass(frozen=True, slots=True)
class Left(BesideHand):
    """A player is out, during that hand or after it.

    Attributes:
        for_good: whether it leaves the tournament, and not only the round under way.
        fault: its kind, if a fault was the cause; ``removed`` if the host was.
        reason: what the player was told; None for another seat's viewer.
    """

    type: ClassVar = "out"

    for_good: bool
    fault: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Away(BesideHand):
    """A player's connection ended, during that hand or after it; the player may come back."""

    type: ClassVar = "away"


@dataclass(frozen=True, slots=True)
class Back(BesideHand):
    """A player logged in again, during that hand or after it."""

    type: ClassVar = "back"


@dataclass(frozen=True, slots=True)
class Readmitted:
    """The host let a player in again, who sits down at that table with the chips it had."""

    type: ClassVar = "readmitted"

    table: int
    id: str | None
    avatar: str


@dataclass(frozen=True, slots=True)
class Corrected(BesideHand):
    """A program of the ACPC wanted what the rules forbid in that hand, and the nearest allowed action was taken.

    Attributes:
        reason: what it wanted; None for another seat's viewer.
    """

    type: ClassVar = "corrected"

    reason: str | None


@dataclass(frozen=True, slots=True)
class Resumed:
    """The dealer was started again."""

    type: ClassVar = "resume"


@dataclass(frozen=True, slots=True)
class Voided:
    """A hand does not count, because the dealer was stopped during it."""

    type: ClassVar = "void"

    table: int
    hand: int


@dataclass(frozen=True, slots=True)
class Stalled:
    """The dealer itself did not run for so many seconds, which no player lost."""

    type: ClassVar = "stall"

    seconds: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """The host suspended the tournament, and every table stopped after its hand."""

    type: ClassVar = "stopped"


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


Note = (
    Opened
    | RoundBegun
    | GameBegun
    | LevelBegun
    | Moved
    | HostSaid
    | BesideHand
    | Readmitted
    | Resumed
    | Voided
    | Stalled
    | Stopped
    | Ended
    | Unfinished
)

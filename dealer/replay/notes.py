"""What happens between hands, or beside one, as plain facts for a viewer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from dealer.journal.records import Record
from dealer.ledger import Ledger
from dealer.player import Player


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
        tables: how many.
    """

    type: ClassVar = "start"

    rules: str
    title: str
    agreed: Mapping[str, int | str]
    hands: int
    games: int
    players: int
    tables: int


@dataclass(frozen=True, slots=True)
class GameBegun:
    """Equal stacks for everybody; ``hand`` is the first of the game."""

    type: ClassVar = "game"

    table: int
    hand: int
    game: int


@dataclass(frozen=True, slots=True)
class Left:
    """A player is out, in that hand or behind it.

    Attributes:
        fault: the kind of it, if it was a fault.
        reason: what the player was told; None for another seat's viewer.
    """

    type: ClassVar = "out"

    table: int
    hand: int
    id: str | None
    avatar: str
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
        standings: place, avatar and chips, the best first.
    """

    type: ClassVar = "end"

    standings: tuple[tuple[int, str, int], ...]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The journal stops here, and the tournament could be played on."""

    type: ClassVar = "unfinished"


BesideHand = Left | Away | Back
"""May belong to a hand whose record comes later."""

Note = Opened | GameBegun | Left | Away | Back | Resumed | Voided | Ended | Unfinished


def note_of(record: Record, ledger: Ledger, may_know: Callable[[Player], bool]) -> Note:
    """What a record says that tells of no hand.

    Args:
        record: of a journal.
        ledger: what the tournament has come to with it.
        may_know: whether a player's id and reasons may be told.
    """
    match record["type"]:
        case "start":
            return _opened(ledger)
        case "game":
            return GameBegun(record["table"], record["hand"], record["game"])
        case "resume":
            return Resumed()
        case "void":
            return Voided(record["table"], record["hand"])
        case "end":
            return Ended(tuple((place.place, place.player.avatar, place.chips) for place in ledger.standings()))
    return _beside_hand(record, ledger, may_know)


def _opened(ledger: Ledger) -> Opened:
    settings = ledger.settings
    game = settings.game
    games = max((ledger.games(table) for table in ledger.tables), default=0)
    return Opened(game.name, game.title, game.facts, settings.hands, games, len(ledger.players), len(ledger.tables))


def _beside_hand(record: Record, ledger: Ledger, may_know: Callable[[Player], bool]) -> BesideHand:
    player = ledger.players[record["player"]]
    allowed = may_know(player)
    table, hand, id = ledger.table_of(player).number, record["hand"], player.id if allowed else None
    if record["type"] == "out":
        return Left(table, hand, id, player.avatar, record["kind"], record["reason"] if allowed else None)
    return (Away if record["type"] == "away" else Back)(table, hand, id, player.avatar)

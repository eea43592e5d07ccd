"""The records of a journal as types, one for each ``type``: which fields there are, and the form of each.

Records that tell all there is to tell are events (``protocol.events``).

What is read has these forms, so nobody checks them again. Only forms are checked: that a hand number is a number, not
that it is the right one. Fields that a type does not have are passed over, but for the options of a game, which the
game checks.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from reprlib import repr as short_repr
from typing import Annotated, Any, Final, Literal, Self, get_args

import msgpack
import msgspec
from msgspec import DecodeError, Meta, Struct, ValidationError, field

from dealer.faults import FaultKind
from dealer.settings import (
    AcpcTerms,
    FormatName,
    LeagueWords,
    OpenPorts,
    Origin,
    Port,
    Ports,
    Services,
    Settings,
    format_names,
)
from protocol.events import (
    LARGEST,
    Act,
    Count,
    GameBegun,
    HostSaid,
    Index,
    Readmitted,
    RoundBegun,
    Seconds,
    Stalled,
    Stopped,
    Voided,
    type_of,
)
from protocol.games.level_table import LevelTable
from protocol.games.registry import UnknownGameError, load_game
from protocol.shuffle import SEED_BYTES, commitment

#: Of the journals that this program writes.
VERSION: Final = 7

#: In a journal of this version every batch was forced before the next was written, so there are no marks, and decks
#: were shuffled in the same way after a resumption as before.
UNMARKED_VERSION: Final = 6

Version = Literal[6, 7]

#: Of the journals that this program reads.
READ_VERSIONS: tuple[int, ...] = get_args(Version)

#: The last moment that a record may tell, in seconds since 1970: the year 3000, which every system has a date for.
_LAST_MOMENT = 32_503_680_000

Chips = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Moment = Annotated[float, Meta(ge=0, le=_LAST_MOMENT)]

#: The seat, the kind of the fault, and the reason in words.
FaultNote = tuple[Index, FaultKind, str]

#: The place of an action among those of the hand, from 0, and what a program of the ACPC asked for instead of it: see
#: ``Correction.asked``.
CorrectionNote = tuple[Index, str]


def _tag(name: str) -> str:
    return name.removesuffix("Record").lower()


class _Record(Struct, frozen=True, tag_field="type", tag=_tag):
    """A record. Its fields are explained where the package ``dealer.journal`` describes the file."""


class PlayerFacts(Struct, frozen=True):
    """A player in a start record."""

    id: str
    avatar: str
    program: str
    proof: bytes | None
    acpc: bool = False


class StartRecord(_Record, frozen=True):
    """What is agreed, and who plays.

    Attributes:
        options: of the game, by name, which stand among the other fields; in a record that was read, with those.
    """

    version: Version
    started: Moment
    game: str
    hands: Count
    seed: Annotated[bytes, Meta(min_length=SEED_BYTES, max_length=SEED_BYTES)]
    seed_text: str | None
    commitment: str
    games: Count
    limit: Seconds
    lives: Count
    table_size: Annotated[int, Meta(ge=2, le=LARGEST)]
    duplicate: bool
    rejoin: Seconds | None
    secrets: bool
    format: FormatName
    rounds: Count | None
    levels: Count | list[dict[str, Any]] | None
    origin: Origin | None
    acpc_terms: AcpcTerms | None
    players: list[PlayerFacts]
    imported: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings, players: Sequence[PlayerFacts], started: float, *, imported: bool = False) -> Self:
        """The start of a tournament of the current version: players by number, seconds since 1970."""
        return cls(
            version=VERSION,
            started=started,
            game=settings.game.name,
            seed=settings.seed,
            commitment=commitment(settings.seed),
            levels=settings.levels_record,
            acpc_terms=settings.acpc,
            players=list(players),
            imported=imported,
            options=settings.game.facts,
            **{name: getattr(settings, name) for name in _PLAIN},
        )

    def settings(self) -> Settings:
        """What is agreed.

        Raises:
            ValueError: the game is not installed, or an option or a level has a value that it may not have.
        """
        try:
            game = load_game(self.game)
        except UnknownGameError:
            raise ValueError(f"this program does not know the game {self.game!r}") from None
        return Settings(
            game=game.from_facts({entry.name: self.options.get(entry.name) for entry in game.options()}),
            seed=self.seed,
            levels=LevelTable.from_facts(self.levels) if isinstance(self.levels, list) else self.levels,
            acpc=self.acpc_terms,
            **{name: getattr(self, name) for name in _PLAIN},
        )

    @property
    def packable(self) -> dict[str, Any]:
        """The fields as they are written, the options of the game among them."""
        told = {name: getattr(self, name) for name in self.__struct_fields__}
        begin = {name: told.pop(name) for name in ("version", "started", "game", "hands")}
        end = {} if told.pop("imported") is False else {"imported": True}
        return {"type": "start", **begin, **told.pop("options"), **told, **end}


#: The settings that stand in a start record as they are.
_PLAIN = (
    "hands",
    "seed_text",
    "games",
    "limit",
    "lives",
    "table_size",
    "duplicate",
    "rejoin",
    "secrets",
    "format",
    "rounds",
    "origin",
)


class LevelRecord(_Record, frozen=True):
    """The stakes have risen."""

    level: Count


class MoveRecord(_Record, frozen=True):
    """A player goes to another table."""

    player: Index
    table: Index


class FinishedHandRecord(_Record, frozen=True, tag="hand", omit_defaults=True):
    """A hand that is over. Hands that others dealt have ``recorded``, which the game checks."""

    table: Index
    hand: Count
    level: Count
    players: tuple[Index, ...]
    stacks: tuple[Chips, ...]
    deck: bytes
    actions: list[Act]
    faults: list[FaultNote]
    pot: Chips
    payoffs: tuple[Chips, ...]
    corrections: Sequence[CorrectionNote] = ()
    recorded: dict[str, Any] | None = None


class CorrectedRecord(_Record, frozen=True):
    """An action of a program of the ACPC was corrected."""

    player: Index
    hand: Index
    reason: str


class OutRecord(_Record, frozen=True):
    """A player is out."""

    player: Index
    hand: Index
    chips: Chips
    kind: FaultKind | None
    reason: str


class ClosedRecord(_Record, frozen=True):
    """The dealer has closed a connection for good."""

    player: Index
    in_time: bool


class AwayRecord(_Record, frozen=True):
    """A connection ended, and the player may come back."""

    player: Index
    hand: Index


class BackRecord(_Record, frozen=True):
    """A player has come back."""

    player: Index
    hand: Index


class RefusedRecord(_Record, frozen=True):
    """A login failed."""

    time: Moment
    address: str
    port: Port
    kind: str
    reason: str
    id: str | None
    sent: bytes


class ResumeRecord(_Record, frozen=True):
    """The dealer was started again."""

    started: Moment
    cut: Index


class EndRecord(_Record, frozen=True):
    """The tournament is over. The facts of standings are those of ``dealer.ledger.columns``."""

    standings: list[dict[str, Any]]


Record = (
    StartRecord
    | RoundBegun
    | LevelRecord
    | MoveRecord
    | GameBegun
    | FinishedHandRecord
    | CorrectedRecord
    | OutRecord
    | ClosedRecord
    | AwayRecord
    | BackRecord
    | Readmitted
    | HostSaid
    | RefusedRecord
    | Services
    | ResumeRecord
    | Voided
    | Stalled
    | Stopped
    | EndRecord
)


#: The class of each type of record.
TYPES: Mapping[str, type[Record]] = {type_of(one): one for one in get_args(Record)}


def pack_record(record: Record) -> bytes:
    """The bytes of one record."""
    return msgspec.msgpack.encode(record.packable if isinstance(record, StartRecord) else record)


def unpack_record(packed: bytes) -> Record:
    """The record of these bytes.

    Raises:
        ValueError: they are no record of a type that this program knows, or a field is missing or does not have the
            right form; the text says which, what was expected and what came.
    """
    try:
        record = _DECODER.decode(packed)
    except (DecodeError, RecursionError) as error:
        raise ValueError(_mistake(error, packed)) from None
    return _completed(record, msgpack.unpackb(packed)) if isinstance(record, StartRecord) else record


def _completed(start: StartRecord, told: dict[str, Any]) -> StartRecord:
    """A start with the options of its game, and with what journals of earlier versions do not tell."""
    terms = start.acpc_terms
    if terms is not None and "average" not in told["acpc_terms"]:
        terms = replace(terms, average=None)  # from before there was such a limit
    return msgspec.structs.replace(start, options=told, acpc_terms=terms)


def _origin(sort: type, told: Any) -> Origin:
    """A league, or open ports, which have no field that tells them apart by its value."""
    kind: type[Origin] = LeagueWords if isinstance(told, dict) and "bots" in told else OpenPorts
    if isinstance(told, dict) and "port" in told:  # from before the ports were one map
        numbers = {name: number for name, number in told.items() if name.endswith("port") and number is not None}
        told = {**told, "numbers": numbers}
    try:
        return msgspec.convert(told, kind, builtin_types=[bytes])
    except ValidationError as error:
        what, _, path = str(error).partition(" - at `$")
        raise ValidationError(f"{what} - at `$.{'ports' if sort is Ports else 'origin'}{path or '`'}") from None


_DECODER: msgspec.msgpack.Decoder[Record] = msgspec.msgpack.Decoder(Record, dec_hook=_origin)

#: Types as msgspec names them, in the words of our messages.
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "bytes": "bytes",
    "null": "nil",
    "array": "a list",
    "object": "a map",
}


def _mistake(error: Exception, packed: bytes) -> str:
    """What is wrong with a record, in our words.

    Args:
        error: of msgspec: ``Expected `int`, got `str` - at `$.actions[0][1]` ``.
        packed: the record.
    """
    try:
        told = msgpack.unpackb(packed, strict_map_key=False)
    except (ValueError, msgpack.UnpackException):
        return f"expected a record, got bytes that cannot be read: {error}"
    if not isinstance(told, dict):
        return f"expected a record, got {short_repr(told)}"
    type_ = told.get("type")
    if not isinstance(type_, str) or type_ not in TYPES:
        return (
            f"expected a record of a type from {', '.join(TYPES)}; got {short_repr(type_)}, which this program does "
            "not know; a newer one may have written it"
        )
    if type_ == "start" and told.get("version") not in READ_VERSIONS:
        readable = " and ".join(map(str, READ_VERSIONS))
        return f"this journal is of version {short_repr(told.get('version'))}, this program reads versions {readable}"
    what, _, path = str(error).partition(" - at `$")
    name, value = path.strip(".`"), told
    with suppress(LookupError, TypeError):  # of a map with a key twice, msgpack tells the other value
        for key, index in re.findall(r"\.(\w+)|\[(\d+)\]", path):
            value = value[key or int(index)]
    if what.startswith("Object missing"):
        missing = what.split("`")[1]
        return f"{name}.{missing} is missing" if name else f"{missing} is missing"
    return f"{name}: expected {_expected(what, name)}, got {short_repr(value)}" if name else what


def _expected(what: str, name: str) -> str:
    if what.startswith("Invalid enum value"):
        return f"one of {', '.join(format_names() if name == 'format' else FaultKind)}"
    wanted = what.removeprefix("Expected ").partition(", got")[0]
    return re.sub(r"`([^`]*)`", lambda quoted: _types_in_words(quoted[1]), wanted)


def _types_in_words(types: str) -> str:
    return " or ".join(_WORDS.get(one, one) for one in types.split(" | "))

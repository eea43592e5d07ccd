"""What is agreed before the first hand of a tournament, and how the journal's start record holds it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Literal, Self

from protocol.games.game import Game
from protocol.games.level_table import LevelTable
from protocol.games.registry import UnknownGameError, load_game
from protocol.shuffle import commitment


def format_names() -> tuple[str, ...]:
    """The names of the formats, from the names of their files, which are not imported: they stand on settings."""
    folder = Path(__file__).parent / "ledger" / "formats" / "named"
    return tuple(sorted(module.name.replace("_", "-") for module in iter_modules([str(folder)])))


#: When others may hear of what the journal tells: as soon as it is written, and it is forced to the disk within a
#: ``second``; or when it is on the disk, for which each ``hand`` waits.
Sync = Literal["second", "hand"]

if TYPE_CHECKING:
    FormatName = str
else:
    #: One of the formats. A freezeout is played until one player has all chips: the usual tournament.
    FormatName = Literal[format_names()]


@dataclass(frozen=True, slots=True)
class AcpcTerms:
    """How programs of the Annual Computer Poker Competition (ACPC) take part.

    Attributes:
        names: their ids, in the order in which they come; empty for acpc-1, acpc-2 and so on.
        limit: seconds until an answer is late.
        strict: whether an action that the rules forbid is a fault; else it is corrected, and counted.
        average: seconds a hand that the answers of a program may take on average; None if only each one is limited.
    """

    names: tuple[str, ...] = ()
    limit: float = 7.0
    strict: bool = False
    average: float | None = 7.0


@dataclass(frozen=True, slots=True)
class LeagueWords:
    """What a league was started with.

    Attributes:
        bots: house bots by name.
        commands: the command lines of other programs.
        sandbox: whether those run in a sandbox.
        acpc_commands: the command lines of programs of the ACPC.
        sandbox_python: folders of the Pythons that programs in a sandbox may use, beside the one that runs the dealer.
    """

    bots: tuple[str, ...]
    commands: tuple[str, ...]
    sandbox: bool = False
    acpc_commands: tuple[str, ...] = ()
    sandbox_python: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenPorts:
    """Where players from elsewhere connect.

    Attributes:
        host: a local address.
        port: for programs that use writeUTF.
        line_port: for programs that send lines; None if there is no such listener.
        people_port: for people, who have more time; None if there is no such listener.
        people_limit: seconds until a reply to that listener is late.
        acpc_port: for programs of the ACPC; None if there is no such listener.
    """

    host: str
    port: int
    line_port: int | None
    people_port: int | None = None
    people_limit: float = 180.0
    acpc_port: int | None = None


@dataclass(frozen=True, slots=True)
class Services:
    """What one run of a dealer opens, which the journal keeps so that ``casino resume`` opens it again.

    Attributes:
        ports: where players from elsewhere connect; None in a league.
        page_port: of the page; None without a page.
        open_cards: whether the page shows hole cards during a hand.
        desk: whether the host can give orders there.
        feed_port: of the spectator feed; None without one.
    """

    ports: OpenPorts | None = None
    page_port: int | None = None
    open_cards: bool = False
    desk: bool = False
    feed_port: int | None = None

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """The services that a record tells, of which the form of each field has been checked."""
        facts = {name: record[name] for name in cls.__slots__}
        ports = facts.pop("ports")
        return cls(None if ports is None else _ports(ports), **facts)


@dataclass(frozen=True, slots=True)
class Settings:
    """What is agreed before the first hand.

    Attributes:
        seed: 32 bytes from which every deck follows; secret until the end.
        game: what is played.
        hands: each table plays at most this many in a game.
        games: how often everybody starts again with equal stacks; in a duplicate tournament, how many deals there
            are, each of which is played once for every player.
        limit: seconds until a reply is late.
        lives: faults until a player is out; the last one counts.
        table_size: seats at a table, at most; 0 stands for as many as the game has.
        seed_text: what ``seed`` was made of, if a text.
        duplicate: whether every deal is played again with the players rotated through the seats.
        rejoin: seconds within which a player whose connection ended may come back; None if that is the end.
        secrets: whether a login must also give a secret, which a player who comes back has to repeat.
        levels: hands of a table after which the stakes rise, or a table of what each level asks for; None if they stay
            as they are.
        format: who meets whom.
        rounds: how often everybody starts anew at new tables; None for as often as the format needs.
        origin: where the players come from; None where nobody needs to know.
        acpc: how programs of the ACPC take part; None if none can.
    """

    seed: bytes
    game: Game
    hands: int = 200
    games: int = 1
    limit: float = 1.0
    lives: int = 1
    table_size: int = 0
    seed_text: str | None = None
    duplicate: bool = False
    rejoin: float | None = None
    secrets: bool = False
    levels: int | LevelTable | None = None
    format: FormatName = "freezeout"
    rounds: int | None = None
    origin: LeagueWords | OpenPorts | None = None
    acpc: AcpcTerms | None = None

    def __post_init__(self) -> None:
        if not self.table_size:
            object.__setattr__(self, "table_size", self.game.table_seats[-1])

    def as_record(self) -> dict[str, Any]:
        """The fields of a journal's start record that tell what is agreed; ``from_record`` reads them back."""
        return {
            "game": self.game.name,
            "hands": self.hands,
            **self.game.facts,
            "seed": self.seed,
            "seed_text": self.seed_text,
            "commitment": commitment(self.seed),
            **{name: getattr(self, name) for name in _PLAIN},
            "levels": self.levels_record,
            "origin": self.origin and asdict(self.origin),
            # Not "acpc": options of the game stand beside it, and hold'em has one of that name.
            "acpc_terms": self.acpc and asdict(self.acpc),
        }

    @property
    def levels_record(self) -> int | list[dict[str, int]] | None:
        """The levels as records and events tell them: a number of hands, or the levels of a table."""
        return self.levels.record if isinstance(self.levels, LevelTable) else self.levels

    @classmethod
    def from_record(cls, start: Mapping[str, Any]) -> Self:
        """The settings that a journal's start record tells.

        Args:
            start: the record, of which the form of each field has been checked.

        Raises:
            ValueError: the game is not installed, or one of its options has a value that it may not have.
        """
        try:
            game = load_game(start["game"])
        except UnknownGameError:
            raise ValueError(f"this program does not know the game {start['game']!r}") from None
        return cls(
            seed=start["seed"],
            game=game.from_facts({entry.name: start.get(entry.name) for entry in game.options()}),
            hands=start["hands"],
            seed_text=start["seed_text"],
            levels=_levels(start["levels"]),
            origin=_origin(start["origin"]),
            acpc=_acpc_terms(start["acpc_terms"]),
            **{name: start[name] for name in _PLAIN},
        )


#: The settings that stand in a record as they are.
_PLAIN = (
    "games",
    "limit",
    "lives",
    "table_size",
    "duplicate",
    "rejoin",
    "secrets",
    "format",
    "rounds",
)


def _origin(facts: Mapping[str, Any] | None) -> LeagueWords | OpenPorts | None:
    if facts is None:
        return None
    if "bots" in facts:
        commands, acpc_commands = tuple(facts["commands"]), tuple(facts["acpc_commands"])
        pythons = tuple(facts.get("sandbox_python", ()))  # which journals of earlier versions do not have
        return LeagueWords(tuple(facts["bots"]), commands, facts["sandbox"], acpc_commands, pythons)
    return _ports(facts)


def _ports(facts: Mapping[str, Any]) -> OpenPorts:
    return OpenPorts(**{name: facts[name] for name in OpenPorts.__slots__})


def _levels(told: int | Sequence[Mapping[str, Any]] | None) -> int | LevelTable | None:
    return told if told is None or isinstance(told, int) else LevelTable.from_facts(told)


def _acpc_terms(facts: Mapping[str, Any] | None) -> AcpcTerms | None:
    if facts is None:
        return None
    # Journals from before there was such a limit do not tell it.
    return AcpcTerms(tuple(facts["names"]), facts["limit"], facts["strict"], facts.get("average"))

"""What is agreed before the first hand of a tournament."""

from dataclasses import dataclass
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from protocol.events import Seconds
from protocol.games.game import Game
from protocol.games.level_table import LevelTable


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

Port = Annotated[int, Meta(ge=0, le=2**16 - 1)]


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
    limit: Seconds = 7.0
    strict: bool = False
    average: Seconds | None = 7.0


class Origin:
    """Where the players of a tournament come from."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LeagueWords(Origin):
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


class Ports(Origin):
    """Ports, which journals of earlier dealers tell in another form."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class OpenPorts(Ports):
    """Where players from elsewhere connect.

    Attributes:
        host: a local address.
        numbers: of the ports, by the name of their kind (see ``dealer.net.ports``).
        people_limit: seconds until a reply at the port for people is late.
    """

    host: str
    numbers: dict[str, Port]
    people_limit: Seconds = 180.0


class Services(Struct, frozen=True, tag="services", tag_field="type"):
    """What one run of a dealer opens: a record of the journal, so that ``casino resume`` opens it again.

    Attributes:
        ports: where players from elsewhere connect; None in a league.
        page_port: of the page; None without a page.
        open_cards: whether the page shows hole cards during a hand.
        desk: whether the host can give orders there.
        feed_port: of the spectator feed; None without one.
    """

    ports: Ports | None
    page_port: Port | None
    open_cards: bool
    desk: bool
    feed_port: Port | None


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

    @property
    def levels_record(self) -> int | list[dict[str, int]] | None:
        """The levels as records and events tell them: a number of hands, or the levels of a table."""
        return self.levels.record if isinstance(self.levels, LevelTable) else self.levels

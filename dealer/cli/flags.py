"""What the commands that play a tournament take from the command line."""

from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.types import Port, PositiveInt
from cyclopts.validators import Number

from dealer.cli.flag_types import Count, Seconds, Switch
from dealer.cli.help import ACPC, OUTPUT, PAGE, PLAYERS, TOURNAMENT
from dealer.cli.help import PORTS as PORTS_GROUP
from dealer.net.ports import PEOPLE, PORTS, USUAL_PEOPLE_PORT, USUAL_PORTS, PortKind
from dealer.settings import FormatName, OpenPorts, Sync

LogLevel = Literal["debug", "info", "warning", "error"]

#: How long a show may be.
Minutes = Annotated[float, Parameter(validator=Number(gt=0, lte=600))]

#: Players at one table; how many a game has room for is checked with the game.
TableSize = Annotated[int, Parameter(validator=Number(gte=2, lte=1000))]

_IN_PLAYERS, _IN_PORTS, _IN_OUTPUT = (Parameter(group=group) for group in (PLAYERS, PORTS_GROUP, OUTPUT))


@Parameter(name="*", group=TOURNAMENT)
@dataclass(frozen=True)
class TournamentFlags:
    """What every tournament agrees on.

    Parameters
    ----------
    games
        How often to play all hands, with equal stacks again each time.
    limit
        Seconds until a reply is late.
    lives
        Faults until a player is out.
    format
        A freezeout is played until one player has all chips; in the others players meet in pairs, for --games games
        each. By default a freezeout, but a round robin in games for two in which nobody goes out.
    series
        Freezeouts that the same players play, one after the other.
    rounds
        Of a Swiss tournament; by default as many as its number of players needs.
    table_size
        Seats at a table; more players sit at several tables.
    levels
        Hands after which the stakes rise, again and again.
    level_table
        A TOML file of levels, or the built-in table sit-and-go.
    seed
        Any text; the same text deals the same cards. Without it, chance decides.
    journal
        A new file that records every hand.
    """

    games: Count = 1
    limit: Seconds = 1.0
    lives: PositiveInt = 1
    format: FormatName | None = None
    series: Count = 1
    rounds: Count | None = None
    table_size: TableSize | None = None
    levels: Count | None = None
    level_table: str | None = None
    seed: str | None = None
    journal: Annotated[Path | None, _IN_OUTPUT] = None

    @property
    def rising(self) -> bool:
        """Whether what a hand costs rises from level to level."""
        return self.levels is not None or self.level_table is not None


@Parameter(name="*", group=ACPC)
@dataclass(frozen=True)
class AcpcFlags:
    """Programs written for the Annual Computer Poker Competition (ACPC), which give no name.

    Parameters
    ----------
    acpc_names
        Their ids in the order in which they come, such as al,bo; by default acpc-1, acpc-2 and so on.
    acpc_limit
        Seconds until an answer of such a program is late.
    acpc_average
        Seconds a hand that all answers of such a program together may take on average, over the hands of the
        tournament; 0 limits each answer alone.
    strict
        Put such a program out for an action that the rules forbid. Else the nearest allowed one is taken, and counted.
    """

    acpc_names: str | None = None
    acpc_limit: Seconds = 7.0
    acpc_average: Annotated[float, Parameter(validator=Number(gte=0, lte=10**6))] = 7.0
    strict: Switch = False


@Parameter(name="*", group=PLAYERS)
@dataclass(frozen=True)
class HostFlags:
    """Who may come in, and when it starts.

    Parameters
    ----------
    seats
        Start as soon as this many players are here.
    wait
        Start after this many seconds.
    roster
        Who may play: a file with one id a line, or CSV lines of id and name.
    rejoin
        Seconds within which a player whose connection ended may log in again; without it, that is the end.
    secrets
        Logins must be "id:avatar:secret"; a player who reconnects must give the same secret.
    no_journal
        Keep no journal. By default there is one, in your own data folder.
    """

    seats: PositiveInt | None = None
    wait: Seconds | None = None
    roster: Path | None = None
    rejoin: Seconds | None = None
    secrets: Switch = False
    no_journal: Annotated[Switch, _IN_OUTPUT] = False


@dataclass(frozen=True)
class _PortFlags:
    """Where players come in. There is a flag more for each kind of port.

    Parameters
    ----------
    people
        Open a port for people (`casino play`), whose replies may take so many minutes. By default 3, or as before if
        resumed.
    host
        The local address to listen on. By default all, or as before if resumed.
    """

    people: Annotated[float | None, Parameter(validator=Number(gt=0, lte=10**4)), _IN_PLAYERS] = None
    host: str | None = None

    @property
    def numbers(self) -> dict[str, int]:
        """The ports that were given, by the names of their kinds."""
        given = {kind.name: getattr(self, kind.name) for kind in PORTS}
        return {name: number for name, number in given.items() if number is not None}

    def open_ports(self, before: OpenPorts = USUAL_PORTS) -> OpenPorts:
        """Where to listen: as the flags say, and else as ``before``."""
        numbers = {**before.numbers, **self.numbers}
        if self.people is not None:
            numbers.setdefault(PEOPLE.name, USUAL_PEOPLE_PORT)
        limit = before.people_limit if self.people is None else self.people * 60
        host = before.host if self.host is None else self.host
        return OpenPorts(host, numbers, limit)


def _port_flag(kind: PortKind) -> tuple[str, Any, Any]:
    usual = "none" if kind.usual is None else kind.usual
    text = f"{kind.help}; 0 takes a free port. By default {usual}, or as before if resumed."
    return kind.name, Annotated[Port | None, Parameter(help=text)], field(default=None)


if TYPE_CHECKING:
    PortFlags = _PortFlags
else:
    _flags_of_ports = make_dataclass(
        "PortFlags",
        [_port_flag(kind) for kind in PORTS],
        bases=(_PortFlags,),
        frozen=True,
        namespace={"__module__": __name__, "__doc__": _PortFlags.__doc__},
    )
    PortFlags = Parameter(name="*", group=PORTS_GROUP)(_flags_of_ports)


@Parameter(name="*", group=TOURNAMENT)
@dataclass(frozen=True)
class ResumeFlags:
    """How a tournament is played on; everything else is as it was.

    Parameters
    ----------
    wait
        Seconds after which to play on without those who are not back; who is missing then is out.
    show
        Minutes that the rest takes, about; by default what is left of the show, if it was one.
    """

    wait: Annotated[Seconds | None, _IN_PLAYERS] = None
    show: Minutes | None = None


@Parameter(name="*", group=PAGE)
@dataclass(frozen=True)
class PageFlags:
    """The page that shows a tournament to everybody in the room.

    Parameters
    ----------
    page_port
        Where browsers find the page; 0 takes a free port. By default 8080, or a free port if that is taken.
    no_page
        Show no page.
    open_cards
        Show hole cards on the page while the hand is played; programs can read them there, too.
    desk
        Take the host's orders from the page /host and from "casino desk", with a token that is shown here at the
        start.
    """

    page_port: Port | None = None
    no_page: Switch = False
    open_cards: Switch = False
    desk: Switch = False


@Parameter(name="*", group=PAGE)
@dataclass(frozen=True)
class ReplayPageFlags:
    """The page on which a journal is shown again.

    Parameters
    ----------
    page
        Show the journal on the page, in about ten minutes; --speed and the keys of this terminal change that. Ctrl-C
        ends it.
    page_port
        Where browsers find the page; 0 takes a free port. By default 8080, or a free port if that is taken.
    host
        The local address of the page; by default only browsers on this machine find it. 0.0.0.0 is for all.
    open_cards
        Show hole cards on the page while the hand is played; programs can read them there, too.
    """

    page: Switch = False
    page_port: Port | None = None
    host: str = "127.0.0.1"
    open_cards: Switch = False


@Parameter(name="*", group=PAGE)
@dataclass(frozen=True)
class ReplayFileFlags:
    """The file in which a journal is replayed by a browser alone.

    Parameters
    ----------
    web
        Write one HTML file that replays the journal in any browser, without a network. With --seat it holds only what
        that seat could see.
    out
        The file for --web; by default it has the name of the journal, in this folder.
    """

    web: Switch = False
    out: Path | None = None


@Parameter(name="*")
@dataclass(frozen=True)
class ShowFlags:
    """How long a hosted tournament takes, so that people can watch it.

    Parameters
    ----------
    show
        Minutes that the tournament takes, about. By default 10 where there is a page; with --no-page or --json it is
        as fast as it goes.
    fast
        Play as fast as it goes, although there is a page.
    """

    show: Minutes | None = None
    fast: Switch = False


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True)
class RunFlags:
    """What every run of a tournament needs, also one that is played on.

    Parameters
    ----------
    journal_limit
        Megabytes of journal at which the tournament ends, after the hand under way.
    sync
        When the journal is forced to the disk: each second, or (hand, slower) before each result is told. Only a power
        cut makes a difference.
    feed_port
        Tell programs that connect here everything public as it happens; 0 takes a free port. Off by default.
    json
        Print the results as JSON.
    log_level
        What is logged on standard error; debug tells every step of a hand in words, without hidden cards.
    """

    journal_limit: PositiveInt = 1000
    sync: Sync = "second"
    feed_port: Annotated[Port | None, _IN_PORTS] = None
    json: Switch = False
    log_level: LogLevel = "warning"

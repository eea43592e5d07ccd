"""The commands ``casino play`` and ``casino bots``; what they need is imported when they run."""

import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.types import NonNegativeFloat, Port, PositiveInt

from bots.command_line import HANDS, DealerPort, TableOptionFlags, chosen_options, hands_text
from dealer.cli.flag_types import A_BOT, Count, Switch
from dealer.cli.game_flags import game_with
from dealer.cli.output import complain, complain_in_words
from dealer.errors import BAD_USAGE, FAILED, CasinoError, OptionError
from protocol.games.registry import game_names, named_options
from protocol.suggestions import nearest

if TYPE_CHECKING:
    from bots.human.table_order import Order

NO_KEYS = "this needs a terminal, with keys to press"

WEB_PORT = 8000


@Parameter(name="*", group="Against house bots")
@dataclass(frozen=True)
class TableFlags:
    """A table in this process.

    Parameters
    ----------
    against
        A house bot by name. May be given several times. Without it, a lobby offers all of them.
    opponents
        How many sit down, 1 to 9: the bots take the seats in turn.
    level
        Of the opponents, where none are named.
    level_table
        A TOML file of levels, or the built-in table sit-and-go.
    speed
        How fast the others play; they think no less.
    seed
        Any text; the same text deals the same cards.
    """

    against: Annotated[tuple[str, ...], A_BOT] = ()
    opponents: PositiveInt | None = None
    level: Literal["easy", "medium", "hard", "mixed"] = "medium"
    hands: Annotated[Count | None, Parameter(help=hands_text("other games: until one player has won"))] = None
    level_table: str | None = None
    speed: Literal["slow", "normal", "fast", "none"] = "normal"
    seed: str | None = None


@Parameter(name="*", group="At a dealer's table")
@dataclass(frozen=True)
class GuestFlags:
    """Who you are there.

    Parameters
    ----------
    id
        Who you are to the host; a new one for each person by default, such as person-3f2a.
    avatar
        What everybody sees; your id by default.
    secret
        What a dealer started with --secrets asks for: any text, the same at each login.
    lines
        Send lines of text instead of writeUTF frames, to the dealer's other port.
    patience
        Seconds to go on trying while the dealer is not up yet.
    """

    id: str | None = None
    avatar: str | None = None
    secret: Annotated[str | None, Parameter(env_var="CASINO_SECRET")] = None
    lines: Switch = False
    patience: NonNegativeFloat = 30.0


@Parameter(name="*", group="In a browser")
@dataclass(frozen=True)
class WebFlags:
    """The same table as a web page, which needs no network but the one to this machine.

    Parameters
    ----------
    web
        Serve tables to browsers; each browser plays its own game.
    web_host
        The local address to listen on; 0.0.0.0 is for everybody who can reach this machine.
    web_port
        The port to listen on; 0 takes a free one.
    """

    web: Switch = False
    web_host: str = "127.0.0.1"
    web_port: Port = WEB_PORT


_NO_OPTIONS = TableOptionFlags()
_NO_TABLE_FLAGS = TableFlags()
_NO_GUEST_FLAGS = GuestFlags()
_NO_WEB_FLAGS = WebFlags()


def play(
    where: str | None = None,
    port: DealerPort | None = None,
    *,
    options: TableOptionFlags = _NO_OPTIONS,
    table: TableFlags = _NO_TABLE_FLAGS,
    guest: GuestFlags = _NO_GUEST_FLAGS,
    browser: WebFlags = _NO_WEB_FLAGS,
    statistics: Switch = False,
    json: Switch = False,
) -> int:
    """Play yourself: against house bots, or at a dealer's table.

    Parameters
    ----------
    where
        The game to play against house bots; or, with a port, a dealer's address.
    port
        The dealer's port for people; the host sees it with `casino serve --people`.
    statistics
        Print what you have won against house bots on this machine, instead of playing.
    json
        Print the statistics as JSON.

    Examples
    --------
    # Against house bots: a lobby offers all of them, or those you name sit down.
    casino play stud
    casino play blockhead --against alpha
    # At a dealer's table, which "casino serve --people" opens.
    casino play 192.168.1.20 4002 --id ada --avatar Ada
    # What you have won on this machine.
    casino play --statistics
    """
    if statistics:
        return _show_statistics(json)
    if where is None:
        return complain_in_words(
            f"name a game to play, {' or '.join(game_names())}, or a dealer's address and port", BAD_USAGE
        )
    if json:
        return complain_in_words("--json is for --statistics", BAD_USAGE)
    trouble = _trouble(where, port, bool(named_options(options)) or table != _NO_TABLE_FLAGS, guest, browser)
    if trouble:
        return complain_in_words(trouble, BAD_USAGE)
    if find_spec("textual") is None and not browser.web:
        return complain_in_words(
            "a seat for a person needs an extra: pip install '.[tui]' in the folder of Casino Day", FAILED
        )
    return _join(where, port, guest) if port is not None else _order(where, options, table, browser)


def _trouble(where: str, port: int | None, table: bool, guest: GuestFlags, browser: WebFlags) -> str:
    """What is wrong with the command, in a line; empty if nothing is. ``table``: whether a flag is for house bots."""
    if port is None and where not in game_names():
        games = " or ".join(game_names())
        meant = nearest(where, game_names())
        told = f"; did you mean {meant!r}?" if meant else ""
        return f"play {games} against house bots, or give a dealer's address and port; got {where!r} alone{told}"
    if port is None and guest != _NO_GUEST_FLAGS:
        flags = "--id, --avatar, --secret, --lines and --patience"
        return f"{flags} are for a dealer's table: give its address and port"
    if port is not None and browser != _NO_WEB_FLAGS:
        return "--web is for tables of house bots; at a dealer's table each person starts `casino play` itself"
    if port is not None and table:
        return "a dealer's host decides who plays, for how much; flags for house bots do nothing there"
    return ""


def _show_statistics(as_json: bool) -> int:
    """Print what was won on this machine."""
    from bots.human.play_statistics import read_statistics, show_statistics, statistics_path

    path = statistics_path()
    try:
        show_statistics(read_statistics(path), path, as_json)
    except CasinoError as error:
        return complain(error)
    return 0


def _has_keys() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _order(game: str, options: TableOptionFlags, flags: TableFlags, browser: WebFlags) -> int:
    """Play, or serve, a table of house bots."""
    from bots.human.table_order import Order, check

    try:
        chosen = chosen_options(game, options, hands=flags.hands)
        levels = _read_levels(game, chosen, flags.level_table)
        order = Order(
            game,
            flags.seed or ("" if browser.web else secrets.token_hex(8)),  # each browser's game draws its own
            flags.against,
            flags.opponents,
            flags.level,
            chosen,
            None if HANDS in chosen else flags.hands,
            flags.speed,
            levels,
        )
        check(order)
    except (OptionError, LookupError, ValueError) as error:
        return complain_in_words(str(error), BAD_USAGE)
    if browser.web:
        return _serve(order, browser)
    if not _has_keys():
        return complain_in_words(NO_KEYS, FAILED)
    from bots.human.person_app import play_here

    return play_here(order)


def _serve(order: "Order", flags: WebFlags) -> int:
    """Serve tables of house bots to browsers."""
    from bots.human.web.server import serve

    try:
        serve(order, flags.web_host, flags.web_port)
    except CasinoError as error:
        return complain(error)
    return 0


def _read_levels(game: str, options: Mapping[str, Any], name: str | None) -> Sequence[Mapping[str, int]]:
    """The levels of a table, by its name or file; none without one.

    Raises:
        LookupError: there is no such game.
        ValueError: the file cannot be read, is no table, or does not fit the game or its options.
    """
    from protocol.games.level_table import FLAG, read_level_table

    if name is None:
        return ()
    agreed = game_with(game, options)
    if agreed.stakes is None:
        raise ValueError(f"{FLAG} needs stakes that can rise; in {agreed.name} {agreed.fee} is fixed")
    table, _ = read_level_table(name, agreed, options)
    return table.record


def _join(host: str, port: int, flags: GuestFlags) -> int:
    """Sit down at a dealer's table."""
    from bots.client import ClientError, connect
    from bots.human.person_app import play_there
    from protocol.wire.framing import LineFraming, UtfFraming
    from protocol.wire.messages import Name, ProtocolError

    try:
        id = flags.id or f"person-{secrets.token_hex(2)}"  # two people may both leave it out
        name = Name(id, flags.avatar or id, flags.secret)
    except ProtocolError as error:
        return complain_in_words(str(error), BAD_USAGE)
    if not _has_keys():
        return complain_in_words(NO_KEYS, FAILED)
    try:
        sock = connect(host, port, flags.patience, lambda text: print(text, file=sys.stderr, flush=True))
    except ClientError as error:
        return complain_in_words(str(error), FAILED)
    framing = LineFraming() if flags.lines else UtfFraming()
    code = play_there(sock, framing, name, f"Dealer at {host}:{port}, you are {id}", watches=not flags.lines)
    if flags.id is None:
        print(f"To be the same player again, type the same command with --id {id}.")
    return code


def bots(*, json: Switch = False) -> int:
    """List the installed bots: what they play, how hard they are to beat, where their rules come from.

    Parameters
    ----------
    json
        Print the results as JSON.

    Examples
    --------
    casino bots
    """
    from bots.catalogue import show_bots

    broken = show_bots(json)
    for reason in broken:
        print(f"casino: {reason}", file=sys.stderr)
    return FAILED if broken else 0

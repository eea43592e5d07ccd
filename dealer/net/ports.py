"""The ports of a dealer at which players connect: one list, with all that is different between them.

Whoever adds a kind of seat adds a value to ``PORTS``. Its flag, its listener, what the terminal and the page tell of
it, what the journal keeps, and the directions for programs at a wrong port follow from there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from dealer.net.seat import Connect
from dealer.settings import AcpcTerms, OpenPorts
from protocol.wire.acpc_connection import AcpcConnection
from protocol.wire.connection import DealerConnection, PeopleConnection
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.text import load_text
from protocol.wire.wrong_port import Speech


@dataclass(frozen=True, slots=True)
class PortKind:
    """A kind of port for players.

    Attributes:
        name: in journals and messages to the page; with dashes for underscores it is the flag.
        who: connects there, in the plural.
        help: of the flag, as the beginning of a sentence.
        takes: what programs at the right port may seem to speak, whatever mistakes they make; first what they should.
        connect: makes the dealer's ends of the protocol; of how programs of the ACPC take part, if any do.
        framing: how messages are cut out of the stream, of the bytes of the longest one.
        usual: the number where no flag gives one; None opens no such port then.
        expects: what programs must speak, in words; empty for the first of ``takes``.
        greets: whether a program speaks first, before it is asked for its name.
        starts: the lines that start a program which connects, with ``{address}`` and ``{port}``, by what it is.
    """

    name: str
    who: str
    help: str
    takes: tuple[Speech, ...]
    connect: Callable[[AcpcTerms | None], Connect] = lambda _: DealerConnection
    framing: Callable[[int], Framing] = UtfFraming
    usual: int | None = None
    expects: str = ""
    greets: bool = False
    starts: tuple[tuple[str, str], ...] = ()

    @property
    def flag(self) -> str:
        """The flag that chooses the number."""
        return "--" + self.name.replace("_", "-")


#: For programs that use writeUTF, as Java does.
FRAMES = PortKind(
    name="port",
    who=f"programs that use {Speech.FRAMES}",
    help="For programs that use writeUTF",
    takes=(Speech.FRAMES,),
    usual=4000,
    starts=(
        ("Python", "python3 poker.py {address} {port}"),
        ("Java", "java Poker {address} {port}"),
        ("C++", "./poker {address} {port}"),
    ),
)

#: For programs that send lines of text.
LINES = PortKind(
    name="line_port",
    who=f"programs that send {Speech.LINES}",
    help="For programs that send lines of text",
    takes=(Speech.LINES,),
    framing=LineFraming,
    usual=4001,
)

#: For people, who have more time for a reply.
PEOPLE = PortKind(
    name="people_port",
    who="people at casino play",
    help="For people, also without --people",
    takes=(Speech.FRAMES,),
    connect=lambda _: PeopleConnection,
    starts=(("A person", "casino play {address} {port}"),),
)

#: For programs of the Annual Computer Poker Competition.
ACPC = PortKind(
    name="acpc_port",
    who="programs of the Annual Computer Poker Competition",
    help="For programs of the ACPC, which play hold'em with equal stacks in each hand",
    takes=(Speech.ACPC, Speech.LINES),  # one with a mistake in its first line cannot be told from other lines
    connect=lambda terms: AcpcConnection if terms is None else partial(AcpcConnection, strict=terms.strict),
    framing=LineFraming,
    expects="a program of the ACPC that says VERSION:2.0.0 first",
    greets=True,
)


def _web_socket(_: AcpcTerms | None) -> Connect:
    # Imported here because it takes 20 ms, which only a dealer with such a port should pay.
    from protocol.wire.web_socket import WebSocketConnection  # noqa: PLC0415

    return WebSocketConnection


#: For programs in a browser.
WEB_SOCKET = PortKind(
    name="ws_port",
    who="programs that speak WebSocket",
    help="For programs that speak WebSocket, as those in a browser",
    takes=(Speech.HTTP,),
    connect=_web_socket,
    framing=LineFraming,
    expects="WebSocket",
    greets=True,
    starts=(("A browser", 'new WebSocket("ws://{address}:{port}")'),),
)

#: All kinds of ports, in the order in which people are told of them.
PORTS = (FRAMES, LINES, PEOPLE, ACPC, WEB_SOCKET)

#: The number of the port for people where only ``--people`` asks for one.
USUAL_PEOPLE_PORT = 4002

#: Where a dealer listens without any flag.
USUAL_PORTS = OpenPorts("0.0.0.0", {kind.name: kind.usual for kind in PORTS if kind.usual is not None})


def open_kinds(ports: OpenPorts | None) -> list[tuple[PortKind, int]]:
    """The kinds of the open ports with their numbers; none where players connect to no port of the dealer."""
    numbers = {} if ports is None else ports.numbers
    return [(kind, numbers[kind.name]) for kind in PORTS if kind.name in numbers]


def directions(numbers: Mapping[str, int], game: str, here: PortKind | None, spoken: Speech | None) -> str:
    """Where a program at the wrong port belongs, as the end of a sentence; empty if it belongs nowhere.

    Args:
        numbers: of the open ports, by the names of their kinds.
        game: that is played.
        here: the kind of port at which it is; None at the port of a page.
        spoken: by the program, as far as it is known.
    """
    if spoken is Speech.ACPC:
        return _acpc_directions(numbers.get(ACPC.name), game)
    belongs = [kind for kind in PORTS if kind.takes[0] is spoken and kind is not PEOPLE]
    if here is None or not any(kind.name in numbers for kind in belongs):
        spoken_here = None if here is None else here.takes[0]
        belongs = [kind for kind in (FRAMES, LINES) if kind.takes[0] is not spoken_here]
    ways = [(kind.who, numbers[kind.name]) for kind in belongs if kind.name in numbers]
    words = [f"{who}{'' if place else ' connect'} to port {number}" for place, (who, number) in enumerate(ways)]
    return f"; {', '.join(words)}" if words else ""


def _acpc_directions(port: int | None, game: str) -> str:
    if port is not None:
        return f"; programs of the ACPC connect to port {port}"
    if load_text(game).acpc is None:
        return f"; programs of the ACPC do not play {game}"
    return f"; this dealer has no port for programs of the ACPC, which casino serve opens with {ACPC.flag}"

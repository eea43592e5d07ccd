"""What the dealer and a worker process tell each other, as values.

Two of them travel for each hand, ``Play`` and ``Played``. So they hold numbers and bytes only, and every message is
sent as a plain tuple: values of a class take several times as long on the way.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dealer.faults import FaultKind, SeatLost
from dealer.ledger.played_hand import Act, CorrectionNote, FaultNote
from dealer.net.lent_seat import SeatState
from dealer.net.stalls import Stall
from dealer.tournament.time_account import TimeAccount
from protocol.games.base import Settlement, Status
from protocol.games.game import Game
from protocol.games.match import Match
from protocol.wire.messages import GameInfo, Shown

# From the dealer to a worker


class Begin(NamedTuple):
    """What a worker must know before its first hand.

    Attributes:
        game: what is played.
        players: id and avatar of each, by number.
        followed: whether programs can follow the hands, so that actions may be corrected.
        log_level: from which on log lines are sent to the dealer.
        log_steps: whether every step of a hand goes to the log.
    """

    game: Game
    players: Sequence[tuple[str, str]]
    followed: bool
    log_level: str
    log_steps: bool


class Lend(NamedTuple):
    """A player's seat; its socket comes with this message.

    Attributes:
        player: by number.
        place: where the worker keeps note of the seat, and its name in other messages.
        state: of its session.
    """

    player: int
    place: int
    state: SeatState


class CallBack(NamedTuple):
    """Give a seat back: answered by ``GivenBack``."""

    place: int


class Drop(NamedTuple):
    """The connection of a seat ends; forget it."""

    place: int


class Tell(NamedTuple):
    """Tell a seat something that needs no reply."""

    place: int
    message: Status | GameInfo | Shown


class Hasten(NamedTuple):
    """Let the questions to a seat be due within so many seconds, since the tournament stops."""

    place: int
    seconds: float


class Play(NamedTuple):
    """Play a hand: answered by ``Played``.

    Attributes:
        table: see ``Deal``.
        number: see ``Deal``.
        level: see ``Deal``.
        players: see ``Deal``.
        match: see ``Deal``; or what changed since the last hand of the table, by field, if this worker played that.
        deck: see ``Deal``.
        slow: whether its actions wait to be seen, so that the worker asks before each of them.
        time_account: of the table; None where only each answer is limited.
    """

    table: int
    number: int
    level: int
    players: tuple[int, ...]
    match: Match | Mapping[str, Any]
    deck: bytes
    slow: bool
    time_account: TimeAccount | None


class TellResults(NamedTuple):
    """The last hand of a table is on the disk: tell its players how it ended."""

    table: int


class Judged(NamedTuple):
    """What became of a player: the answer to ``Lost``.

    Attributes:
        table: at which it sits.
        fault: whether it had a fault.
        gone: whether its seat is given up.
    """

    table: int
    fault: bool
    gone: bool


class GoOn(NamedTuple):
    """A wait before an action is over: the answer to ``Wait``."""

    table: int


class Watch(NamedTuple):
    """Somebody watches a table: send ``SoFar`` now and then."""

    table: int


# From a worker to the dealer


class Played(NamedTuple):
    """A finished hand, without its deal, which the dealer knows, and without cards, which follow from it."""

    table: int
    actions: list[Act]
    faults: list[FaultNote]
    corrections: Sequence[CorrectionNote]
    starting: tuple[int, ...]
    pot: int
    payoffs: tuple[int, ...]
    shares: tuple[int, ...]
    tied: bool
    carried: int

    @property
    def settlement(self) -> Settlement:
        """How the pot was divided, as far as chips and standings follow from it."""
        return Settlement(self.payoffs, self.shares, (), self.tied, self.carried)


class SoFar(NamedTuple):
    """The hand under way at a table."""

    table: int
    actions: list[Act]
    faults: list[FaultNote]
    corrections: Sequence[CorrectionNote]


class Wait(NamedTuple):
    """A slow hand is at an action: how far it is; answered by ``GoOn``."""

    so_far: SoFar


class Lost(NamedTuple):
    """A player gave no acceptable answer: answered by ``Judged``.

    Attributes:
        table: at which it sits.
        player: by number.
        place: of its seat.
        kind: of the fault.
        reason: in words.
        connected: see ``SeatLost``.
        reached: likewise.
        heard: the first bytes that came since the question.
    """

    table: int
    player: int
    place: int
    kind: FaultKind
    reason: str
    connected: bool
    reached: bool
    heard: bytes

    @property
    def error(self) -> SeatLost:
        """The error that the question ended with."""
        return SeatLost(self.kind, self.reason, self.connected, reached=self.reached)


class Corrected(NamedTuple):
    """An action of a player was corrected; the reason says what was wanted."""

    table: int
    player: int
    reason: str


class GivenBack(NamedTuple):
    """A seat is the dealer's again: the answer to ``CallBack``."""

    place: int
    state: SeatState


class Stalled(NamedTuple):
    """The worker stood still, and has given that time back to its players."""

    stall: Stall


class Logged(NamedTuple):
    """A line for the log."""

    line: str


ToWorker = Begin | Lend | CallBack | Drop | Tell | Hasten | Play | TellResults | Judged | GoOn | Watch
FromWorker = Played | SoFar | Wait | Lost | Corrected | GivenBack | Stalled | Logged

#: The type of each message by its number, under which it travels.
_TYPES: Sequence[type] = (
    *(Begin, Lend, CallBack, Drop, Tell, Hasten, Play, TellResults, Judged, GoOn, Watch),
    *(Played, SoFar, Wait, Lost, Corrected, GivenBack, Stalled, Logged),
)
_NUMBERS: Mapping[type, int] = {type_: number for number, type_ in enumerate(_TYPES)}


def to_plain(message: ToWorker | FromWorker) -> tuple[Any, ...]:
    """The message as it travels: the number of its type, and its fields."""
    return _NUMBERS[type(message)], *message


def from_plain(plain: Sequence[Any]) -> Any:
    """The message that ``to_plain`` made this of."""
    return _TYPES[plain[0]](*plain[1:])

"""The link of a page to a dealer elsewhere: what the dealer's stream tells the holder of the host's token."""

from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import NamedTuple, get_args

import msgspec
import trio

from dealer.errors import StreamError
from dealer.feed.subscriber import pack
from dealer.feed.told import PAGE, One, Opened, PageState, Played, Told
from dealer.web.board import Board
from protocol.events import type_of
from protocol.games.game import Game
from protocol.games.registry import UnknownGameError, load_game

#: Seconds between two tries to find a dealer again.
RETRY_SECONDS = 0.5

#: Seconds until the next try after a refusal: a dealer that was started again never takes this page's token.
REFUSED_SECONDS = 60.0

#: Seconds in which a dealer has to answer.
ANSWER_SECONDS = 10.0

#: Bytes of the longest message; a state has less than a tenth of that.
MESSAGE_BYTES = 16 * 1024 * 1024

#: Bytes read at once.
READ_BYTES = 256 * 1024

#: Seconds without a word after which a dealer is gone; it sends one every few seconds.
SILENT_SECONDS = 20.0

#: What a page is told.
_TOLD = msgspec.msgpack.Decoder(Told)
_TYPES = frozenset([type_of(kind) for kind in get_args(Told)])


class _Head(msgspec.Struct):
    """The type of a message, and the reason if it is a refusal."""

    type: str
    reason: str | None = None


_HEAD = msgspec.msgpack.Decoder(_Head)


class Place(NamedTuple):
    """Where a dealer's stream is: an address and a port, or the path of a socket of this machine, with port 0."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def game_of(opened: Opened) -> Game:
    """The game of a tournament.

    Raises:
        StreamError: it is not installed here.
    """
    try:
        return load_game(opened.game).from_facts(opened.options)
    except UnknownGameError as error:
        raise StreamError(f"the dealer plays a game that this machine does not know: {error}") from None


async def connect(place: Place, token: str, type_: str) -> trio.SocketStream:
    """Connect to a dealer's stream, and give the token.

    Args:
        place: of the stream.
        token: of the host.
        type_: of the first message, which says what the dealer is to tell: ``PAGE`` or ``DESK``.

    Raises:
        StreamError: nobody answers there.
    """
    try:
        with trio.fail_after(ANSWER_SECONDS):
            stream = await (trio.open_tcp_stream(*place) if place.port else trio.open_unix_socket(place.host))
            try:
                await stream.send_all(pack({"type": type_, "token": token}))
            except BaseException:
                await trio.aclose_forcefully(stream)
                raise
    except (OSError, trio.TooSlowError, trio.BrokenResourceError) as error:
        reason = getattr(error, "strerror", None) or "it does not answer"
        raise StreamError(f"there is no dealer at {place}: {reason}") from None
    return stream


class Incoming:
    """The bodies of the messages that come from a dealer.

    Args:
        stream: to the dealer.
        place: where that is.
        patience: seconds without a word after which the dealer is gone.
    """

    def __init__(self, stream: trio.SocketStream, place: Place, patience: float = inf) -> None:
        self._stream = stream
        self._place = place
        self._patience = patience
        self._data = bytearray()

    async def next(self) -> bytes | None:
        """The next one; None when the other side is gone, or silent.

        Raises:
            StreamError: the message would be too long.
        """
        while len(self._data) < 4 or len(self._data) < (end := 4 + self._length()):
            came = b""
            with trio.move_on_after(self._patience), suppress(trio.BrokenResourceError, OSError):
                came = bytes(await self._stream.receive_some(READ_BYTES))
            if not came:
                return None
            self._data += came
        body = bytes(self._data[4:end])
        del self._data[:end]
        return body

    def _length(self) -> int:
        length = int.from_bytes(self._data[:4], "big")
        if length > MESSAGE_BYTES:
            raise StreamError(f"what is at {self._place} is no dealer: it says that a message has {length} bytes")
        return length


class DealerLink:
    """Follows a dealer, and finds it again when it was started anew.

    Args:
        place: of its stream.
        token: of its host.
        board: hears what is told.
        say: tells the user when the dealer is lost, and found again.

    Attributes:
        told: set when the dealer has told its state for the first time; before that, a page has nothing to show.
        parted: set while the dealer has ended the stream.
    """

    def __init__(self, place: Place, token: str, board: Board, say: Callable[[str], None]) -> None:
        self.told, self.parted = trio.Event(), trio.Event()
        self._place = place
        self._token = token
        self._board = board
        self._say = say
        self._game: Game | None = None
        self._told_now = False

    async def connect(self) -> trio.SocketStream:
        """Connect, and give the token.

        Raises:
            StreamError: nobody answers there.
        """
        return await connect(self._place, self._token, PAGE)

    async def follow(self, stream: trio.SocketStream) -> None:
        """Follow the dealer at the other end, and then whoever opens a stream at the same place, until cancelled.

        Once it has told its state, the page stays, whatever happens to the dealer.

        Raises:
            StreamError: what is there is no dealer's stream, it refuses the token, or the game is not installed here.
        """
        said = ""
        while True:
            refused = await self._hear_out(stream)
            self.parted.set()
            if not self.told.is_set():
                raise StreamError(refused or f"what is at {self._place} ends without a word of a dealer")
            gone = refused or f"The dealer at {self._place} is gone"
            if self._told_now or gone != said:  # the same words again and again would hide all others
                self._say(f"{gone}; the page shows what it told last, and looks for it again.")
                said = gone
            while True:
                await trio.sleep(REFUSED_SECONDS if refused else RETRY_SECONDS)
                try:
                    stream = await self.connect()
                    break
                except StreamError:
                    continue

    async def _hear_out(self, stream: trio.SocketStream) -> str | None:
        """Take what a dealer tells until it is gone; why it refuses the page, if it does."""
        self._told_now, self.parted = False, trio.Event()
        async with stream:
            incoming = Incoming(stream, self._place, SILENT_SECONDS)
            while (body := await incoming.next()) is not None:
                if (refused := self.take(body)) is not None:
                    return refused
        return None

    def take(self, body: bytes) -> str | None:
        """Take a message; why the dealer refuses the page, if it is a refusal.

        Raises:
            StreamError: see ``follow``.
        """
        try:
            head = _HEAD.decode(body)
            if head.type == "refused":
                return f"The dealer at {self._place} refuses the page: {head.reason}"
            if head.type not in _TYPES:
                return None
            told = _TOLD.decode(body)
            if isinstance(told, PageState):
                told = PageState([self._whole(one) for one in told.told])
                if self.told.is_set() and not self._told_now:
                    self._say(f"The dealer at {self._place} is there again.")
                self._told_now = True
            elif self._told_now:
                told = self._whole(told)
        except msgspec.MsgspecError:
            raise StreamError(f"what is at {self._place} is no dealer of this version") from None
        if self._told_now:  # before the state it is for all programs
            self._board.hear(told)
            self.told.set()
        return None

    def _whole(self, told: One) -> One:
        """The same with the match of a hand, of which only the fields have come."""
        if isinstance(told, Opened):
            self._game = game_of(told)
        if isinstance(told, Played):
            if self._game is None:
                raise StreamError(f"what is at {self._place} is no dealer: it tells a hand of no game")
            match = msgspec.convert(told.match, type(self._game.start(2)))
            return msgspec.structs.replace(told, match=match)
        return told

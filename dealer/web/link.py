"""The link of a page to a dealer elsewhere: what the dealer's stream tells the holder of the host's token."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, NamedTuple

import msgspec
import structlog
import trio

from dealer.errors import StreamError
from dealer.feed.host import PAGE
from dealer.feed.host_view import Opened, Part, Played
from dealer.feed.subscriber import pack
from dealer.web.board import Board
from protocol.events import Acted, Dealt, Figures, StreetDealt
from protocol.games.game import Game
from protocol.games.registry import UnknownGameError, load_game

log = structlog.get_logger()

#: Seconds between two tries to find a dealer again.
RETRY_SECONDS = 0.5

#: Seconds in which a dealer has to answer.
ANSWER_SECONDS = 10.0

#: Bytes of the longest message; a state has less than a tenth of that.
MESSAGE_BYTES = 16 * 1024 * 1024

#: Bytes read at once.
READ_BYTES = 256 * 1024

_TOLD = msgspec.msgpack.Decoder(Opened | Part | Figures | Dealt | StreetDealt | Acted | Played)
_TYPES = frozenset({"opened", "part", "figures", "dealt", "street", "acted", "played"})


class _Head(msgspec.Struct):
    """The type of a message, and the reason if it is a refusal."""

    type: str
    reason: str | None = None


_HEAD = msgspec.msgpack.Decoder(_Head)


class Place(NamedTuple):
    """Where a dealer's stream is."""

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


class DealerLink:
    """Follows a dealer, and finds it again when it was started anew.

    Args:
        place: of its stream.
        token: of its host.
        board: hears what is told.
        say: tells the user when the dealer is lost, and found again.
    """

    def __init__(self, place: Place, token: str, board: Board, say: Callable[[str], None]) -> None:
        self._place = place
        self._token = token
        self._board = board
        self._say = say
        self._game: Game | None = None

    async def connect(self) -> trio.SocketStream:
        """Connect, and give the token.

        Raises:
            StreamError: nobody answers there.
        """
        try:
            with trio.fail_after(ANSWER_SECONDS):
                stream = await trio.open_tcp_stream(self._place.host, self._place.port)
        except (OSError, trio.TooSlowError) as error:
            reason = getattr(error, "strerror", None) or "it does not answer"
            raise StreamError(f"there is no dealer at {self._place}: {reason}") from None
        await stream.send_all(pack({"type": PAGE, "token": self._token}))
        return stream

    async def follow(self, stream: trio.SocketStream) -> None:
        """Follow the dealer at the other end, and then whoever opens a stream at the same place, until cancelled.

        Raises:
            StreamError: what is there is no dealer's stream, it refuses the token, or the game is not installed here.
        """
        while True:
            async with stream:
                async with aclosing(_messages(stream, self._place)) as messages:
                    async for body in messages:
                        self.take(body)
            self._say(f"The dealer at {self._place} is gone; the page shows what it told last, and looks for it again.")
            stream = await self._find()
            self._say(f"The dealer at {self._place} is there again.")

    async def _find(self) -> trio.SocketStream:
        while True:
            await trio.sleep(RETRY_SECONDS)
            try:
                return await self.connect()
            except StreamError:
                continue

    def take(self, body: bytes) -> None:
        """Take a message.

        Raises:
            StreamError: see ``follow``.
        """
        try:
            head = _HEAD.decode(body)
            told = _TOLD.decode(body) if head.type in _TYPES else None
        except msgspec.MsgspecError:
            raise StreamError(f"what is at {self._place} is no dealer of this version") from None
        if head.type == "refused":
            raise StreamError(f"the dealer at {self._place} refuses the page: {head.reason}")
        if isinstance(told, Opened):
            self._game = game_of(told)
        if isinstance(told, Played):
            assert self._game is not None, "a tournament was opened"
            told = msgspec.structs.replace(told, match=_match(told.match, self._game))
        if told is not None:
            self._board.hear(told)


def _match(facts: Any, game: Game) -> Any:
    return msgspec.convert(facts, type(game.start(2)))


async def _messages(stream: trio.SocketStream, place: Place) -> AsyncGenerator[bytes, None]:
    """The bodies of all messages, until the other side is gone.

    Raises:
        StreamError: a message would be too long.
    """
    data = bytearray()
    while True:
        try:
            came = await stream.receive_some(READ_BYTES)
        except (trio.BrokenResourceError, OSError):
            return
        if not came:
            return
        data += came
        while len(data) >= 4:
            length = int.from_bytes(data[:4], "big")
            if length > MESSAGE_BYTES:
                raise StreamError(f"what is at {place} is no dealer: it says that a message has {length} bytes")
            if len(data) < 4 + length:
                break
            yield bytes(data[4 : 4 + length])
            del data[: 4 + length]

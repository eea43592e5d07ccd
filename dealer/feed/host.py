"""The host's side of the feed: whoever gives the token is told everything, gives orders, and fetches files.

A subscriber sends the token in its first message, and then one order or request after another. Each is read when the
one before it is answered, so that no more than one waits here for each host; TCP holds the others back. Answers leave
with the events that gathered, so a flood of orders is read no faster than those are sent.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from math import inf
from typing import Any

import msgspec
import structlog
import trio

from dealer.desk.desk import Desk
from dealer.desk.files import Making
from dealer.desk.metrics import health, metrics
from dealer.desk.orders import ORDER_BYTES, OrderRefused, read_order, read_wanted
from dealer.desk.token import WrongToken
from dealer.errors import BadOrderError
from dealer.feed.feed import Feed
from dealer.feed.subscriber import Subscriber, pack
from dealer.feed.told import DESK, PAGE, Health, Look, Metrics, MisdirectedProgram
from dealer.tournament.scene import Scene

log = structlog.get_logger()

#: Seconds between two words on how far a report is.
MAKING_SECONDS = 0.5

#: Bytes of a piece of a file.
PIECE_BYTES = 128 * 1024

Message = dict[str, Any]


#: Why nobody is let in where the host was told no token.
_NO_DESK = "nobody can give orders here: the dealer was started without --desk"


class Refused(Exception):
    """What a subscriber sent ends its connection; the text is the reason that it is told."""


class Inbox:
    """The messages of a subscriber, framed as those of the feed.

    Args:
        stream: its connection.
        limited: cancels a block in which the rest of a message does not come.
    """

    def __init__(self, stream: trio.SocketStream, limited: Callable[[], AbstractContextManager[trio.CancelScope]]):
        self._stream = stream
        self._limited = limited
        self._data = bytearray()

    async def wait(self) -> bool:
        """Wait until something has come; False if nothing will come any more."""
        return bool(self._data) or await self._receive()

    async def next(self) -> Message | None:
        """The next message; None if none will come any more.

        Raises:
            Refused: it is not a message.
        """
        if not await self.wait():
            return None
        with self._limited() as limit:
            while len(self._data) < (end := 4 + self._length()):
                if not await self._receive():
                    return None
            body = bytes(self._data[4:end])
            del self._data[:end]
            return _unpacked(body)
        assert limit.cancelled_caught
        raise Refused("the rest of a message did not come")

    def _length(self) -> int:
        """The bytes of the message that has begun, without those that tell their number.

        Raises:
            Refused: it is too long.
        """
        length = int.from_bytes(self._data[:4], "big") if len(self._data) >= 4 else 0
        if length > ORDER_BYTES:
            raise Refused(f"a message has at most {ORDER_BYTES} bytes; this one says that it has {length}")
        return length

    async def _receive(self) -> bool:
        came = await self._stream.receive_some(ORDER_BYTES)
        self._data += came
        return bool(came)


def _unpacked(body: bytes) -> Message:
    try:
        message = msgspec.msgpack.decode(body)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise Refused("a message is a MessagePack map, behind its length in four bytes")
    return message


class HostSide:
    """Takes what subscribers send.

    Args:
        scene: what they are told of.
        feed: that they hear.
        desk: where they give orders; None where nobody can.
    """

    def __init__(self, scene: Scene, feed: Feed, desk: Desk | None) -> None:
        self._scene = scene
        self._feed = feed
        self._desk = desk

    async def hear(self, subscriber: Subscriber, inbox: Inbox, address: str, patience: float = inf) -> None:
        """Take what a subscriber sends, until it sends nothing any more.

        Args:
            subscriber: who sends.
            inbox: its messages.
            address: for which it counts.
            patience: seconds in which it has to give the token.

        Raises:
            Refused: it is to be told why its connection ends.
        """
        with trio.move_on_after(patience) as waiting:
            if not await inbox.wait():
                return
            if self._desk is None:
                raise Refused(_NO_DESK)
            message = await inbox.next()
        if waiting.cancelled_caught:
            raise Refused("no token came")
        if message is None or self._desk is None:
            return
        self._check_token(message, self._desk, address)
        subscriber.stays = True
        if message["type"] == "host":
            log.info("host logged in", address=address)
        if message["type"] == DESK:
            self._feed.let_desk_in(subscriber)
        else:
            await (self._feed.let_page_in if message["type"] == PAGE else self._feed.let_in)(subscriber)
        while (message := await inbox.next()) is not None:
            await self._take(message, subscriber, self._desk)

    def _check_token(self, message: Message, desk: Desk, address: str) -> None:
        """Return if a first message has the token.

        Raises:
            Refused: it has not.
        """
        given = message.get("token")
        if message.get("type") not in ("host", PAGE, DESK) or not isinstance(given, str):
            raise Refused('the first message is to be {"type": "host", "token": "..."}')
        try:
            desk.token.check(given, address)
        except WrongToken as wrong:  # without --desk, the dealer has told its token to its own page alone
            raise Refused(str(wrong) if self._scene.desk else _NO_DESK) from None

    async def _take(self, message: Message, subscriber: Subscriber, desk: Desk) -> None:
        """Carry out an order, tell what is asked for, or send a file; or answer why not.

        Raises:
            Refused: it is nothing of that.
        """
        type_, number = message.pop("type", None), message.pop("id", None)
        asked = self._ASKED.get(type_) if isinstance(type_, str) else None
        if (asked is None and type_ not in ("order", "file")) or type(number) is not int:
            raise Refused('expected {"type": "order", "id": 1, "command": "pause"}, or a file; the id a whole number')

        async def answer(make: Callable[[], Message]) -> None:
            await self._feed.answer(subscriber, lambda: {"id": number, **make()})

        try:
            if type_ == "file":
                await _send_file(message, number, subscriber, desk)
                return
            if asked is not None:
                kind, tell = asked
                facts = _read(message, kind)
                await answer(lambda: tell(self, facts))
                return
            order = read_order(message)
            said = await desk.obey(order)
        except BadOrderError as error:
            reason = str(error)
            await answer(lambda: {"error": reason})
        except OrderRefused as refusal:
            reason = str(refusal)
            await answer(lambda: {"error": reason, "state": desk.view.look()})
        else:
            await answer(lambda: {"said": said, "state": desk.view.look(order.command)})

    def _look(self, _: Look) -> Message:
        assert self._desk is not None, "hosts are let in only where there is a desk"
        return {"state": self._desk.view.look(None)}

    def _note(self, program: MisdirectedProgram) -> Message:
        self._scene.note_misdirected(**msgspec.structs.asdict(program))
        return {}

    def _tell_metrics(self, asked: Metrics) -> Message:
        return {"metrics": metrics(self._scene, asked.viewers)}

    def _tell_health(self, _: Health) -> Message:
        return {"health": health(self._scene)}

    #: What may be asked beside orders and files, by its type: what comes with it, and what makes the answer.
    _ASKED: Mapping[str, tuple[type[msgspec.Struct], Callable[..., Message]]] = {
        "look": (Look, _look),
        "misdirected": (MisdirectedProgram, _note),
        "metrics": (Metrics, _tell_metrics),
        "health": (Health, _tell_health),
    }


def _read(message: Message, kind: type[msgspec.Struct]) -> msgspec.Struct:
    """What came with a request.

    Raises:
        BadOrderError: it is something else.
    """
    try:
        return msgspec.convert(message, kind)
    except msgspec.ValidationError as error:
        raise BadOrderError(str(error)) from None


async def _send_file(message: Message, number: int, subscriber: Subscriber, desk: Desk) -> None:
    """Tell how far a file is until it is made, then its name and size, then send it in pieces.

    With ``wait`` false in the message, one word on how far it is is all.

    Raises:
        BadOrderError, OrderRefused: there is no such file.
    """
    waits = message.pop("wait", True)
    wanted = read_wanted(message)
    while isinstance(found := await desk.files.take(wanted), Making):
        await subscriber.answer(pack({"type": "making", "id": number, **found.facts}))
        if waits is False:
            return
        await trio.sleep(MAKING_SECONDS)
    try:
        async with await trio.open_file(found.path, "rb") as file:
            left = await file.seek(0, 2)
            await file.seek(0)
            await subscriber.answer(pack({"type": "file", "id": number, "name": found.name, "bytes": left}))
            while piece := await file.read(PIECE_BYTES):
                await subscriber.answer(pack({"type": "piece", "id": number, "data": piece}))
    except OSError as error:
        raise OrderRefused(f"the file cannot be read: {error.strerror}") from None

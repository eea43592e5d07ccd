"""The desk of a dealer, which is another process, or on another machine: what is asked of it goes over its stream."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
import trio

from dealer.desk.orders import Order, OrderRefused, Wanted
from dealer.errors import BadOrderError, StreamError
from dealer.feed.subscriber import pack
from dealer.feed.told import DESK, MisdirectedProgram
from dealer.web.link import ANSWER_SECONDS, Incoming, Place, connect

Facts = Mapping[str, Any]

#: Requests under way at once; others wait. The dealer takes only so many connections.
ASKING = 32

#: Programs that connected to the page by mistake, and of whom the dealer is not told yet; more are forgotten.
MISDIRECTED = 16

#: The types of the messages that answer a request.
_ANSWERS = ("answer", "making", "file", "piece")

_HEAD = msgspec.msgpack.Decoder(dict[str, Any])


class _Connection:
    """A connection on which the dealer answers a request."""

    def __init__(self, stream: trio.SocketStream, place: Place) -> None:
        self.stream = stream
        self._incoming = Incoming(stream, place)
        self._place = place

    async def ask(self, request: bytes) -> Facts:
        """Send a request and return the first message of the answer.

        Raises:
            StreamError: none came.
        """
        try:
            with trio.fail_after(ANSWER_SECONDS):
                await self.stream.send_all(request)
        except (trio.BrokenResourceError, trio.TooSlowError, OSError):
            raise self._gone() from None
        return await self.next()

    async def next(self) -> Facts:
        """The next message of an answer.

        Raises:
            StreamError: none came.
        """
        with trio.move_on_after(ANSWER_SECONDS):
            while (body := await self._incoming.next()) is not None:
                try:
                    message = _HEAD.decode(body)
                except msgspec.MsgspecError:
                    raise StreamError(f"what is at {self._place} is no dealer of this version") from None
                if message["type"] in _ANSWERS:
                    return message
                if message["type"] == "refused":
                    raise StreamError(f"the dealer at {self._place} refuses this page: {message['reason']}")
        raise self._gone()

    def _gone(self) -> StreamError:
        return StreamError(f"the dealer at {self._place} did not answer; whether it did what was asked is not known")


class Found:
    """A file that can be sent.

    Attributes:
        name: under which the host keeps it.
        source: is to be closed behind the last piece.
    """

    def __init__(self, connection: _Connection, name: str, size: int) -> None:
        self.name = name
        self.source = connection.stream
        self._connection = connection
        self._left = size

    async def read(self) -> bytes:
        """The next piece; empty at the end.

        Raises:
            StreamError: the rest does not come.
        """
        if not self._left:
            return b""
        answer = await self._connection.next()
        if answer["type"] != "piece":  # what remains could not be read
            raise StreamError(
                f"the dealer cannot send the rest of the file: {answer.get('error', 'it does not say why')}"
            )
        piece: bytes = answer["data"]
        self._left -= len(piece)
        return piece


class StreamDesk:
    """Asks a dealer. Each method raises ``StreamError`` where the dealer does not answer.

    Each request has a connection to itself, so that no order waits for a file, no late answer belongs to another
    request, and a dealer that was gone is found again by the next one.

    Args:
        place: of the dealer's stream.
        token: of its host.
    """

    def __init__(self, place: Place, token: str) -> None:
        self._place = place
        self._token = token
        self._asking = trio.CapacityLimiter(ASKING)
        self._misdirected, self._to_tell = trio.open_memory_channel[MisdirectedProgram](MISDIRECTED)

    async def obey(self, order: Order) -> Facts:
        """Carry out an order; the ``state`` after it, and what was ``said``, or the ``error`` if it cannot be done.

        Raises:
            BadOrderError: it cannot be sent to the dealer.
        """
        return await self._ask(type="order", **order.as_json())

    async def look(self) -> Facts:
        """All that a host sees."""
        seen: Facts = await self._asked("state", type="look")
        return seen

    async def metrics(self, viewers: int) -> bytes:
        """The dealer's figures, and how many watch this page, in the text format of Prometheus."""
        text: bytes = await self._asked("metrics", type="metrics", viewers=viewers)
        return text

    async def health(self) -> Facts:
        """Whether the dealer is well."""
        facts: Facts = await self._asked("health", type="health")
        return facts

    async def take(self, wanted: Wanted) -> Facts | Found:
        """A file, or how far it is made.

        Raises:
            OrderRefused: it cannot be made.
        """
        request: dict[str, Any] = {"type": "file", "file": wanted.file, "wait": False}
        if wanted.tournament is not None:
            request["tournament"] = wanted.tournament
        connection, answer = await self._begin(request)
        if answer["type"] == "file":
            return Found(connection, answer["name"], answer["bytes"])
        connection.stream.socket.close()
        if answer["type"] == "making":
            return {name: answer[name] for name in ("seconds", "share")}
        raise OrderRefused(answer["error"])

    def note(self, misdirected: MisdirectedProgram) -> None:
        """Let the dealer's host know of a program that connected to the page; a flood of them is cut short."""
        with suppress(trio.WouldBlock):
            self._misdirected.send_nowait(misdirected)

    async def tell_misdirected(self) -> None:
        """Tell the dealer of programs that connected to the page, until cancelled; not while it does not answer."""
        async for misdirected in self._to_tell:
            with suppress(StreamError, BadOrderError):
                await self._ask(type="misdirected", **msgspec.structs.asdict(misdirected))

    async def _asked(self, name: str, **request: Any) -> Any:
        """One fact of the answer.

        Raises:
            StreamError: there is no answer, or none with this fact.
        """
        answer = await self._ask(**request)
        if name not in answer:
            raise StreamError(
                f"the dealer at {self._place} does not tell that: {answer.get('error', 'no reason given')}"
            )
        return answer[name]

    async def _ask(self, **request: Any) -> Facts:
        connection, answer = await self._begin(request)
        connection.stream.socket.close()
        return {name: fact for name, fact in answer.items() if name not in ("type", "id")}

    async def _begin(self, request: Facts) -> tuple[_Connection, Facts]:
        """Ask on a new connection; the connection, and the first message of the answer.

        Raises:
            BadOrderError: the request cannot be sent.
            StreamError: there is no answer.
        """
        try:
            packed = pack({"id": 1, **request})
        except (OverflowError, UnicodeEncodeError) as error:
            raise BadOrderError(f"this cannot be sent to the dealer: {error}") from None
        async with self._asking:
            connection = _Connection(await connect(self._place, self._token, DESK), self._place)
            try:
                return connection, await connection.ask(packed)
            except BaseException:  # also when cancelled
                connection.stream.socket.close()
                raise


@asynccontextmanager
async def open_stream_desk(place: Place, token: str) -> AsyncIterator[StreamDesk]:
    """The desk of a dealer elsewhere while the block runs."""
    desk = StreamDesk(place, token)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.tell_misdirected)
        yield desk
        nursery.cancel_scope.cancel()

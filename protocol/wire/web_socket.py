"""The dealer's end of a connection over WebSocket (RFC 6455), so that a program in a browser can play. Sans-IO.

The program speaks first: an HTTP request for an upgrade, which is answered. From then on every message is one text
message with the text of a line. Pings and the end are answered here; such answers wait in ``owed`` until they are sent.

Whose page it is. A browser lets any page connect to any machine that the browser reaches, also a page of the internet
that a student merely reads; it could take the student's seat. But the browser says where the page is from, and no
script can change that. So pages of this machine and of a private address may play, and others are told that they may
not. Files have the origin ``null`` as any page in a frame that is cut off from it, so they may not either. Programs
outside a browser need not say anything.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address
from urllib.parse import urlsplit

import h11
from wsproto import ConnectionType, WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Message,
    Ping,
    RejectConnection,
    RejectData,
    Request,
)
from wsproto.frame_protocol import CloseReason, FrameProtocol
from wsproto.utilities import ProtocolError as NoWebSocket

from protocol.wire.codec import encode
from protocol.wire.connection import REPLY_DUE, DealerConnection, Flood, HungUp, State, WrongFraming, flood
from protocol.wire.framing import FrameTooLong, Framing, LineFraming
from protocol.wire.messages import Command, Done, ProtocolError, Reply, SecretLogin, Shown, ShownTurn
from protocol.wire.text import is_turn
from protocol.wire.wrong_port import Speech, recognise

#: Bytes of a request for an upgrade, at most. A browser sends all cookies of the host with it.
REQUEST_BYTES = 16_384

#: Bytes of decoded messages that are kept, to tell the host what came if it is a fault.
HEARD_BYTES = 64

#: By so many bytes a request by HTTP differs from a line.
_METHOD_BYTES = 8

_END_OF_REQUEST = re.compile(rb"\r?\n\r?\n")

#: Writes the frames of messages. What the dealer sends is never masked and never in parts, so one serves all.
_FRAMES = FrameProtocol(client=False, extensions=[])


class MessageFraming(LineFraming):
    """Text messages of WebSocket. Only for what is sent; what comes is read by ``WebSocketConnection``."""

    __slots__ = ()

    def encode(self, text: str) -> bytes:
        return bytes(_FRAMES.send_data(text, fin=True))


class WebSocketConnection(DealerConnection):
    """The dealer's end.

    Args:
        framing: ignored but for its limit.
        max_bytes: see ``DealerConnection``.
        max_frames: likewise. Pings and parts of messages count, too.
    """

    def __init__(self, framing: Framing, max_bytes: int = sys.maxsize, max_frames: int = sys.maxsize) -> None:
        super().__init__(MessageFraming(framing.limit), max_bytes, max_frames)
        self._usual_replies = {}  # what comes is masked, each time in another way
        self._socket = WSConnection(ConnectionType.SERVER)
        self._request = b""
        self._rejection = RejectConnection(status_code=503)
        self._close_code: int = CloseReason.NORMAL_CLOSURE
        self._in_binary = False  # whether the message under way is binary
        self._text = b""

    @property
    def _left(self) -> bool:
        """Whether the program has closed the connection."""
        return self._socket.state in (ConnectionState.REMOTE_CLOSING, ConnectionState.CLOSED)

    def heard(self, raw: bytes) -> bytes:
        """The beginning of the messages, without frames."""
        return self._text if raw and self.greeted else raw

    def send(self, message: Command | SecretLogin | Shown | ShownTurn) -> bytes:
        """The bytes of a message; none after the program has closed the connection.

        Raises:
            KeyError: the message may not be said now, which is a mistake of the dealer's.
            HungUp: it is a question, and the program has closed the connection.
        """
        self._text = b""
        data = super().send(message)
        if not self._left:
            return data
        sort: type = type(message)
        if is_turn(sort):
            raise HungUp
        return b""

    def send_done(self, done: Done, *, in_both_framings: bool = False) -> bytes:
        """The bytes of the last message, and of the end; before the upgrade, an answer by HTTP."""
        self.state = State.CLOSED
        if self.greeted:
            message = b"" if self._left else self._framing.encode(encode(done))
            return self.take_owed() + message + self._end()
        if in_both_framings:  # it speaks no HTTP
            return DealerConnection(LineFraming()).send_done(done, in_both_framings=True)
        body = f"{done.reason}\n".encode()
        headers = [
            *self._rejection.headers,
            (b"Content-Type", b"text/plain; charset=utf-8"),
            (b"Content-Length", str(len(body)).encode()),
            (b"Connection", b"close"),
        ]
        rejection = replace(self._rejection, has_body=True, headers=headers)
        return self._socket.send(rejection) + self._socket.send(RejectData(body))

    def _end(self) -> bytes:
        """The bytes of the end, unless both sides have said it already."""
        if self._socket.state is ConnectionState.CLOSED:
            return b""
        return self._socket.send(CloseConnection(self._close_code))

    def _read_all(self, data: bytes) -> tuple[Reply | None, ProtocolError | None]:
        """Read all that is whole with ``data``: the last reply, and the first mistake.

        Raises:
            Flood, FrameTooLong, WrongFraming: nothing more can be read.
        """
        if not self.greeted:
            data = self._upgrade(data)
        reply: Reply | None = None
        error: ProtocolError | None = None
        for body in self._bodies(data):
            try:
                answer = self._read(body)
                reply = reply if answer is None else answer
            except ProtocolError as wrong:
                error = error or wrong
        if self._left and reply is None:  # a reply before the end counts, and the next question finds nobody
            error = error or HungUp()
        return reply, error

    def _bodies(self, data: bytes) -> Iterator[bytes]:
        """The messages that are whole with ``data``.

        Raises:
            Flood, FrameTooLong, WrongFraming: nothing more can be read.
        """
        if self._left or not self.greeted:
            return
        self._socket.receive_data(data)
        for event in self._socket.events():
            left = self._frames_left = self._frames_left - 1
            if left < 0:
                raise Flood(flood(self._max_frames - left, "messages", self._max_frames))
            if isinstance(event, Ping):
                self.owed += self._socket.send(event.response())
            elif isinstance(event, CloseConnection):
                if not self._left:  # it is the library that gives up
                    self._close_code = event.code
                    raise WrongFraming(f"this is no WebSocket: {event.reason}")
                self._close_code = event.code
                self.owed += self._end()
            elif isinstance(event, Message):
                self._in_binary = isinstance(event, BytesMessage)
                self._buffer += bytes(event.data) if self._in_binary else str(event.data).encode()
                if len(self._buffer) > self._framing.limit:
                    self._close_code = CloseReason.MESSAGE_TOO_BIG
                    raise FrameTooLong(f"a message of more than the {self._framing.limit} bytes accepted")
                if event.message_finished:
                    body, self._buffer = self._buffer, b""
                    self._text = (self._text + body)[:HEARD_BYTES]
                    yield body

    def _read(self, body: bytes) -> Reply | None:
        if self._in_binary and not self._late_replies and self.state in REPLY_DUE:
            self.state = State.SEATED  # the question is used up
            raise ProtocolError("a binary message came; send each reply as text")
        return super()._read(body)

    def _upgrade(self, data: bytes) -> bytes:
        """Answer the request for an upgrade once it is whole; return what came behind it.

        Raises:
            WrongFraming: it is no such request.
            ProtocolError: it comes from a page that may not play.
        """
        self._request += data
        spoken = recognise(self._request)
        # The first letters of a request may begin a line, too.
        if spoken is Speech.LINES and len(self._request) < _METHOD_BYTES and b"\n" not in self._request:
            return b""
        if self._request and spoken is not Speech.HTTP:
            raise WrongFraming(f"{spoken or 'something else'} came; this port expects WebSocket")
        end = _END_OF_REQUEST.search(self._request)
        if end is None:
            if len(self._request) > REQUEST_BYTES:
                raise WrongFraming(f"a request of more than the {REQUEST_BYTES} bytes accepted")
            return b""
        try:
            self._socket.receive_data(self._request[: end.end()])
            (request,) = self._socket.events()
            self.owed += self._socket.send(AcceptConnection())
        except (NoWebSocket, h11.ProtocolError, ValueError) as error:
            self._rejection = getattr(error, "event_hint", None) or RejectConnection()
            raise WrongFraming(f"this is no request for WebSocket: {error}") from None
        self.greeted = True
        for origin in _origins(request):
            if not is_near(origin):
                self._close_code = CloseReason.POLICY_VIOLATION
                page = _host_of(origin) or "an unknown place, such as a file,"
                raise ProtocolError(
                    f"a page of {page} may not play here; open it at localhost (python3 -m http.server)"
                )
        return self._request[end.end() :]


def _origins(request: object) -> list[str]:
    """Where the page is from that makes a request; empty for a program outside a browser."""
    headers = request.extra_headers if isinstance(request, Request) else []
    return [value.decode("latin-1") for name, value in headers if name == b"origin"]


def is_near(origin: str) -> bool:
    """Whether a page may play: it is of this machine or of a private address, so not of the internet.

    Args:
        origin: where the page is from, as the browser says.
    """
    host = _host_of(origin)
    if host == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_private


def _host_of(origin: str) -> str:
    """The host of a page; empty if it has none."""
    try:
        return urlsplit(origin).hostname or ""
    except ValueError:
        return ""

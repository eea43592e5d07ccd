"""A strategy at the end of a socket: connect, log in, answer questions until ``done:``.

Plain blocking sockets: a bot has one thing to do at a time. To write a bot in another language, read this
file, or the smaller one in ``starters/``.
"""

import socket
import time
from collections.abc import Callable
from contextlib import suppress

from bots.strategy import Strategy
from protocol.games.base import Status
from protocol.wire.connection import BotConnection
from protocol.wire.framing import Framing
from protocol.wire.messages import Done, Login, Name

RETRY_SECONDS = 0.25


class ClientError(Exception):
    """No dealer, or no dealer any more; the text is for whoever started the bot."""


def connect(host: str, port: int, patience: float, say: Callable[[str], None]) -> socket.socket:
    """Connect, trying again for ``patience`` seconds while the dealer is not up yet.

    Raises:
        ClientError: still nobody there.
    """
    give_up = time.monotonic() + patience
    told = False
    while True:
        try:
            sock = socket.create_connection((host, port), timeout=max(patience, 1.0))
        except OSError as error:
            if time.monotonic() + RETRY_SECONDS > give_up:
                raise ClientError(f"no dealer at {host}:{port}: {error}") from None
            if not told:
                say(f"no dealer at {host}:{port} yet ({error}); trying for {patience:g} s")
                told = True
            time.sleep(RETRY_SECONDS)
        else:
            sock.settimeout(None)
            # Small messages one way at a time: waiting to fill a packet would cost 40 ms a reply.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return sock


def play(sock: socket.socket, framing: Framing, name: Name, strategy: Strategy) -> str:
    """Play until the dealer says ``done:``; returns its reason.

    Raises:
        ClientError: the connection ended before that.
        ProtocolError: the dealer said what this protocol does not know.
    """
    connection = BotConnection(framing)
    while True:
        while (command := connection.next_command()) is None:
            connection.receive(_received(sock))
        match command:
            case Login():
                _send(sock, connection.send(name))
            case Done(reason):
                return reason
            case Status():
                strategy.hand_over(command)
            case turn:
                _send(sock, connection.send(strategy.decide(turn)))


def _send(sock: socket.socket, data: bytes) -> None:
    """Send a reply. If the dealer has closed meanwhile, what it said before that is still to be read."""
    with suppress(ConnectionError):
        sock.sendall(data)


def _received(sock: socket.socket) -> bytes:
    try:
        data = sock.recv(65536)
    except OSError as error:
        raise ClientError(f"the connection to the dealer broke: {error}") from None
    if not data:
        raise ClientError("the dealer closed the connection without a word")
    return data

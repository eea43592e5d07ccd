"""Clients for measurements: many connections in one process, each of which calls at once when it is asked."""

import selectors
import socket
import sys
from typing import Literal

from protocol.wire.framing import Framing, UtfFraming

#: What a program speaks: the project's own text, or the protocol of the Annual Computer Poker Competition (ACPC).
Door = Literal["text", "acpc"]

#: The position to act in a heads-up hand in which everybody calls, by the betting so far: the button (1) acts first
#: before the flop, the other seat (0) on later streets. A hand that is over is not in it.
ACPC_TO_ACT = {
    b"": b"1",
    b"c": b"0",
    b"cc/": b"0",
    b"cc/c": b"1",
    b"cc/cc/": b"0",
    b"cc/cc/c": b"1",
    b"cc/cc/cc/": b"0",
    b"cc/cc/cc/c": b"1",
}


class _TextClient:
    """One connection to the server by the text protocol, and its unread input."""

    def __init__(self, sock: socket.socket, number: int, framing: Framing) -> None:
        self.sock = sock
        self._name = framing.encode(f"bench-{number}:Bench {number}")
        self._framing = framing
        self._buffer = b""

    def answer(self, data: bytes) -> None:
        """Answer every question in the input."""
        self._buffer += data
        while True:
            body, self._buffer = self._framing.split(self._buffer)
            if body is None:
                return
            # Taken apart by hand: a client that decodes messages properly would cost more than the server measured.
            if body.startswith(b"bet"):
                self.sock.sendall(self._framing.encode("bet:" + body.split(b":", 4)[3].decode()))
            elif body == b"login":
                self.sock.sendall(self._name)


class _AcpcClient:
    """One connection to the server by the protocol of the ACPC, heads-up, and its unread input."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._buffer = b""
        sock.sendall(b"VERSION:2.0.0\r\n")

    def answer(self, data: bytes) -> None:
        """Answer the match states in the input that ask for it."""
        *lines, self._buffer = (self._buffer + data).split(b"\r\n")
        for line in lines:
            if line.startswith(b"MATCHSTATE"):  # the last line is a comment
                _, position, _, betting, _ = line.split(b":")
                if ACPC_TO_ACT.get(betting) == position:
                    self.sock.sendall(line + b":c\r\n")


def main(host: str, port: int, count: int, door: str) -> None:
    """Connect ``count`` times and answer until every connection has ended; ``door`` is a ``Door``."""
    selector = selectors.DefaultSelector()
    for number in range(count):
        sock = socket.create_connection((host, port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client = _AcpcClient(sock) if door == "acpc" else _TextClient(sock, number, UtfFraming())
        selector.register(sock, selectors.EVENT_READ, client)
    while selector.get_map():
        for key, _ in selector.select():
            data = _received(key.data.sock)
            key.data.answer(data)
            if not data:
                selector.unregister(key.fileobj)
                key.data.sock.close()


def _received(sock: socket.socket) -> bytes:
    """Read what there is; nothing at the end of the connection."""
    try:
        return sock.recv(65536)
    except ConnectionError:  # the echo ends its connections without a message
        return b""


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])

"""Clients for measurements: many connections in one process, each of which calls at once when it is asked."""

import selectors
import socket
import sys

from protocol.wire.framing import Framing, UtfFraming


class _Client:
    """One connection to the server, and its unread input."""

    def __init__(self, sock: socket.socket, number: int, framing: Framing) -> None:
        self.sock = sock
        self._name = framing.encode(f"bench-{number}:Bench {number}")
        self._framing = framing
        self._buffer = b""

    def answer(self) -> bool:
        """Read the input and answer every question in it; False at the end of the connection."""
        try:
            data = self.sock.recv(65536)
        except ConnectionError:  # the echo ends its connections without a message
            return False
        self._buffer += data
        while True:
            body, self._buffer = self._framing.split(self._buffer)
            if body is None:
                return bool(data)
            # Taken apart by hand: a client that decodes messages properly would cost more than the server measured.
            if body.startswith(b"bet"):
                self.sock.sendall(self._framing.encode("bet:" + body.split(b":", 4)[3].decode()))
            elif body == b"login":
                self.sock.sendall(self._name)


def main(host: str, port: int, count: int) -> None:
    """Connect ``count`` times and answer until every connection has ended."""
    selector = selectors.DefaultSelector()
    for number in range(count):
        sock = socket.create_connection((host, port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(sock, selectors.EVENT_READ, _Client(sock, number, UtfFraming()))
    while selector.get_map():
        for key, _ in selector.select():
            if not key.data.answer():
                selector.unregister(key.fileobj)
                key.data.sock.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

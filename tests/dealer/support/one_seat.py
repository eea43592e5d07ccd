"""One seat and the other end of its socket, and sessions brought to a point."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
import trio

from dealer.faults import Fault, SeatLost
from dealer.net.limits import REPLY_BYTES, USUAL, Limits
from dealer.net.seat import Seat
from dealer.net.watchdog import Watchdog, open_watchdog
from protocol.cards import parse_card, parse_cards
from protocol.games.base import Status
from protocol.games.stud import StudTurn
from protocol.wire.framing import Framing, UtfFraming
from protocol.wire.messages import Login
from tests.bad_bots.peer import Peer
from tests.patience import PATIENCE

TURN = StudTurn(1, 208, 24, 12, parse_card("KS"), parse_cards("10D"), (parse_cards("AS"), parse_cards("10D")))
STATUS = Status(True, parse_cards("KS 10D 10S"))
FRAMING = UtfFraming(REPLY_BYTES)
LIMIT = 1.0


class RecordingSocket(socket.socket):
    """Remembers what the dealer's end sends and receives at a time."""

    def __init__(self, sock: socket.socket) -> None:
        super().__init__(fileno=sock.detach())
        self.sends: list[bytes] = []
        self.reads: list[int] = []

    def send(self, data: bytes, flags: int = 0, /) -> int:  # type: ignore[override]
        sent = super().send(data, flags)
        self.sends.append(data[:sent])
        return sent

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        data = super().recv(size, flags)
        self.reads.append(len(data))
        return data


@dataclass(frozen=True)
class Ends:
    seat: Seat
    peer: Peer
    sock: RecordingSocket
    watchdog: Watchdog


@asynccontextmanager
async def open_seat(
    limit: float = LIMIT, framing: Framing = FRAMING, *, tcp: bool = False, limits: Limits = USUAL
) -> AsyncIterator[Ends]:
    """A seat that has asked nothing yet."""
    ours, theirs = _tcp_pair() if tcp else socket.socketpair()
    sock = RecordingSocket(ours)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
    stream = trio.SocketStream(trio.socket.from_stdlib_socket(theirs))
    with trio.fail_after(PATIENCE):
        async with stream, open_watchdog() as watchdog:
            yield Ends(watchdog.seat(sock, framing, limit, limits), Peer(stream, framing), sock, watchdog)


@asynccontextmanager
async def open_logged_in_seat(
    limit: float = LIMIT, framing: Framing = FRAMING, *, tcp: bool = False, limits: Limits = USUAL
) -> AsyncIterator[Ends]:
    """A seat whose bot has said its name."""
    async with open_seat(limit, framing, tcp=tcp, limits=limits) as ends:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ends.peer.log_in, "steph:Steph")
            await ends.seat.ask(Login())
        ends.sock.sends.clear()
        ends.sock.reads.clear()
        yield ends


async def lost(seat: Seat) -> tuple[Fault, bool]:
    """Ask a turn that is not answered well: the fault, and whether the session can go on."""
    with pytest.raises(SeatLost) as caught:
        await seat.ask(TURN)
    return caught.value.fault, caught.value.connected


def _tcp_pair() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        theirs = socket.create_connection(listener.getsockname())
        return listener.accept()[0], theirs

"""A channel between the dealer and a worker process: messages over a Unix socket, and sockets beside them.

Both ends are processes of this program, started by the same dealer, so messages travel as pickles. All that waits to be
sent leaves together: pickling and sending ten messages at once costs hardly more than one.
"""

import os
import pickle
import socket
import sys
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import trio

from dealer.workers.awaited import Awaited

#: Bytes read at once.
READ_BYTES = 1 << 18

#: Sockets that leave with one batch; the system takes 253.
MOST_SOCKETS = 200

#: Bytes of the length in front of each batch.
_LENGTH_BYTES = 4

#: Whether one process can hand sockets to another here.
CAN_HAND_OVER = sys.platform != "win32" and hasattr(socket, "SCM_RIGHTS")


class Channel:
    """One end. Its owner runs ``send_forever`` and ``receive_forever``, and closes it.

    Args:
        sock: one of a pair of connected Unix sockets, owned from now on.
    """

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._posted: deque[tuple[Any, int | None]] = deque()
        self._handed_over: deque[int] = deque()
        self._wake: Awaited[None] = Awaited()
        self._leaving = False

    def post(self, message: Any, sock: socket.socket | None = None) -> None:
        """Let a message leave soon, in order; ``sock`` stays the caller's, and the other end gets a duplicate."""
        # A duplicate at once: the caller may close its own before this leaves.
        self._posted.append((message, None if sock is None else os.dup(sock.fileno())))
        self.flush()

    def post_later(self, message: Any) -> bool:
        """Let a message leave with the next one that is posted, or with ``flush``; whether none waited before it."""
        alone = not self._posted
        self._posted.append((message, None))
        return alone

    def flush(self) -> None:
        """Let everything leave that waits."""
        if self._posted and not self._leaving:
            self._leaving = True
            self._wake.give(None)

    def take_socket(self) -> socket.socket:
        """The socket that came with the message being received; the caller owns it."""
        return socket.socket(fileno=self._handed_over.popleft())

    async def send_forever(self) -> None:
        """Send what is posted, until the other end is closed or this is cancelled."""
        with suppress(ConnectionError):
            while True:
                await self._wake.take()
                while self._posted:
                    await self._send_batch()
                self._leaving = False

    async def _send_batch(self) -> None:
        messages: list[Any] = []
        handed: list[int] = []
        while self._posted and len(handed) < MOST_SOCKETS:
            message, descriptor = self._posted.popleft()
            messages.append(message)
            if descriptor is not None:
                handed.append(descriptor)
        try:
            body = pickle.dumps(messages, pickle.HIGHEST_PROTOCOL)
            data = memoryview(len(body).to_bytes(_LENGTH_BYTES, "big") + body)
            while data:
                ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", handed))] if handed else []
                try:
                    sent = self._sock.sendmsg([data], ancillary)
                except BlockingIOError:
                    await trio.lowlevel.wait_writable(self._sock)
                    continue
                data = data[sent:]
                _close_all(handed)
                handed = []
        finally:
            _close_all(handed)

    async def receive_forever(self, take: Callable[[Any], None]) -> None:
        """Give every message to ``take``, in order, until the other end is closed or this is cancelled."""
        buffer = bytearray()
        room = socket.CMSG_SPACE((MOST_SOCKETS + 1) * array("i").itemsize)
        with suppress(ConnectionError):
            while True:
                await trio.lowlevel.wait_readable(self._sock)
                try:
                    data, ancillary, _, _ = self._sock.recvmsg(READ_BYTES, room)
                except BlockingIOError:
                    continue
                if not data:
                    return
                self._handed_over += _descriptors(ancillary)
                buffer += data
                while (batch := _first_batch(buffer)) is not None:
                    for message in pickle.loads(batch):
                        take(message)

    def close(self) -> None:
        """Close this end. The other one notices."""
        self._sock.close()
        _close_all([descriptor for _, descriptor in self._posted if descriptor is not None])
        _close_all(self._handed_over)
        self._posted.clear()
        self._handed_over.clear()


def _first_batch(buffer: bytearray) -> bytes | None:
    """Take the first whole batch off the buffer; None while there is none."""
    end = _LENGTH_BYTES + int.from_bytes(buffer[:_LENGTH_BYTES], "big")
    if len(buffer) < _LENGTH_BYTES or len(buffer) < end:
        return None
    batch = bytes(buffer[_LENGTH_BYTES:end])
    del buffer[:end]
    return batch


def _descriptors(ancillary: Sequence[tuple[int, int, bytes]]) -> list[int]:
    """The descriptors that came with some bytes."""
    found = array("i")
    for level, type_, data in ancillary:
        if level == socket.SOL_SOCKET and type_ == socket.SCM_RIGHTS:
            found.frombytes(data[: len(data) - len(data) % found.itemsize])
    for descriptor in found:
        os.set_inheritable(descriptor, False)
    return list(found)


def _close_all(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)

"""Two rooms on one machine: network namespaces, which reach each other only through a cable that a test can pull."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
import trio

from tests.compiled import needs

#: Addresses of the two ends of a cable; the dealer has the near one.
NEAR, FAR = "10.77.0.1", "10.77.0.2"

#: What either end is called.
DEVICE = "cable"

_NAMED = Path("/run/netns")
_NEW_NETWORK = 0x40000000  # CLONE_NEWNET of sched.h
_numbers = count()


@dataclass(frozen=True)
class Room:
    """A network namespace with a loopback of its own."""

    name: str

    def command(self, *words: str) -> list[str]:
        """The command line that runs ``words`` in this room."""
        return ["ip", "netns", "exec", self.name, *words]

    def ip(self, *words: str) -> None:
        ip("-n", self.name, *words)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Be in this room; a socket made in the block stays here. Not across an ``await``: the whole thread moves."""
        with ExitStack() as stack:
            back = stack.enter_context(Path("/proc/thread-self/ns/net").open("rb"))
            there = stack.enter_context((_NAMED / self.name).open("rb"))
            _move(there.fileno())
            stack.callback(_move, back.fileno())
            yield

    async def connect(self, host: str, port: int) -> trio.SocketStream:
        """A TCP connection that starts in this room."""
        with self.entered():
            sock = trio.socket.socket()
        await sock.connect((host, port))
        return trio.SocketStream(sock)


@dataclass(frozen=True)
class Cable:
    """An Ethernet cable (a veth pair) between two rooms."""

    far: Room

    def pull(self) -> None:
        """Pull the far end out: the near end has no carrier, the far end no route, and neither is told anything."""
        self.far.ip("link", "set", DEVICE, "down")

    def put_back(self) -> None:
        """Put it in again; what was lost meanwhile stays lost until it is sent again."""
        self.far.ip("link", "set", DEVICE, "up")


def ip(*words: str) -> None:
    """Run ``ip``.

    Raises:
        subprocess.CalledProcessError: it failed; its standard error says why.
    """
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@contextmanager
def open_rooms() -> Iterator[tuple[Room, Room]]:
    """Two rooms, not yet connected; they vanish with the block, and the devices in them. Skips where there are none."""
    if sys.platform != "linux":
        pytest.skip("only Linux has network namespaces")
    needs("ip")  # of iproute2
    with ExitStack() as stack:
        try:
            near, far = (stack.enter_context(_open_room()) for _ in range(2))
        except subprocess.CalledProcessError as error:
            pytest.skip(f"network namespaces are not allowed here: {error.stderr.strip()}")
        yield near, far


@contextmanager
def open_cable(near: Room, far: Room) -> Iterator[Cable]:
    """A cable between two rooms, plugged in. Skips where the kernel has no such device."""
    try:
        near.ip("link", "add", DEVICE, "type", "veth", "peer", "name", DEVICE, "netns", far.name)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"this kernel has no veth: {error.stderr.strip()}")
    give_addresses(near, far)
    yield Cable(far)


def give_addresses(near: Room, far: Room) -> None:
    """Configure both ends of a cable."""
    for room, address in (near, NEAR), (far, FAR):
        room.ip("address", "add", f"{address}/24", "dev", DEVICE)
        room.ip("link", "set", DEVICE, "up")


@contextmanager
def _open_room() -> Iterator[Room]:
    room = Room(f"casino-{os.getpid()}-{next(_numbers)}")
    ip("netns", "add", room.name)
    try:
        room.ip("link", "set", "lo", "up")
        yield room
    finally:
        ip("netns", "delete", room.name)


def _move(namespace: int) -> None:
    """Move this thread; ``os.setns`` came with Python 3.12."""
    if ctypes.CDLL(None, use_errno=True).setns(namespace, _NEW_NETWORK):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))

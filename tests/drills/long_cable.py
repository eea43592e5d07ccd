"""A cable with weather: a link between two rooms that delays packets and loses some, and remembers every one.

The kernel's netem would do the same to the packets, but many kernels are built without it, and it does not tell
which ones it lost. Here a TUN device at either end hands whole packets to the test, which carries them across.
"""

import fcntl
import os
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import NamedTuple

import pytest
import trio

from tests.drills.rooms import DEVICE, Room, give_addresses
from tests.drills.seed import chance

_SET_INTERFACE = 0x400454CA  # TUNSETIFF of linux/if_tun.h
_WHOLE_PACKETS = 0x0001 | 0x1000  # IFF_TUN | IFF_NO_PI
_TCP = 6
_WATCH_SECONDS = 0.005


class Packet(NamedTuple):
    """A TCP packet on the cable.

    Attributes:
        time: when it reached the cable if the dealer sent it, when it left the cable if a player did, in seconds:
            what lies between a question and its reply is the time that the players' side took.
        from_dealer: whether the dealer sent it.
        port: the player's.
        sequence: the number of its first byte.
        acknowledged: the number of the byte that its sender expects next.
        opening: whether it opens its direction of the connection (SYN).
        data: what it carries.
        lost: whether it did not arrive.
    """

    time: float
    from_dealer: bool
    port: int
    sequence: int
    acknowledged: int
    opening: bool
    data: bytes
    lost: bool


@dataclass
class LongCable:
    """A link between two rooms.

    Attributes:
        delay: seconds each way.
        loss: the share of packets lost.
        packets: all that were carried or lost, in the order in which they came to the cable.
        longest_stall: seconds that the cable itself had to wait for a processor, at most, in this weather.
    """

    delay: float = 0.0
    loss: float = 0.0
    packets: list[Packet] = field(default_factory=list)
    longest_stall: float = 0.0
    _chance: Random = field(default_factory=lambda: chance("weather"))

    @property
    def lost(self) -> int:
        """How many packets did not arrive."""
        return sum(packet.lost for packet in self.packets)

    def begin(self, *, delay: float = 0.0, loss: float = 0.0) -> None:
        """Change the weather; a new cable is short and loses nothing."""
        self.delay, self.loss, self.longest_stall = delay, loss, 0.0

    async def carry(self, source: int, target: int, *, from_dealer: bool) -> None:
        """Take packets from one device to the other until cancelled."""
        to_deliver, arriving = trio.open_memory_channel[tuple[float, bytes]](10_000)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._deliver, arriving, target)
            while True:
                await trio.lowlevel.wait_readable(source)
                with suppress(BlockingIOError):
                    raw = os.read(source, 65536)
                    now = trio.current_time()
                    if not self._loses(raw, now, from_dealer):
                        to_deliver.send_nowait((now + self.delay, raw))

    async def watch_itself(self) -> None:
        """Measure the stalls until cancelled: packets that come in one are seen late."""
        while True:
            due = trio.current_time() + _WATCH_SECONDS
            await trio.sleep_until(due)
            self.longest_stall = max(self.longest_stall, trio.current_time() - due)

    async def _deliver(self, arriving: trio.MemoryReceiveChannel[tuple[float, bytes]], target: int) -> None:
        async for when, raw in arriving:
            await trio.sleep_until(when)
            os.write(target, raw)

    def _loses(self, raw: bytes, now: float, from_dealer: bool) -> bool:
        """Whether the weather takes a packet; TCP's are remembered either way."""
        lost = self._chance.random() < self.loss
        packet = _read(raw, now if from_dealer else now + self.delay, from_dealer, lost)
        if packet:
            self.packets.append(packet)
        return lost


@contextmanager
def open_devices(near: Room, far: Room) -> Iterator[tuple[int, int]]:
    """The plugs of such a cable in two rooms. Skips where the kernel has no TUN devices."""
    with _open_device(near) as near_end, _open_device(far) as far_end:
        give_addresses(near, far)
        yield near_end, far_end


@asynccontextmanager
async def open_long_cable(near_end: int, far_end: int) -> AsyncIterator[LongCable]:
    """A cable between two devices."""
    cable = LongCable()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(cable.carry, near_end, far_end, from_dealer=True))
        nursery.start_soon(partial(cable.carry, far_end, near_end, from_dealer=False))
        nursery.start_soon(cable.watch_itself)
        yield cable
        nursery.cancel_scope.cancel()


@contextmanager
def _open_device(room: Room) -> Iterator[int]:
    """A device of ``room``; its packets go through the descriptor."""
    with ExitStack() as stack:
        try:
            with room.entered():
                descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            stack.callback(os.close, descriptor)
            fcntl.ioctl(descriptor, _SET_INTERFACE, struct.pack("16sH22x", DEVICE.encode(), _WHOLE_PACKETS))
        except OSError as error:
            pytest.skip(f"no TUN devices here: {error}")
        yield descriptor


def _read(raw: bytes, time: float, from_dealer: bool, lost: bool) -> Packet | None:
    """The TCP packet in ``raw``; None if it is something else."""
    if raw[0] >> 4 != 4 or raw[9] != _TCP:
        return None
    segment = raw[4 * (raw[0] & 15) :]
    source, target, sequence, acknowledged = struct.unpack_from("!HHII", segment)
    opening = bool(segment[13] & 2)
    data = segment[4 * (segment[12] >> 4) :]
    port = target if from_dealer else source
    return Packet(time, from_dealer, port, sequence, acknowledged, opening, data, lost)

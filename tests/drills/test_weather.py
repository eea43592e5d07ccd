"""The network drill: players behind a cable that takes its time, and one that loses packets."""

import fcntl
import os
import statistics
import struct
from bisect import bisect_right
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
import trio

from protocol.wire.framing import UtfFraming
from tests.drills.across_rooms import LOOPBACK, Decision, decisions, faults, open_host
from tests.drills.plan import chance
from tests.drills.rooms import DEVICE, NEAR, Room, give_addresses, open_rooms

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
    """A link between two rooms that delays packets and loses some, and remembers every one.

    The kernel's netem would do the same to the packets, but many kernels are built without it, and it does not tell
    which ones it lost. Here a TUN device at either end hands whole packets to the test, which carries them across.

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


#: Seconds within which the clocks of dealer and cable may differ.
DOUBT = 0.05

_FRAMING = UtfFraming()


class Exchange(NamedTuple):
    """A question and its reply as the cable saw them; infinite times if the reply never arrived.

    Attributes:
        seconds: from when the question was first on the cable, lost or not, until its reply was across.
        blocked: the same, but from when the oldest byte was sent that was under way ahead of the question. TCP holds
            back what it is given while it repairs what was lost, and the dealer's clock runs meanwhile.
    """

    seconds: float
    blocked: float


@dataclass
class _Stream:
    """One direction of a TCP connection, put together from packets that may be lost, repeated and out of order.

    Attributes:
        messages: every message with the time of the packet that made it complete.
        ends: how many bytes had been sent when each was complete.
        acknowledged: when the other end said how many bytes it had.
    """

    messages: list[tuple[str, float]] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    acknowledged: list[tuple[float, int]] = field(default_factory=list)
    _first: int = 0
    _bytes: dict[int, int] = field(default_factory=dict)
    _read: int = 0
    _buffer: bytes = b""

    def add(self, packet: Packet) -> None:
        if packet.opening:
            self._first = packet.sequence + 1
        for place, byte in enumerate(packet.data, self._place(packet.sequence)):
            self._bytes.setdefault(place, byte)
        while self._read in self._bytes:
            self._buffer += bytes([self._bytes[self._read]])
            self._read += 1
        self._take_messages(packet.time)

    def add_acknowledgement(self, packet: Packet) -> None:
        self.acknowledged.append((packet.time, self._place(packet.acknowledged)))

    def blocked_since(self, index: int) -> float:
        """When the oldest byte was sent that was still under way when a message was about to be."""
        _, time = self.messages[index]
        known = bisect_right(self.acknowledged, (time - DOUBT, 0))
        acknowledged = self.acknowledged[known - 1][1] if known else 0
        return self.messages[min(bisect_right(self.ends, acknowledged), index)][1]

    def _place(self, sequence: int) -> int:
        return sequence - self._first & 0xFFFFFFFF

    def _take_messages(self, time: float) -> None:
        while True:
            body, self._buffer = _FRAMING.split(self._buffer)
            if body is None:
                return
            self.messages.append((_FRAMING.decode(body), time))
            self.ends.append(self._read - len(self._buffer))


def exchanges(packets: Iterable[Packet]) -> dict[str, list[Exchange]]:
    """What each player was asked and when it replied, by id."""
    asked: dict[int, _Stream] = {}
    replied: dict[int, _Stream] = {}
    for packet in sorted(packets):
        if packet.from_dealer:  # its clock runs from when a question is sent, lost or not
            asked.setdefault(packet.port, _Stream()).add(packet)
        elif not packet.lost:
            replied.setdefault(packet.port, _Stream()).add(packet)
            if not packet.opening:
                asked[packet.port].add_acknowledgement(packet)
    return {stream.messages[0][0].partition(":")[0]: _pair(asked[port], stream) for port, stream in replied.items()}


def _pair(asked: _Stream, replied: _Stream) -> list[Exchange]:
    questions = [index for index, (text, _) in enumerate(asked.messages) if text.startswith("bet")]
    arrived = [time for _, time in replied.messages[1:]]  # the first one is the name
    arrived += [inf] * (len(questions) - len(arrived))
    return [
        Exchange(time - asked.messages[index][1], time - asked.blocked_since(index))
        for index, time in zip(questions, arrived, strict=True)
    ]


LIVES = ("--lives", "100000")


@dataclass(frozen=True)
class Place:
    """Two rooms with a device in each."""

    near: Room
    far: Room
    ends: tuple[int, int]


@pytest.fixture
def place() -> Iterator[Place]:
    with open_rooms() as (near, far), open_devices(near, far) as ends:
        yield Place(near, far, ends)


async def play(place: Place, journal: Path, bots: tuple[str, ...], *flags: str, **weather: float) -> LongCable:
    """A tournament between ``bots`` behind a cable, and one more beside the dealer; the weather starts with it."""
    async with (
        open_long_cable(*place.ends) as cable,
        open_host(place.near, journal, len(bots) + 1, *flags, *LIVES) as host,
    ):
        await host.add_bots(place.far, NEAR, *bots)
        cable.begin(**weather)
        await host.add_bots(place.near, LOOPBACK, "caller")
        await host.ended()
    return cable


async def play_with_delay(place: Place, journal: Path, hands: int) -> None:
    """200 ms each way."""
    cable = await play(place, journal, ("caller", "caller"), "--hands", str(hands), "--limit", "30", delay=0.2)
    asked = decisions(journal)
    *far, near = asked.values()
    times = [each.seconds for some in far for each in some if each.seconds is not None]
    print(
        f"200 ms each way: {len(times)} replies in {min(times):.3f} to {max(times):.3f} s, half of them within "
        f"{statistics.median(times):.3f} s; beside the dealer {len(near)} in at most {slowest(near):.3f} s; "
        f"the cable stalled for at most {cable.longest_stall:.3f} s"
    )
    assert faults(journal) == {}
    assert {each.hand for some in asked.values() for each in some} == set(range(1, hands + 1))
    # The dealer's clock starts a moment after the question is on the cable; one way alone would be at most 0.3 s.
    assert statistics.median(times) > 0.3


async def play_with_loss(place: Place, journal: Path, hands: int, limit: float, loss: float) -> None:
    """Some packets are lost; what is late by the dealer's clock is compared with what the cable saw."""
    flags = ("--hands", str(hands), "--limit", str(limit))
    cable = await play(place, journal, ("caller", "random", "caller"), *flags, loss=loss)
    seen, asked = exchanges(cable.packets), decisions(journal)
    near = [each for id in asked.keys() - seen.keys() for each in asked[id]]
    far = [each for id in seen for each in asked[id]]
    met = [pair for id in seen for pair in zip(asked[id], seen[id], strict=True)]
    in_time = [exchange.seconds for decision, exchange in met if not decision.fault]
    late = [exchange.blocked for decision, exchange in met if decision.fault]
    print(
        f"{cable.lost} of {len(cable.packets)} packets lost, a limit of {limit:g} s: {len(in_time)} replies in time, "
        f"in at most {slowest(far):.3f} s, and by the cable's clock {max(in_time):.3f} s; {len(late)} late"
        + (f", by the cable's clock after {min(late):.3f} to {max(late):.3f} s" if late else "")
        + f"; beside the dealer at most {slowest(near):.3f} s; the cable stalled for {cable.longest_stall:.3f} s"
    )
    assert cable.lost
    assert {kind for some in faults(journal).values() for kind, _ in some} <= {"late"}
    assert slowest(far) <= limit


def slowest(decisions: Sequence[Decision]) -> float:
    """Seconds until the slowest reply, by the dealer's clock."""
    return max(each.seconds for each in decisions if each.seconds is not None)


async def test_200_ms_each_way_are_no_fault(place: Place, tmp_path: Path) -> None:
    await play_with_delay(place, tmp_path / "journal", 2)


@pytest.mark.long
async def test_lost_packets_are_no_fault(place: Place, tmp_path: Path) -> None:
    await play_with_loss(place, tmp_path / "journal", 30, 30, 0.05)
    assert faults(tmp_path / "journal") == {}


@pytest.mark.heavy
async def test_200_ms_each_way_are_no_fault_in_a_longer_tournament(place: Place, tmp_path: Path) -> None:
    await play_with_delay(place, tmp_path / "journal", 20)


@pytest.mark.heavy
@pytest.mark.parametrize(("hands", "limit", "loss"), [(150, 0.4, 0.05), (150, 1.0, 0.05), (12, 1.0, 0.25)])
async def test_late_replies_in_hundreds_of_hands_beside_what_the_cable_saw(
    place: Place, tmp_path: Path, hands: int, limit: float, loss: float
) -> None:
    await play_with_loss(place, tmp_path / "journal", hands, limit, loss)

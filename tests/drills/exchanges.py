"""Questions and replies as a cable saw them, whatever the two ends say of each other."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import zip_longest
from math import inf

from protocol.wire.framing import UtfFraming
from tests.drills.long_cable import Packet

_FRAMING = UtfFraming()


@dataclass
class _Stream:
    """One direction of a TCP connection, put together from packets that may be lost, repeated and out of order.

    Attributes:
        messages: every message with the time of the packet that made it complete.
    """

    messages: list[tuple[str, float]] = field(default_factory=list)
    _start: int = 0
    _bytes: dict[int, int] = field(default_factory=dict)
    _read: int = 0
    _buffer: bytes = b""

    def add(self, packet: Packet) -> None:
        if packet.opening:
            self._start = packet.sequence + 1
        for place, byte in enumerate(packet.data, packet.sequence - self._start & 0xFFFFFFFF):
            self._bytes.setdefault(place, byte)
        while self._read in self._bytes:
            self._buffer += bytes([self._bytes[self._read]])
            self._read += 1
        self._take_messages(packet.time)

    def _take_messages(self, time: float) -> None:
        while True:
            body, self._buffer = _FRAMING.split(self._buffer)
            if body is None:
                return
            self.messages.append((_FRAMING.decode(body), time))


def exchanges(packets: Iterable[Packet]) -> dict[str, list[float]]:
    """For each player's id, the seconds from each question, first sent, to its reply, arrived; infinite if it did not.

    A question counts from when the dealer sent it, lost or not, for so does the dealer's clock.
    """
    streams: dict[tuple[int, bool], _Stream] = {}
    for packet in sorted(packets):
        if packet.from_dealer or not packet.lost:
            streams.setdefault((packet.port, packet.from_dealer), _Stream()).add(packet)
    found = {}
    for port in {port for port, _ in streams}:
        (name, _), *replies = streams[port, False].messages
        questions = [time for text, time in streams[port, True].messages if text.startswith("bet")]
        arrived = [time for _, time in replies]
        pairs = zip_longest(questions, arrived[: len(questions)], fillvalue=inf)
        found[name.partition(":")[0]] = [reply - question for question, reply in pairs]
    return found

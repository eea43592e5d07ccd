"""Questions and replies as a cable saw them, whatever the two ends say of each other."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from protocol.wire.framing import UtfFraming
from tests.drills.long_cable import Packet

#: Seconds within which the clocks of dealer and cable may differ.
DOUBT = 0.05

_FRAMING = UtfFraming()


class Exchange(NamedTuple):
    """A question and its reply; infinite times if that never arrived.

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

"""Who may come in: connections counted by address, and refused where they are too many.

A refusal must cost less than the connection: the first of an address in a second is told the reason, all
others are closed without a word.
"""

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from logging import WARNING

import trio

from dealer.net.limits import Limits
from dealer.net.throttled_log import Notices

WINDOW_SECONDS = 1.0
GOODBYES = 32
"""Refused connections that are told why at the same time. Each of them takes a socket for a moment."""


@dataclass(slots=True)
class _Visitor:
    """An address: its open connections, and what it did in the second that began at ``since``."""

    since: float
    open: int = 0
    came: int = 0
    told: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A connection that the gate has counted; give it back with ``Gate.leave`` when its socket is closed.

    Attributes:
        address: where it came from.
        refusal: why it may not come in, to be told; None if it may.
    """

    address: str
    refusal: str | None = None


class Gate:
    """Counts connections. All doors of a host share one.

    Attributes:
        limits: how many there may be.
        notices: for log lines about strangers.
        proofs: lets one secret be proved at a time, since each takes a core for a while.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.notices = Notices()
        self.proofs = trio.CapacityLimiter(1)
        self._visitors: dict[str, _Visitor] = {}
        self._open = 0
        self._goodbyes = 0
        self._tidied = 0.0

    def enter(self, host: str) -> Entry | None:
        """Count a new connection from ``host``; None if it is to be closed without a word."""
        now = trio.current_time()
        self._tidy(now)
        address = shared_address(host)
        visitor = self._visitors.setdefault(address, _Visitor(now))
        if now - visitor.since >= WINDOW_SECONDS:
            visitor.since, visitor.came, visitor.told = now, 0, False
        visitor.came += 1
        refusal = self._refusal(visitor)
        if refusal is None:
            visitor.open += 1
            self._open += 1
            return Entry(address)
        self.notices.say(WARNING, "turned away", address, reason=refusal)
        if visitor.told or self._goodbyes >= GOODBYES:
            return None
        visitor.told = True
        self._goodbyes += 1
        return Entry(address, refusal)

    def leave(self, entry: Entry) -> None:
        """A connection is closed."""
        if entry.refusal is not None:
            self._goodbyes -= 1
        else:
            self._visitors[entry.address].open -= 1
            self._open -= 1

    def _refusal(self, visitor: _Visitor) -> str | None:
        limits = self.limits
        if visitor.came > limits.connects:
            return f"your address opened more than {limits.connects} connections within a second; wait a moment"
        if visitor.open >= limits.per_address:
            return f"your address has {visitor.open} connections open, as many as it may; close one first"
        if self._open >= limits.connections:
            return f"the dealer has {self._open} connections open, as many as it takes; come back later"
        return None

    def _tidy(self, now: float) -> None:
        """Forget, once a second, the addresses that have gone."""
        if now - self._tidied >= WINDOW_SECONDS:
            self._tidied = now
            self._visitors = {
                address: visitor
                for address, visitor in self._visitors.items()
                if visitor.open or now - visitor.since < WINDOW_SECONDS
            }


def shared_address(host: str) -> str:
    """The address a connection counts for: one of IPv6 for its network of 64 bits, of which a machine has all."""
    address = ip_address(host)
    if not isinstance(address, IPv6Address):
        return host
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> 64 << 64)}/64"

"""Admission: limits open connections, in total and per address.

Refusing a connection must cost less than accepting it, or an attacker wins by being refused. So only the first refused
connection of an address in a second is told why; all others are closed without a word, and cost no task.
"""

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from logging import WARNING

import trio

from dealer.net.limits import Limits
from dealer.net.throttled_log import ThrottledLog

#: Seconds over which the new connections of an address are counted.
WINDOW_SECONDS = 1.0

#: The address for which connections of the dealer's own machine count at the port for people, until it is known whether
#: they are a page's, and for whom. Else programs of that machine could keep out all people.
UNDECLARED = "this machine, for nobody yet"

#: Refused connections that are told why at the same time; each of them holds a socket for a moment.
GOODBYES = 32


@dataclass(slots=True)
class _Visitor:
    """One address: its open connections, and what it did in the second that began at ``since`` (trio time)."""

    since: float
    open: int = 0
    came: int = 0
    told: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A connection that has been counted. Pass it to ``Admission.leave`` when its socket is closed.

    Attributes:
        address: where it came from.
        refusal: why it is refused, to be told to the program; None if it is admitted.
    """

    address: str
    refusal: str | None = None


class Admission:
    """Counts open connections. All listeners of a host share one, so that a second port is no way around the limits.

    Attributes:
        limits: how many there may be.
        log: for lines about strangers.
        secret_checks: lets one secret be checked at a time, because each check keeps a core busy for 50 ms.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.log = ThrottledLog()
        self.secret_checks = trio.CapacityLimiter(1)
        self._visitors: dict[str, _Visitor] = {}
        self._open = 0
        self._goodbyes = 0
        self._tidied = 0.0

    def enter(self, host: str) -> Entry | None:
        """Count a new connection; None if it is to be closed without a word.

        Args:
            host: the IP address that it comes from, or ``UNDECLARED``; ``move`` must follow then.
        """
        address = host if host == UNDECLARED else shared_address(host)
        visitor = self._came(address)
        refusal = self._count(address, visitor)
        if refusal is None:
            return Entry(address)
        if visitor.told or self._goodbyes >= GOODBYES:
            return None
        visitor.told = True
        self._goodbyes += 1
        return Entry(address, refusal)

    def move(self, entry: Entry, host: str) -> Entry:
        """Count an admitted connection for ``host`` instead of the address that it came from.

        Args:
            entry: of the connection, which counts no longer.
            host: the IP address of a browser, for which a page of the host speaks, or of a program of this machine.

        Returns:
            Its new entry. A refusal is always told, because a person may wait for it at a page that is trusted.
        """
        page = self._visitors[entry.address]
        page.came = max(page.came - 1, 0)
        self.leave(entry)
        address = shared_address(host)
        refusal = self._count(address, self._came(address))
        self._goodbyes += refusal is not None
        return Entry(address, refusal)

    def leave(self, entry: Entry) -> None:
        """Count a connection as closed. Call it exactly once for each entry."""
        if entry.refusal is not None:
            self._goodbyes -= 1
        else:
            self._visitors[entry.address].open -= 1
            self._open -= 1

    def _came(self, address: str) -> _Visitor:
        """The visitor at an address, from which another connection has come now."""
        now = trio.current_time()
        self._tidy(now)
        visitor = self._visitors.setdefault(address, _Visitor(now))
        if now - visitor.since >= WINDOW_SECONDS:
            visitor.since, visitor.came, visitor.told = now, 0, False
        visitor.came += 1
        return visitor

    def _count(self, address: str, visitor: _Visitor) -> str | None:
        """Count one more open connection of a visitor; why it is refused and not counted, if it is."""
        refusal = self._refusal(visitor)
        if refusal is None:
            visitor.open += 1
            self._open += 1
        else:
            self.log.write(WARNING, "turned away", address, reason=refusal)
        return refusal

    def _refusal(self, visitor: _Visitor) -> str | None:
        """Why a new connection is refused, in words for its program; None if it is not."""
        limits = self.limits
        if visitor.came > limits.connects:
            return f"your address opened more than {limits.connects} connections within a second; wait a moment"
        if visitor.open >= limits.per_address:
            return f"your address has {visitor.open} connections open, as many as it may; close one first"
        if self._open >= limits.connections:
            return f"the dealer has {self._open} connections open, as many as it takes; come back later"
        return None

    def _tidy(self, now: float) -> None:
        """Forget the addresses that have gone, at most once a second: a walk per connection would be quadratic."""
        if now - self._tidied >= WINDOW_SECONDS:
            self._tidied = now
            self._visitors = {
                address: visitor
                for address, visitor in self._visitors.items()
                if visitor.open or now - visitor.since < WINDOW_SECONDS
            }


def shared_address(host: str) -> str:
    """The address that a connection counts for.

    An IPv6 address counts for its network of 64 bits, because one machine may use all addresses of such a network. An
    IPv4 address written as IPv6 counts as IPv4.
    """
    address = ip_address(host)
    if not isinstance(address, IPv6Address):
        return host
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> 64 << 64)}/64"

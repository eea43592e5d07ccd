"""Limits: how much of the dealer one program, one address and all programs together may use."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated

import structlog
from cyclopts import Group, Parameter
from cyclopts.types import PositiveFloat, PositiveInt

log = structlog.get_logger()

#: Bytes of the longest message that is read. The longest legal one, an id of 39 letters, a colon and an avatar of 32
#: emoji in modified UTF-8, has 232; a secret is added to that.
REPLY_BYTES = 512

#: File descriptors kept for everything but players: listeners, the journal, standard streams, refused connections.
SPARE_DESCRIPTORS = 128

#: Descriptors of the spare ones that the page or the feed takes where no others are left.
FEWEST_DESCRIPTORS = 16

#: The descriptors of this process that are for players or for others. The system counts them for the process.
_promised: dict[object, int] = {}

#: A limit that no flag sets: honest programs stay so far below that no host has to change it.
_Fixed = Annotated[int, Parameter(parse=False)]

#: The last group of flags in the help of a command.
LIMITS = Group("Limits", sort_key=100)


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True)
class Limits:
    """A program that exceeds a limit is told the reason once and disconnected. Honest programs stay far below.

    Parameters
    ----------
    connections
        Connections open at once.
    per_address
        Connections open at once from one address, which a whole class may share.
    connects
        New connections from one address within a second.
    login_limit
        Seconds until a login is late, if not the same as a reply.
    bytes_per_second
        Bytes read from one program within a second.
    frames_per_second
        Messages read from one program within a second.
    """

    connections: PositiveInt = 512
    per_address: PositiveInt = 64
    connects: PositiveInt = 64
    login_limit: PositiveFloat | None = None
    bytes_per_second: _Fixed = 1_000_000
    frames_per_second: _Fixed = 50_000


#: The limits where the host sets none.
USUAL = Limits()


def fit_descriptors(limits: Limits) -> Limits:
    """Return the limits with no more connections than the system lets this process open.

    Every connection takes a file descriptor. The system's soft limit is raised first, as far as it allows. These
    descriptors are for players from now on: ``descriptors_for`` gives others only what is left.
    """
    room = _raise_limit(limits.connections + SPARE_DESCRIPTORS) - SPARE_DESCRIPTORS
    _promised["players"] = min(limits.connections, max(room, 1)) + SPARE_DESCRIPTORS
    if room >= limits.connections:
        return limits
    fitting = max(room, 1)
    log.warning(
        "fewer connections",
        connections=fitting,
        wanted=limits.connections,
        reason=f"the system lets this process open {room + SPARE_DESCRIPTORS} files; raise that with ulimit -n",
    )
    return replace(limits, connections=fitting)


@contextmanager
def descriptors_for(wanted: int) -> Iterator[int]:
    """Promise descriptors to others than players, such as viewers of the page, while the block runs.

    Yields how many there are: what is left of those the system allows when players have theirs, at least
    ``FEWEST_DESCRIPTORS`` and at most ``wanted``.
    """
    before = sum(_promised.values())
    granted = max(min(_raise_limit(before + wanted) - before, wanted), FEWEST_DESCRIPTORS)
    promise = object()
    _promised[promise] = granted
    try:
        yield granted
    finally:
        del _promised[promise]


def _raise_limit(wanted: int) -> int:
    """Ask the system for ``wanted`` descriptors in all; return how many this process may have now."""
    if sys.platform == "win32":
        return wanted  # Windows does not count sockets as files
    import resource  # noqa: PLC0415 - Windows does not have it

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    # Any process may raise its soft limit up to the hard one; only the superuser may raise the hard one.
    more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
    return more

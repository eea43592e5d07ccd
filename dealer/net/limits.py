"""Limits: how much of the dealer one program, one address and all programs together may use."""

import sys
from dataclasses import dataclass, replace
from typing import Annotated

import structlog
from cyclopts import Parameter
from cyclopts.types import PositiveFloat, PositiveInt
from cyclopts.validators import Number

log = structlog.get_logger()

#: Bytes of the longest reply that is read, unless the host sets another limit.
REPLY_BYTES = 512

#: Bytes of the longest legal reply: an id of 39 letters, a colon and an avatar of 32 emoji in modified UTF-8.
LONGEST_NAME = 232

#: File descriptors kept for everything but players: listeners, the journal, standard streams, refused connections.
SPARE_DESCRIPTORS = 128

FrameBytes = Annotated[int, Parameter(validator=Number(gte=LONGEST_NAME, lte=65535))]


@Parameter(name="*")
@dataclass(frozen=True)
class Limits:
    """A program that exceeds a limit is told the reason once and disconnected. Honest programs stay far below.

    Parameters
    ----------
    connections
        Connections open at once.
    per_address
        Connections open at once from one address; a classroom may sit behind one.
    connects
        New connections from one address within a second.
    login_limit
        Seconds until a login is late, if not the same as a reply.
    frame_bytes
        Bytes of the longest message read.
    bytes_per_second
        Bytes read from one program within a second.
    frames_per_second
        Messages read from one program within a second.
    """

    connections: PositiveInt = 512
    per_address: PositiveInt = 64
    connects: PositiveInt = 64
    login_limit: PositiveFloat | None = None
    frame_bytes: FrameBytes = REPLY_BYTES
    bytes_per_second: PositiveInt = 1_000_000
    frames_per_second: PositiveInt = 50_000


#: The limits where the host sets none.
USUAL = Limits()


def fit_descriptors(limits: Limits) -> Limits:
    """Return the limits with no more connections than the system lets this process open.

    Every connection takes a file descriptor. The system's soft limit is raised first, as far as it allows.
    """
    room = _raise_limit(limits.connections + SPARE_DESCRIPTORS) - SPARE_DESCRIPTORS
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


def ask_for_more(descriptors: int) -> None:
    """Raise the soft limit on file descriptors by so many, as far as the system allows."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - Windows does not have it

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY:
            _raise_limit(soft + descriptors)


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

"""Every connection takes a file descriptor, of which the system gives a process only so many."""

import sys
from dataclasses import replace

import structlog

from dealer.net.limits import Limits

log = structlog.get_logger()

SPARE = 128
"""Descriptors for everything else: the doors, the journal, standard streams, connections that are being refused."""


def fit_descriptors(limits: Limits) -> Limits:
    """The limits, with no more connections than there are descriptors; asks the system for more of them first."""
    room = _raise_limit(limits.connections + SPARE) - SPARE
    if room >= limits.connections:
        return limits
    fitting = max(room, 1)
    log.warning(
        "fewer connections",
        connections=fitting,
        wanted=limits.connections,
        reason=f"the system lets this process open {room + SPARE} files; raise that with ulimit -n",
    )
    return replace(limits, connections=fitting)


def ask_for_more(descriptors: int) -> None:
    """Ask the system for so many more than this process may have now; it gives what it allows."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not to be had on Windows

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY:
            _raise_limit(soft + descriptors)


def _raise_limit(wanted: int) -> int:
    """How many descriptors this process may have, after asking for ``wanted``."""
    if sys.platform == "win32":
        return wanted  # sockets are not limited there
    import resource  # noqa: PLC0415 - not to be had on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
    return more

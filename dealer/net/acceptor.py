"""Ports of the dealer: accept connections in bursts, so that a flood leaves time to the tables, and tell of trouble."""

import errno
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from logging import WARNING

import psutil
import trio

from dealer.net.admission import Admission

#: Seconds that a listener pauses after each burst. The others wait in the system's queue.
PAUSE_SECONDS = 0.025

#: Errors of ``accept`` on a system that is short of files or memory. They pass, while connections wait in the queue.
_OVERLOADED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS})


async def accept_in_bursts(
    listening: trio.SocketListener, burst: int, take: Callable[[trio.SocketStream], None], admission: Admission
) -> None:
    """Accept connections until cancelled, and close the port then.

    Args:
        listening: the port.
        burst: connections accepted without a pause.
        take: called with each connection; it must not wait.
        admission: has the log for a system that is short of files.
    """
    async with listening:
        while True:
            try:
                # While connections wait, accept returns at once, again and again. Without the pause a flood would
                # take most of the event loop's time from the tables.
                for _ in range(burst):
                    take(await listening.accept())
            except OSError as error:
                if error.errno not in _OVERLOADED:
                    raise
                admission.log.write(WARNING, "cannot accept", "any", reason=error.strerror)
            await trio.sleep(PAUSE_SECONDS)


def drop(sock: socket.socket) -> None:
    """Close a socket with a reset instead of an end.

    After an ordinary close the system remembers the connection for a minute (TIME_WAIT); thousands of refused ones a
    second would add up.
    """
    with suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def port_trouble(error: OSError, port: int, flag: str | None) -> str:
    """Why a port cannot be opened, and what to do if another program has it.

    Args:
        error: what the system said.
        port: the number that was wanted.
        flag: that chooses the port; None if no flag does.
    """
    reason = error.strerror or str(error)
    if flag is None or error.errno != errno.EADDRINUSE:
        return reason
    user = program_at(port)
    uses = "the program that uses it" if user is None else user
    return f"{reason}; stop {uses}, or choose another port with {flag} (0 takes any free one)"


def program_at(port: int) -> str | None:
    """The program that listens on a port of this machine, as ``casino (process 1234)``.

    Of several that share the port it is the one that has started the others. None where the system does not tell, as of
    other users' programs.
    """
    with suppress(psutil.Error):
        sharing = {
            connection.pid: psutil.Process(connection.pid)
            for connection in psutil.net_connections("tcp")
            if connection.status == psutil.CONN_LISTEN and connection.laddr[1:] == (port,) and connection.pid
        }
        for number, process in sharing.items():
            if process.ppid() not in sharing:
                return f"{process.name()} (process {number})"
    return None

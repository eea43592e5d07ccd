"""Why a port cannot be opened, in words for the host: the system's reason, the program that uses it, and what to do."""

import errno
from contextlib import suppress

import psutil


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

    None where the system does not tell, as of other users' programs.
    """
    with suppress(psutil.Error):
        for connection in psutil.net_connections("tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr[1:] == (port,) and connection.pid:
                return f"{psutil.Process(connection.pid).name()} (process {connection.pid})"
    return None

"""Why a port cannot be opened, in words for the host: the system's reason, the program that uses it, and what to do."""

import errno
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

#: What a socket that waits for connections has in the column ``st`` of ``/proc/net/tcp``.
_LISTENING = "0A"


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

    None where the system does not tell: it is not Linux, or the program is another user's.
    """
    inodes = {f"socket:[{inode}]" for inode in _listening(port)}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # another user's, or ended meanwhile
            for descriptor in (process / "fd").iterdir():
                if str(descriptor.readlink()) in inodes:
                    name = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
                    return f"{name} (process {process.name})"
    return None


def _listening(port: int) -> Iterator[str]:
    """The inodes of all sockets that listen on a port, as the kernel of Linux lists them (proc(5))."""
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with suppress(OSError):
            for line in Path(table).read_text(encoding="ascii").splitlines()[1:]:
                columns = line.split()
                if columns[3] == _LISTENING and int(columns[1].rpartition(":")[2], 16) == port:
                    yield columns[9]

"""The page's process that a dealer starts: ``python -m dealer.web.own_process``, with its orders on standard input.

A second line ends it. If standard input ends before that, the dealer was killed, and it dies as well. The dealer starts
it again if it dies alone; whoever connects meanwhile waits at the socket, which the dealer keeps open.
"""

import base64
import os
import signal
import socket
import sys

import msgspec
import trio

from dealer.cli.logs import configure_logs
from dealer.cli.output import report_errors
from dealer.web.dealer_page import serve_dealer_page
from dealer.web.link import Place

#: By how much the page steps back behind the dealer, of the system's 19 steps.
NICENESS = 5

#: Seconds in which the dealer ends its stream behind the last that it tells.
LAST_SECONDS = 1.0


class PageOrders(msgspec.Struct, frozen=True):
    """What a page is started with, as a line of JSON.

    Attributes:
        stream: host and port of the dealer's stream.
        token: of the host.
        socket: the listening socket: its descriptor, or on Windows its description in base64.
        pages: where browsers find the page.
        players: the address of the dealer's ports for players.
        cockpit: whether the host can give orders.
        log_level: what is logged.
    """

    stream: tuple[str, int]
    token: str
    socket: int | str
    pages: tuple[str, ...]
    players: str
    cockpit: bool
    log_level: str


def handed(sock: socket.socket, process: int) -> int | str:
    """What stands for a socket in the orders of a process that inherits it."""
    if sys.platform == "win32":
        return base64.b64encode(sock.share(process)).decode()
    return sock.fileno()


def _taken(handed: int | str) -> socket.socket:
    if sys.platform == "win32":
        return socket.fromshare(base64.b64decode(str(handed)))
    return socket.socket(fileno=int(handed))


async def _show(orders: PageOrders) -> int:
    async with serve_dealer_page(
        Place(*orders.stream),
        orders.token,
        _taken(orders.socket),
        orders.pages,
        players=orders.players,
        cockpit=orders.cockpit,
    ) as link:
        if sys.platform != "win32":
            os.nice(NICENESS)  # not before: a page that was started again is waited for
        # Not a buffered read, whose lock the thread would still hold when the interpreter ends.
        if not await trio.to_thread.run_sync(os.read, sys.stdin.fileno(), 1, abandon_on_cancel=True):
            os._exit(1)  # the dealer was killed: browsers are to look for it again, and its port to be free at once
        with trio.move_on_after(LAST_SECONDS):
            await link.parted.wait()
    return 0


def main() -> int:
    """Serve the page until the dealer ends it, and return the exit code."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # of whoever ends the dealer, and with it all that it started
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    with os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0) as stdin:
        line = stdin.readline()
    if not line:  # the dealer was killed
        return 1
    orders = msgspec.json.decode(line, type=PageOrders)
    configure_logs(orders.log_level)
    return trio.run(report_errors, _show(orders))


if __name__ == "__main__":
    sys.exit(main())

"""From an order, or a connection, to a person at a table in this terminal."""

import socket

from bots.human.person_app import Casino
from bots.human.remote_table import Joined
from bots.human.table_order import Order
from protocol.wire.framing import Framing
from protocol.wire.messages import Name


def play_here(order: Order) -> int:
    """Play against house bots until the person leaves; the exit code."""
    return _run(Casino(order))


def play_there(sock: socket.socket, framing: Framing, name: Name, where: str) -> int:
    """Play at a dealer's table until it ends or the person leaves; the exit code. The socket is closed then."""
    with sock:
        return _run(Casino(join=(where, lambda desk: Joined(sock, framing, name, desk))))


def _run(app: Casino) -> int:
    app.run()
    for line in app.farewell:
        print(line)
    return app.return_code or 0

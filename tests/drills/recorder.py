"""A player that writes down everything it hears, one message a line, as soon as it hears it.

Words: host, port, id, and a folder; each session gets a file of its own there, named by the id and the process. A file
``hold-after`` beside the folder says after how many hands the session gives no more replies.
"""

import os
import socket
import sys
from math import inf
from pathlib import Path

from protocol.games.base import FOLD, Action, Bet, Status
from protocol.games.stud import StudTurn
from protocol.wire.connection import BotConnection
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Done, Login, Name

DEAREST_CALL = 3


def decide(turn: StudTurn) -> Action:
    """Call what is cheap, so that the player lasts and still sees showdowns."""
    return Bet(turn.owed) if turn.owed <= DEAREST_CALL else FOLD


def play(sock: socket.socket, name: Name, notes: int, hands: float) -> None:
    connection = BotConnection(UtfFraming())
    while True:
        while (command := connection.next_command()) is None:
            data = sock.recv(65536)
            if not data:
                return
            connection.receive(data)
        os.write(notes, f"{command!r}\n".encode())
        if isinstance(command, Done):
            return
        if isinstance(command, Login):
            sock.sendall(connection.send(name))
        hands -= isinstance(command, Status)
        if isinstance(command, StudTurn) and hands > 0:
            sock.sendall(connection.send(decide(command)))


if __name__ == "__main__":
    host, port, id, folder = sys.argv[1:]
    hold = Path(folder).parent / "hold-after"
    session = Path(folder) / f"{id}.{os.getpid()}"
    with socket.create_connection((host, int(port))) as sock:
        notes = os.open(session, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            play(sock, Name(id, id.title()), notes, float(hold.read_text()) if hold.exists() else inf)
        except ConnectionError:
            sys.exit("the dealer is gone")

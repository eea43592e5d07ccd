"""A player that kills its dealer at the first question of a hand, when something has just changed.

Words: host, port, id, and a folder. Each session writes every message it hears to a file of its own there, named by the
id and the process. The file ``kill-at`` beside the folder says at which change the dealer is killed, and has a seed for
what the player leaves to chance; it is empty if the dealer is to live.
"""

import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from protocol.games.base import FOLD, Action, Status
from protocol.games.stud import StudTurn
from protocol.wire.connection import BotConnection
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Done, Login, Name

#: Chips of everybody at the start of a round; few, so that players leave and tables send others soon.
STACK = 12

#: What has changed between the first questions of two hands in a row.
CHANGES: Mapping[str, Callable[[StudTurn, StudTurn], bool]] = {
    "hand": lambda before, now: True,
    "move": lambda before, now: len(now.shown) > len(before.shown),
    "level": lambda before, now: now.owed == 0 and now.pot > len(now.shown),
    "round": lambda before, now: now.stack == STACK - 1 and before.stack != STACK - 1,
}


class Killer:
    """One session at a dealer, which is the parent of this process."""

    def __init__(self, id: str, notes: int, order: str) -> None:
        self._notes = notes
        self._changed = CHANGES.get(order.partition(" ")[0])
        self._dealer = os.getppid()
        self._chance = Random(f"{id} {order}")
        self._first: StudTurn | None = None
        self._hand_begins = True

    def play(self, sock: socket.socket, name: Name) -> None:
        """Answer until ``done:``, or until the dealer is killed."""
        connection = BotConnection(UtfFraming())
        while True:
            while (command := connection.next_command()) is None:
                data = sock.recv(65536)
                if not data:
                    return
                connection.receive(data)
            os.write(self._notes, f"{command!r}\n".encode())
            if isinstance(command, Done):
                return
            self._hand_begins |= isinstance(command, Status)
            if isinstance(command, Login):
                sock.sendall(connection.send(name))
            elif isinstance(command, StudTurn):
                self._kill_at_first(command)
                sock.sendall(connection.send(self._decide(command)))

    def _kill_at_first(self, turn: StudTurn) -> None:
        """Kill the dealer if this is the first question of a hand before which the change has happened."""
        if not self._hand_begins:
            return
        self._hand_begins = False
        before, self._first = self._first, turn
        # A process whose parent has died has another parent, which must not be killed.
        changed = before is not None and self._changed is not None and self._changed(before, turn)
        if changed and os.getppid() == self._dealer:
            os.kill(self._dealer, signal.SIGKILL)
            sys.exit()

    def _decide(self, turn: StudTurn) -> Action:
        folds = self._chance.random() < 0.1
        return FOLD if folds else self._chance.choice([action for action in turn.legal() if action != FOLD])


if __name__ == "__main__":
    host, port, id, folder = sys.argv[1:]
    session = Path(folder) / f"{id}.{os.getpid()}"
    order = (Path(folder).parent / "kill-at").read_text()
    with socket.create_connection((host, int(port))) as sock:
        notes = os.open(session, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            Killer(id, notes, order).play(sock, Name(id, id.title()))
        except ConnectionError:
            sys.exit("the dealer is gone")

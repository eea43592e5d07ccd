"""Many house bots in one process, each with a connection of its own to a dealer, until every connection has ended."""

import selectors
import socket
import sys
from random import Random

from bots.strategy import Strategy, answer, tell
from protocol.installed_bots import load_bot
from protocol.wire.connection import BotConnection, State
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Done, Login, Name

#: Who plays, in turns. None of them bets much, so that hardly anybody goes out while something is measured.
BOTS = ("caller", "tight", "pair-or-fold", "random")

#: Letters of the longest avatar.
LONGEST = 32


def avatar(number: int) -> str:
    """An avatar as a class may have them: most are short, some are as wide as may be, some have accents or no Latin."""
    kinds = (
        f"Player {number}",
        f"Zoë-Žofie Ångström {number}",
        f"{number:03}".ljust(LONGEST, "W"),
        f"王小明 {number}",
        f"Team {number} of the second row",
    )
    return kinds[number % len(kinds)]


class HousePlayer:
    def __init__(self, port: int, number: int) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = BotConnection(UtfFraming())
        self._name = Name(f"player-{number}", avatar(number))
        self._strategy: Strategy = load_bot(BOTS[number % len(BOTS)])(Random(number))

    def attend(self) -> bool:
        """Take what has come and answer it; whether the session goes on."""
        try:
            data = self.sock.recv(65536)
        except ConnectionError:
            return False
        if not data:
            return False
        self._connection.receive(data)
        while (command := self._connection.next_command()) is not None:
            match command:
                case Login():
                    self.sock.sendall(self._connection.send(self._name))
                case Done():
                    return False
                case turn if self._connection.state is State.ASKED:
                    self.sock.sendall(self._connection.send(answer(self._strategy, turn)))  # type: ignore[arg-type]
                case news:
                    tell(self._strategy, news)
        return True


def main(port: int, count: int) -> None:
    """Play with ``count`` bots."""
    selector = selectors.DefaultSelector()
    for number in range(count):
        player = HousePlayer(port, number)
        selector.register(player.sock, selectors.EVENT_READ, player)
    while selector.get_map():
        for key, _ in selector.select():
            if not key.data.attend():
                selector.unregister(key.fileobj)
                key.data.sock.close()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
